#include "tests/ui/monkey.h"

#include <QContextMenuEvent>
#include <QFile>
#include <QFileDialog>
#include <QMenu>
#include <QPointer>
#include <QWheelEvent>

#include <algorithm>
#include <array>

namespace headlight {
namespace {

/// Qt gives a disabled widget neither mouse nor keys, and its test library warns of who tries.
bool takes_input(const QWidget* widget) { return widget && widget->isEnabled(); }

QAbstractButton* destructive_button(QWidget& question) {
    const auto& box = dynamic_cast<QMessageBox&>(question);
    const auto buttons = box.buttons();
    return *std::ranges::find(buttons, QMessageBox::DestructiveRole,
                              [&](QAbstractButton* each) { return box.buttonRole(each); });
}

}  // namespace

Monkey::Monkey(WindowUnderTest& test, unsigned seed) : test_(test), random_(seed) {
    write_odd_files();
    // Begun anew for each event: one that repeats does not fire inside the loop of a dialog that it opened.
    next_.setSingleShot(true);
    connect(&next_, &QTimer::timeout, this, &Monkey::act);
}

void Monkey::play(int events) {
    left_ = events;
    next_.start();
    while (left_ > 0 && !QTest::currentTestFailed()) {
        // A closed window is opened again, as the next start does: not while an event is handled.
        if (test_.window().isHidden() && !QApplication::activeModalWidget())
            test_.start();
        QTest::qWait(10);
    }
    left_ = 0;
    while (leave())
        QCoreApplication::processEvents();
}

void Monkey::write_odd_files() {
    const std::array<std::pair<const char*, QByteArray>, 9> files{{
        {"empty.json", ""},
        {"half.json", "{\"format\": \"headlight-session/1\", \"sequence\": {"},
        {"deep.json", QByteArray(10'000, '[')},
        {"words.txt", "the cat \xF0\x9F\x90\x88 sat \xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D"},
        {"not_utf8.txt", "\xFF\xFE\x00"},
        {"numbers.csv", "1,2,3\n4,5,6\n"},
        {"ragged.csv", "1,2\n3\n"},
        {"picture.png", "\x89PNG\r\n\x1A\n"},
        {"nothing.xyz", "?"},
    }};
    for (const auto& [name, bytes] : files) {
        QFile file(test_.file(QLatin1String(name)));
        if (file.open(QIODevice::WriteOnly))
            file.write(bytes);
        files_ += file.fileName();
    }
    files_ += test_.file(QString());  // a folder
    files_ += test_.file(QStringLiteral("missing.json"));
}

void Monkey::act() {
    // play() may be many loops of dialogs below: each of them has to end before it goes on.
    if (left_ <= 0 || QTest::currentTestFailed()) {
        if (QApplication::activePopupWidget() || QApplication::activeModalWidget())
            next_.start();
        leave();
        return;
    }
    next_.start();
    if (test_.window().isHidden()) {
        leave();  // play() opens the window again when the loop of a menu or a question has ended
        return;
    }
    --left_;
    act_once();
}

void Monkey::act_once() {
    // A dialog is played with for a while, then closed, so that every window has its turn.
    if (const QWidget* modal = QApplication::activeModalWidget(); modal && happens(8)) {
        say(modal, QStringLiteral("leave"));
        leave();
        return;
    }
    QWidget* window = chosen_window();
    switch (std::discrete_distribution<int>({40, 34, 8, 6, 2, 6, 4})(random_)) {
    case 0:
        return click(*window);
    case 1:
        return press_key(*window);
    case 2:
        return wheel(*window);
    case 3:
        return drag(*window);
    case 4:
        return drop_file();
    case 5:
        return trigger_action();
    default:
        return show_window();
    }
}

bool Monkey::leave() {
    if (QWidget* popup = QApplication::activePopupWidget()) {
        popup->close();
    } else if (QWidget* modal = QApplication::activeModalWidget()) {
        auto* dialog = qobject_cast<QDialog*>(modal);
        // Whoever leaves drops the mask that was drawn: otherwise its question would be asked for ever.
        if (modal->objectName() == QLatin1String("drawn_mask_question"))
            destructive_button(*modal)->click();
        // As Escape does it: a question without a Cancel ignores that it is closed.
        else if (dialog)
            dialog->reject();
        else
            modal->close();
    } else {
        return false;
    }
    return true;
}

QWidget* Monkey::chosen_window() {
    if (QWidget* popup = QApplication::activePopupWidget())
        return popup;
    if (QWidget* modal = QApplication::activeModalWidget())
        return modal;
    QWidgetList shown;
    for (QWidget* each : QApplication::topLevelWidgets())
        if (each->isVisible() && !(each->windowFlags() & Qt::ToolTip & ~Qt::Window))
            shown += each;
    return shown.isEmpty() ? &test_.window() : shown[below(static_cast<int>(shown.size()))];
}

/// A place in it, and the widget that lies there.
std::pair<QWidget*, QPoint> Monkey::place_in(QWidget& window) {
    const QPoint at(below(window.width()), below(window.height()));
    QWidget* child = window.childAt(at);
    return child ? std::pair(child, child->mapFrom(&window, at)) : std::pair(&window, at);
}

Qt::KeyboardModifiers Monkey::modifiers() {
    constexpr std::array some{Qt::NoModifier,    Qt::NoModifier,      Qt::NoModifier,
                              Qt::ShiftModifier, Qt::ControlModifier, Qt::AltModifier};
    return some[static_cast<std::size_t>(below(some.size()))];
}

void Monkey::say(const QObject* on, const QString& what) {
    constexpr int kept = 12;
    last_ += QStringLiteral("%1 on %2 %3")
                 .arg(what, QLatin1String(on->metaObject()->className()), on->objectName());
    if (last_.size() > kept)
        last_.removeFirst();
}

void Monkey::click(QWidget& window) {
    const auto [widget, at] = place_in(window);
    const bool is_left = happens(85);
    say(widget, is_left ? QStringLiteral("click") : QStringLiteral("context menu"));
    if (!is_left) {  // offscreen, no platform turns the right button into this event
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, widget->mapToGlobal(at));
        QApplication::sendEvent(widget, &event);
        return;
    }
    // A press may open a menu, in whose loop the monkey goes on until the widget is gone, or disable it.
    const QPointer<QWidget> alive = widget;
    const Qt::KeyboardModifiers keys = modifiers();
    const int presses = happens(10) ? 2 : 1;
    for (int press = 0; press < presses && takes_input(alive); ++press) {
        QTest::mousePress(widget, Qt::LeftButton, keys, at);
        if (takes_input(alive))
            QTest::mouseRelease(widget, Qt::LeftButton, keys, at);
    }
}

void Monkey::press_key(QWidget& window) {
    QWidget* focus = QApplication::focusWidget();
    QWidget* target = focus && focus->window() == &window ? focus : &window;
    constexpr std::array special{Qt::Key_Tab,    Qt::Key_Return,    Qt::Key_Escape, Qt::Key_Left,
                                 Qt::Key_Right,  Qt::Key_Up,        Qt::Key_Down,   Qt::Key_Home,
                                 Qt::Key_End,    Qt::Key_Space,     Qt::Key_PageUp, Qt::Key_PageDown,
                                 Qt::Key_Delete, Qt::Key_Backspace, Qt::Key_F1,     Qt::Key_F11};
    const Qt::Key key = happens(50)   ? special[static_cast<std::size_t>(below(special.size()))]
                        : happens(30) ? static_cast<Qt::Key>(Qt::Key_0 + below(10))
                                      : static_cast<Qt::Key>(Qt::Key_A + below(26));
    const Qt::KeyboardModifiers held = modifiers();
    say(target, QStringLiteral("key %1").arg(QKeySequence(held | key).toString()));
    const QPointer<QWidget> alive = target;
    if (!takes_input(alive))
        return;
    QTest::keyPress(target, key, held);
    if (takes_input(alive))
        QTest::keyRelease(target, key, held);
}

void Monkey::wheel(QWidget& window) {
    const auto [widget, at] = place_in(window);
    say(widget, QStringLiteral("wheel"));
    QWheelEvent event(at, widget->mapToGlobal(at), QPoint(), QPoint(0, happens(50) ? 120 : -120),
                      Qt::NoButton, modifiers(), Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
}

void Monkey::drag(QWidget& window) {
    const auto [widget, from] = place_in(window);
    say(widget, QStringLiteral("drag"));
    const QPointer<QWidget> alive = widget;
    if (!takes_input(alive))
        return;
    QTest::mousePress(widget, Qt::LeftButton, Qt::NoModifier, from);
    for (int i = 0; i < 4 && takes_input(alive); ++i)
        QTest::mouseMove(widget, QPoint(below(widget->width()), below(widget->height())));
    if (takes_input(alive))
        QTest::mouseRelease(widget, Qt::LeftButton, Qt::NoModifier, from);
}

void Monkey::drop_file() {
    const QString file = files_[below(static_cast<int>(files_.size()))];
    say(&test_.window(), QStringLiteral("drop ") + file);
    drop(test_.window(), file);
}

void Monkey::trigger_action() {
    if (QApplication::activeModalWidget())
        return;
    QList<QAction*> enabled;
    for (QAction* action : test_.window().findChildren<QAction*>())
        if (action->isEnabled() && !action->menu() && !action->isSeparator())
            enabled += action;
    if (enabled.isEmpty())
        return;
    QAction* action = enabled[below(static_cast<int>(enabled.size()))];
    say(action, QStringLiteral("action ") + action->text());
    action->trigger();
}

void Monkey::show_window() {
    if (QApplication::activeModalWidget())
        return;
    constexpr std::array ids{"train_model", "compare_mechanism", "compose_mechanism", "file_new",
                             "edit_mask_action"};
    const char* id = ids[static_cast<std::size_t>(below(ids.size()))];
    say(&test_.window(), QLatin1String(id));
    if (auto* action = test_.find<QAction>(id); action && action->isEnabled())
        action->trigger();
}

Fence::Fence(QString folder) : folder_(std::move(folder)) { qApp->installEventFilter(this); }

bool Fence::eventFilter(QObject* watched, QEvent* event) {
    auto* dialog = qobject_cast<QFileDialog*>(watched);
    if (!dialog || event->type() != QEvent::Show)
        return false;
    dialog->setOption(QFileDialog::ReadOnly);
    dialog->setSidebarUrls({QUrl::fromLocalFile(folder_)});
    const auto come_back = [this, dialog](const QString& entered) {
        if (!(entered + QLatin1Char('/')).startsWith(folder_ + QLatin1Char('/')))
            dialog->setDirectory(folder_);
    };
    connect(dialog, &QFileDialog::directoryEntered, dialog, come_back);
    come_back(dialog->directory().path());
    return false;
}

}  // namespace headlight
