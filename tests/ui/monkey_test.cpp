// Random keys, clicks, wheels and drops over every window: no warning, no crash, no blocked event loop, and
// no memory that keeps growing. With HEADLIGHT_LONG_TESTS it is 10,000 events for each of five seeds.
#include "core/io/files.h"
#include "tests/ui/window_support.h"
#include "ui/panels/train_action.h"
#include "ui/panels/train_window.h"

#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QMenu>
#include <QTimer>
#include <QWheelEvent>

#include <array>
#include <malloc.h>
#include <memory>
#include <random>
#include <unistd.h>

using namespace headlight;

namespace {

/// Megabytes of this process that are in memory, after what is free has gone back to the system.
double resident() {
    malloc_trim(0);
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toDouble() * static_cast<double>(sysconf(_SC_PAGESIZE)) /
           (1 << 20);
}

/// Takes every web address, which would leave the program.
class NoBrowser : public QObject {
    Q_OBJECT
public:
    NoBrowser() {
        for (const char* scheme : {"http", "https", "file"})
            QDesktopServices::setUrlHandler(QLatin1String(scheme), this, "take");
    }
    Q_INVOKABLE void take(const QUrl&) {}
};

class Monkey : public QObject {
public:
    Monkey(WindowUnderTest& test, unsigned seed, int events) : test_(test), random_(seed), left_(events) {
        write_odd_files();
    }
    void play() {
        is_playing_ = true;
        act_soon();
        while (left_ > 0 && !QTest::currentTestFailed()) {
            // A closed window is opened again, as the next start does: not while an event is handled.
            if (test_.window().isHidden() && !QApplication::activeModalWidget())
                test_.start();
            QTest::qWait(10);
        }
        is_playing_ = false;
        while (QWidget* modal = QApplication::activeModalWidget()) {
            modal->close();
            QCoreApplication::processEvents();
        }
    }
    const QStringList& last() const { return last_; }

private:
    int below(int end) { return std::uniform_int_distribution<int>(0, std::max(end, 1) - 1)(random_); }
    bool happens(int percent) { return below(100) < percent; }

