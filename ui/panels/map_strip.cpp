#include "ui/panels/map_strip.h"

#include "ui/actions/context_menu.h"
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
/// More is lost without that of a model; who asks for it has it even where the picture has little more.
constexpr int spacious_page = 76, model_page = 60, least_page = 28;

}  // namespace

MapStrip::MapStrip(Document& document, WindowSettings& settings, QWidget* parent)
    : QWidget(parent), document_(document), settings_(settings),
      action_(make_action(QStringLiteral("fold_map"), this)), open_(new QWidget),
      folded_(new FoldStrip(tr("Map"))) {
    setObjectName(QStringLiteral("map_strip"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    if (const QVariant kept = settings_.value(map_folded_key); kept.isValid())
        wants_folded_ = kept.toBool();
    action_->setCheckable(true);
    give_keys(*action_);
    action_->setIconText(QStringLiteral("›"));
    connect(action_, &QAction::triggered, this, [this](bool shown) { fold(!shown); });
    connect(&document_, &Document::session_changed, this, &MapStrip::show_what_has_room);

    auto* title = new QLabel(tr("Map"));
    make_title(*title);
    make_note(*title);
    auto* button = new QToolButton;
    give_role(*button, Role::toggle);
    button->setDefaultAction(action_);
    button->setAccessibleName(tr("Show the map"));
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
    if (!folded && !isVisibleTo(parentWidget()))
        emit notice(reason_against());
}

QString MapStrip::reason_against() const {
    if (document_.view().view == ViewKind::map)
        return tr("The map is in view already: the little one is beside the other pictures.");
    if (is_put_away_)
        return tr("The map is back when the picture is no longer alone.");
    return tr("The map has no room beside the picture here. Fold a panel beside it, or choose the view Map.");
}

bool MapStrip::page_has(int ems) const {
    return parentWidget() && parentWidget()->width() >= ems * QFontInfo(font()).pixelSize();
}

void MapStrip::show_what_has_room() {
    // A table has use for all of its page: what has no room there is to be scrolled to.
    const bool needs_little = document_.session().model && document_.view().view != ViewKind::statistics;
    const int unasked = needs_little ? model_page : spacious_page;
    const bool is_open = wants_folded_ ? !*wants_folded_ && page_has(least_page) : page_has(unasked);
    action_->setChecked(is_open);
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
