// A window that was larger than the screen, or stood beyond its edge, is whole on it.

#include "tests/support/watched_application.h"
#include "ui/views/keep_on_screen.h"

#include <QDialog>
#include <QScreen>
#include <QTest>
#include <QWidget>

namespace headlight::keep_on_screen_test {

class KeepOnScreenTest : public QObject {
    Q_OBJECT
private slots:
    void a_window_is_whole_on_its_screen_data() {
        QTest::addColumn<QRect>("kept");
        QTest::newRow("too large") << QRect(0, 0, 5000, 5000);
        QTest::newRow("its title above the screen") << QRect(10, -60, 300, 200);
        QTest::newRow("beyond the right edge") << QRect(5000, 10, 300, 200);
    }
    void a_window_is_whole_on_its_screen() {
        QFETCH(const QRect, kept);
        QWidget window;
        window.setGeometry(kept);
        keep_on_screen(window);
        window.show();
        QTRY_VERIFY(window.screen()->availableGeometry().contains(window.frameGeometry()));
    }

    void so_is_every_window_that_belongs_to_it() {
        QWidget window;
        window.setGeometry(20, 50, 300, 200);
        keep_on_screen(window);
        window.show();
        QDialog dialog(&window), box(&dialog);
        for (QWidget* each : {&dialog, &box}) {
            each->setGeometry(-50, -60, 5000, 5000);
            each->show();
            QTRY_VERIFY(each->screen()->availableGeometry().contains(each->frameGeometry()));
            each->hide();
            each->resize(4000, 200);
            each->show();
            QTRY_VERIFY(each->screen()->availableGeometry().contains(each->frameGeometry()));
        }
        QDialog other;  // of nobody's
        other.resize(5000, 5000);
        other.show();
        QCOMPARE(other.size(), QSize(5000, 5000));
    }

    void the_desktop_may_say_late_where_it_stands() {
        QWidget window;
        window.setGeometry(20, 50, 300, 200);
        keep_on_screen(window);
        window.show();
        QTest::qWait(250);
        window.move(20, -60);
        QTRY_VERIFY(window.screen()->availableGeometry().contains(window.frameGeometry()));
    }

    void one_that_has_room_stays() {
        const QRect kept(20, 50, 300, 200);
        QWidget window;
        window.setGeometry(kept);
        keep_on_screen(window);
        window.show();
        QTest::qWait(200);
        QCOMPARE(window.geometry(), kept);
    }
};

QTEST_MAIN(KeepOnScreenTest)

}  // namespace headlight::keep_on_screen_test

#include "keep_on_screen_test.moc"