    void write_odd_files() {
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

    /// Each time anew: a timer does not fire while what it called is still in the loop of a dialog.
    void act_soon() { QTimer::singleShot(0, this, &Monkey::act); }
    void act() {
        if (left_ <= 0 || !is_playing_)
            return;
        act_soon();
        if (test_.window().isHidden())
            return;
        --left_;
        // A dialog is played with for a while, then closed, so that every window has its turn.
        if (QWidget* modal = QApplication::activeModalWidget(); modal && happens(8)) {
            say(modal, "close");
            modal->close();
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

    QWidget* chosen_window() {
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
    std::pair<QWidget*, QPoint> place_in(QWidget& window) {
        const QPoint at(below(window.width()), below(window.height()));
        QWidget* child = window.childAt(at);
        return child ? std::pair(child, child->mapFrom(&window, at)) : std::pair(&window, at);
    }
    Qt::KeyboardModifiers modifiers() {
        constexpr std::array some{Qt::NoModifier,    Qt::NoModifier,      Qt::NoModifier,
                                  Qt::ShiftModifier, Qt::ControlModifier, Qt::AltModifier};
        return some[static_cast<std::size_t>(below(some.size()))];
    }
    void say(const QObject* on, const QString& what) {
        last_ += QStringLiteral("%1 on %2 %3")
                     .arg(what, QLatin1String(on->metaObject()->className()), on->objectName());
        if (last_.size() > 12)
            last_.removeFirst();
    }

    void click(QWidget& window) {
        const auto [widget, at] = place_in(window);
        const auto button = happens(85) ? Qt::LeftButton : Qt::RightButton;
        say(widget, QStringLiteral("click"));
        if (button == Qt::RightButton) {  // offscreen, no platform turns the button into this event
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, widget->mapToGlobal(at));
            QTimer::singleShot(0, this, [] {
                if (QWidget* popup = QApplication::activePopupWidget())
                    popup->close();
            });
            QApplication::sendEvent(widget, &event);
        } else if (happens(10)) {
            QTest::mouseDClick(widget, button, modifiers(), at);
        } else {
            QTest::mouseClick(widget, button, modifiers(), at);
        }
    }
    void press_key(QWidget& window) {
        QWidget* focus = QApplication::focusWidget();
        QWidget* target = focus && focus->window() == &window ? focus : &window;
        constexpr std::array special{Qt::Key_Tab,    Qt::Key_Return,    Qt::Key_Escape, Qt::Key_Left,
                                     Qt::Key_Right,  Qt::Key_Up,        Qt::Key_Down,   Qt::Key_Home,
                                     Qt::Key_End,    Qt::Key_Space,     Qt::Key_PageUp, Qt::Key_PageDown,
                                     Qt::Key_Delete, Qt::Key_Backspace, Qt::Key_F1,     Qt::Key_F11};
        const Qt::Key key = happens(50)   ? special[static_cast<std::size_t>(below(special.size()))]
                            : happens(30) ? static_cast<Qt::Key>(Qt::Key_0 + below(10))
                                          : static_cast<Qt::Key>(Qt::Key_A + below(26));
        say(target, QStringLiteral("key %1").arg(key));
        QTest::keyClick(target, key, modifiers());
    }
    void wheel(QWidget& window) {
        const auto [widget, at] = place_in(window);
        say(widget, QStringLiteral("wheel"));
        QWheelEvent event(at, widget->mapToGlobal(at), QPoint(), QPoint(0, happens(50) ? 120 : -120),
                          Qt::NoButton, modifiers(), Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &event);
    }
    void drag(QWidget& window) {
        const auto [widget, from] = place_in(window);
        say(widget, QStringLiteral("drag"));
        const QPointer<QWidget> alive = widget;
        QTest::mousePress(widget, Qt::LeftButton, Qt::NoModifier, from);
        for (int i = 0; i < 4 && alive; ++i)
            QTest::mouseMove(widget, QPoint(below(widget->width()), below(widget->height())));
        if (alive)
            QTest::mouseRelease(widget, Qt::LeftButton, Qt::NoModifier, from);
    }
    void drop_file() {
        const QString file = files_[below(static_cast<int>(files_.size()))];
        say(&test_.window(), QStringLiteral("drop ") + file);
        drop(test_.window(), file);
    }
    void trigger_action() {
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
    void show_window() {
        if (QApplication::activeModalWidget())
            return;
        constexpr std::array ids{"train_model", "compare_mechanism", "compose_mechanism", "file_new",
                                 "edit_mask_action"};
        const char* id = ids[static_cast<std::size_t>(below(ids.size()))];
        say(&test_.window(), QLatin1String(id));
        if (auto* action = test_.find<QAction>(id); action && action->isEnabled())
            action->trigger();
    }

    WindowUnderTest& test_;
    std::mt19937 random_;
    int left_;
    QStringList files_, last_;
    bool is_playing_ = false;
};

}  // namespace

class MonkeyTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        // Whatever it types as a name, it writes into a folder that goes.
        qputenv("HOME", QFile::encodeName(home_.path()));
        QVERIFY(QDir::setCurrent(home_.path()));
        qApp->setQuitOnLastWindowClosed(false);
    }
    void init() { fail_on_warnings(); }

    void nothing_breaks_and_nothing_grows_data() {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 5; ++seed)
            QTest::addRow("seed %u", seed) << seed;
    }
    void nothing_breaks_and_nothing_grows() {
        QFETCH(unsigned, seed);
        const int events = qEnvironmentVariableIsSet("HEADLIGHT_LONG_TESTS") ? 10'000 : 120;
        WindowUnderTest test;
        Monkey monkey(test, seed, events / 4);
        monkey.play();  // caches fill
        const double before = resident();
        Monkey again(test, seed + 100, events - events / 4);
        again.play();
        test.trigger("file_new");
        QTRY_VERIFY(!test.document().is_running());
        const double grown = resident() - before;
        QVERIFY2(grown < 50, qPrintable(QStringLiteral("%1 MB more; last: %2")
                                            .arg(grown)
                                            .arg(again.last().join(QStringLiteral(", ")))));
        qInfo("%.0f MB before, %.1f MB more after %d events", before, grown, events);
    }

private:
    QTemporaryDir home_;
    NoBrowser no_browser_;
};

QTEST_MAIN(MonkeyTest)
#include "monkey_test.moc"
