#include "ui/panels/map_strip.h"

#include "ui/actions/shortcuts.h"
#include "ui/models/document.h"
#include "ui/models/window_settings.h"
#include "ui/panels/fold_strip.h"
#include "ui/views/describe.h"
#include "ui/views/little_map.h"
#include "ui/views/role.h"

#include <QAction>
#include <QEvent>
#include <QFontInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace headlight {
namespace {

const QString map_folded_key = QStringLiteral("window/map_folded");
/// In sizes of the type: pages where a map beside the picture takes little of it, and where it leaves enough.
constexpr int spacious_page = 76, narrow_page = 46;

}  // namespace

MapStrip::MapStrip(Document& document, WindowSettings& settings, QWidget* parent)
    : QWidget(parent), document_(document), settings_(settings),
      action_(new QAction(tr("Fold the ma&p"), this)), open_(new QWidget), folded_(new FoldStrip(tr("Map"))) {
    setObjectName(QStringLiteral("map_strip"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    if (const QVariant kept = settings_.value(map_folded_key); kept.isValid())
        wants_folded_ = kept.toBool();
    action_->setObjectName(QStringLiteral("fold_map"));
    action_->setCheckable(true);
    give_keys(*action_);
    action_->setIconText(QStringLiteral("›"));
    action_->setToolTip(with_key(tr("Folds the map beside the picture, so that the picture gets its room"),
                                 action_->objectName()));
    connect(action_, &QAction::triggered, this, &MapStrip::fold);

    auto* title = new QLabel(tr("Map"));
    make_title(*title);
    make_note(*title);
    auto* button = new QToolButton;
    give_role(*button, Role::toggle);
    button->setDefaultAction(action_);
    button->setAccessibleName(tr("Fold the map"));
    auto* line = new QHBoxLayout;
    line->setContentsMargins(8, 4, 2, 4);
    line->addWidget(title, 1);
    line->addWidget(button);
    auto* column = new QVBoxLayout(open_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(line);
    column->addWidget(new LittleMap(document_), 1);

    describe(folded_, QStringLiteral("unfold_map"), tr("Show: %1").arg(tr("Map")),
             with_key(tr("Brings the map back"), action_->objectName()));
    connect(folded_, &QAbstractButton::clicked, this, [this] { fold(false); });
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(open_);
    row->addWidget(folded_);
    connect(&document_, &Document::view_changed, this, &MapStrip::show_what_has_room);
    hide();
}

void MapStrip::stand_in(QWidget* page) {
    if (parentWidget() != page) {
        if (parentWidget()) {
            parentWidget()->removeEventFilter(this);
            parentWidget()->layout()->removeWidget(this);
        }
        page->layout()->addWidget(this);
        page->installEventFilter(this);
    }
    show_what_has_room();
}

void MapStrip::put_away(bool away) {
    is_put_away_ = away;
    show_what_has_room();
}

void MapStrip::fold(bool folded) {
    wants_folded_ = folded;
    settings_.set_value(map_folded_key, folded);
    show_what_has_room();
}

bool MapStrip::page_has(int ems) const {
    return parentWidget() && parentWidget()->width() >= ems * QFontInfo(font()).pixelSize();
}

void MapStrip::show_what_has_room() {
    const bool is_open = wants_folded_ ? !*wants_folded_ && page_has(narrow_page) : page_has(spacious_page);
    action_->setChecked(!is_open);
    const bool is_gone =
        is_put_away_ || document_.view().view == ViewKind::map || (!is_open && !page_has(spacious_page));
    open_->setVisible(is_open);
    folded_->setVisible(!is_open);
    setVisible(!is_gone);
}

bool MapStrip::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        show_what_has_room();
    return QWidget::eventFilter(watched, event);
}

void MapStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        show_what_has_room();
}

}  // namespace headlight
