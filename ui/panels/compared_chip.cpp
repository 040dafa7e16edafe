#include "ui/panels/compared_chip.h"

#include "ui/actions/context_menu.h"
#include "ui/models/menu_text.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QToolButton>

namespace headlight {

ComparedChip::ComparedChip(const QString& name, Kind kind, QWidget* parent)
    : QFrame(parent), name_(name), title_(new QToolButton) {
    setObjectName(QStringLiteral("compared_chip"));
    give_role(*this, Role::frame_of_chip);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(2, 0, 2, 0);
    layout->setSpacing(0);
    describe(title_, QStringLiteral("chip_title"), name, {});
    give_role(*title_, Role::chip_part);
    layout->addWidget(title_);
    setFocusProxy(title_);
    if (kind == Kind::own) {
        title_->setFocusPolicy(Qt::NoFocus);
        title_->setAttribute(Qt::WA_TransparentForMouseEvents);
        setToolTip(tr("The session's own mechanism: knobs, formula and the other views are of this one"));
    } else {
        auto* menu = new ContextMenu(QStringLiteral("over_compared"), this);
        connect(&menu->offer(QStringLiteral("make_main"), {name}), &QAction::triggered, this,
                &ComparedChip::main_requested);
        connect(&menu->offer(QStringLiteral("remove_compared"), {name}), &QAction::triggered, this,
                &ComparedChip::removal_requested);
        title_->setMenu(menu);
        title_->setPopupMode(QToolButton::InstantPopup);
        title_->setFocusPolicy(Qt::StrongFocus);
        auto* cross = new QToolButton;
        describe(cross, QStringLiteral("chip_remove"), tr("Remove %1").arg(name),
                 tr("Takes %1 out of the comparison").arg(name));
        cross->setText(QStringLiteral("×"));
        give_role(*cross, Role::chip_part);
        connect(cross, &QToolButton::clicked, this, &ComparedChip::removal_requested);
        layout->addWidget(cross);
    }
    fit();
}

void ComparedChip::open_menu(const QPoint& place) {
    if (QMenu* menu = title_->menu())
        menu->popup(place);
}

void ComparedChip::set_details(const QString& details, bool is_refused) {
    is_refused_ = is_refused;
    give_role(*this, is_refused ? Role::frame_of_refused_chip : Role::frame_of_chip);
    if (!details.isEmpty()) {
        title_->setToolTip(details);
        title_->setAccessibleDescription(details);
    }
    fit();
}

void ComparedChip::set_longest(int characters) {
    longest_ = characters;
    fit();
}

void ComparedChip::fit() {
    const QString shown =
        fontMetrics().elidedText(name_, Qt::ElideMiddle, longest_ * fontMetrics().averageCharWidth());
    title_->setText((is_refused_ ? QStringLiteral("⚠ ") : QString()) + menu_text(shown));
}

void ComparedChip::keyPressEvent(QKeyEvent* event) {
    if (title_->menu() && (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace))
        emit removal_requested();
    else
        QFrame::keyPressEvent(event);
}

void ComparedChip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange)
        fit();
    QFrame::changeEvent(event);
}

}  // namespace headlight
