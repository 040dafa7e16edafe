#include "ui/panels/player_keys.h"

#include "ui/lesson/question_box.h"
#include "ui/panels/motion_bar.h"
#include "ui/panels/player_bar.h"
#include "ui/panels/takes_text.h"
#include "ui/views/walks_heads.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QKeyEvent>
#include <QMenuBar>
#include <QPushButton>
#include <QSlider>
#include <QToolButton>

namespace headlight {
namespace {

/// Whether keys that arrive there are a text being typed, or choose in a menu. What was hidden may have kept
/// the focus.
bool uses_every_key(const QWidget* widget) {
    if (widget && !widget->isVisible())
        return false;
    return takes_text(widget) || qobject_cast<const QMenuBar*>(widget);
}

/// Whether a digit there begins a number in a cell.
bool begins_a_number(const QWidget& receiver) {
    const auto* view = qobject_cast<const QAbstractItemView*>(&receiver);
    return view && (view->editTriggers() & QAbstractItemView::AnyKeyPressed) &&
           (view->currentIndex().flags() & Qt::ItemIsEditable);
}

/// Whether Up and Down move between heads there already, in an order of its own: a table of heads.
bool walks_heads(const QWidget& receiver, const QKeyEvent& key) {
    return (key.key() == Qt::Key_Up || key.key() == Qt::Key_Down) &&
           dynamic_cast<const WalksHeads*>(&receiver);
}

bool is_plain(const QKeyEvent& key) { return !(key.modifiers() & ~Qt::KeypadModifier); }

}  // namespace

PlayerKeys::PlayerKeys(PlayerBar& player) : QObject(&player), player_(player) {
    qApp->installEventFilter(this);
}

void PlayerKeys::give_way_to(QuestionBox& question) { question_ = &question; }

void PlayerKeys::give_way_to(MotionBar& motion) { motion_ = &motion; }

bool PlayerKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress)
        return false;
    auto* receiver = qobject_cast<QWidget*>(watched);
    if (!receiver || receiver->window() != player_.window() || QApplication::activePopupWidget())
        return false;
    // What a text does not use comes to the widgets around it.
    if (uses_every_key(receiver) || uses_every_key(QApplication::focusWidget()))
        return false;
    const auto& key = static_cast<const QKeyEvent&>(*event);
    if (question_ && question_->is_asking())
        return handle_for_question(key, *receiver);
    return handle_everywhere(key, *receiver) || handle_unused(key, *receiver);
}

bool PlayerKeys::handle_for_question(const QKeyEvent& key, QWidget& receiver) {
    auto* button = qobject_cast<QPushButton*>(&receiver);
    if (button && is_plain(key) && (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter)) {
        button->click();
        return true;
    }
    return question_->take_key(key) || is_unused(key, receiver);
}

bool PlayerKeys::handle_everywhere(const QKeyEvent& key, const QWidget& receiver) {
    if (!is_plain(key) || walks_heads(receiver, key))
        return false;
    if (motion_ && motion_->take_step(key))
        return true;
    switch (key.key()) {
    case Qt::Key_Left:
        player_.back();
        return true;
    case Qt::Key_Right:
        player_.forward();
        return true;
    case Qt::Key_Up:
        player_.move_by_heads(-1);
        return true;
    case Qt::Key_Down:
        player_.move_by_heads(1);
        return true;
    default:
        break;
    }
    const int digit = key.key() - Qt::Key_1;
    return digit >= 0 && digit <= 8 && !begins_a_number(receiver) && player_.choose_head(digit);
}

bool PlayerKeys::is_unused(const QKeyEvent& key, const QWidget& receiver) const {
    // To the window come the keys that nothing else has used.
    const bool is_button = qobject_cast<const QToolButton*>(&receiver);
    const bool is_of_player =
        player_.isAncestorOf(&receiver) && (is_button || qobject_cast<const QSlider*>(&receiver));
    const bool presses = is_button && key.key() == Qt::Key_Space, leads_on = key.key() == Qt::Key_Tab;
    return is_plain(key) && !presses && !leads_on && (&receiver == player_.window() || is_of_player);
}

bool PlayerKeys::handle_unused(const QKeyEvent& key, const QWidget& receiver) {
    if (!is_unused(key, receiver))
        return false;
    if (motion_ && motion_->take_unused(key))
        return true;
    switch (key.key()) {
    case Qt::Key_PageUp:
        player_.back();
        return true;
    case Qt::Key_PageDown:
        player_.forward();
        return true;
    case Qt::Key_Home:
        player_.first();
        return true;
    case Qt::Key_End:
        player_.last();
        return true;
    case Qt::Key_Space:
        player_.toggle_playing();
        return true;
    default:
        return false;
    }
}

}  // namespace headlight
