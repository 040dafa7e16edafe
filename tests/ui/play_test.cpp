// Every view plays on, and the memory of the program stays flat. With HEADLIGHT_LONG_TESTS it is ten minutes
// of play for each view.
#include "tests/support/long_tests.h"
#include "tests/support/resident_memory.h"
#include "tests/ui/model_support.h"

#include <QElapsedTimer>
#include <QPushButton>
#include <QTabBar>
#include <QToolButton>

#include <memory>
#include <random>

namespace headlight::play_test {

class PlayTest : public QObject {
    Q_OBJECT
private slots:
    /// One window, as somebody has it who goes from view to view.
    void initTestCase() {
        fail_on_warnings();
        test_ = std::make_unique<ModelWindow>();
    }
    void init() { fail_on_warnings(); }
    void cleanupTestCase() { test_.reset(); }

    void memory_stays_flat_data() {
        QTest::addColumn<QString>("view");
        for (const View& view : views())
            QTest::newRow(view.title.c_str()) << QString::fromStdString(view.title);
    }
    void memory_stays_flat() {
        QFETCH(QString, view);
        const bool is_long = test::is_long();
        const qint64 minute = is_long ? 60'000 : 100;
        const int last = is_long ? 10 : 6;
        if (view == QStringLiteral("Image"))
            test_->trigger("example_picture");
        else if (!test_->has_generated())
            test_->generate("translate-transformer", QStringLiteral("the black cat does not sleep"));
        open(view);
        auto* speed = test_->find<QComboBox>("player-speed");
        speed->setCurrentIndex(speed->count() - 1);
        emit speed->activated(speed->currentIndex());
        play_for(minute);  // caches fill
        const double before = resident_megabytes();
        double now = before;
        for (int minutes = 2; minutes <= last; ++minutes) {
            play_for(minute);
            now = resident_megabytes();
            if (is_long)
                qInfo("%s, minute %d: %.1f MB", qPrintable(view), minutes, now);
        }
        qInfo("%s: %.1f MB after the first minute, %.1f MB after the last", qPrintable(view), before, now);
        QVERIFY2(now - before < 10, qPrintable(QStringLiteral("%1 MB more").arg(now - before)));
    }

private:
    void open(const QString& view) {
        auto* tabs = test_->find<QTabBar>("view_tabs");
        for (std::size_t number = 0; number < views().size(); ++number)
            if (QString::fromStdString(views()[number].title) == view) {
                const int tab = test_->window().views().tab_of(views()[number].kind);
                QTRY_VERIFY(tabs->isTabEnabled(tab));
                test_->trigger(qPrintable(QStringLiteral("view_%1").arg(number + 1)));
                QCOMPARE(tabs->currentIndex(), tab);
                return;
            }
        QFAIL(qPrintable(view));
    }
    /// Again and again from the start, by stages, steps and heads in turn, with the mouse over the picture.
    void play_for(qint64 milliseconds) {
        auto* play = test_->find<QToolButton>("player-play");
        auto* modes = test_->find<QComboBox>("player-mode");
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < milliseconds) {
            if (play->property("icon-name").toString() == QStringLiteral("play")) {
                modes->setCurrentIndex((modes->currentIndex() + 1) % modes->count());
                emit modes->activated(modes->currentIndex());
                QTest::mouseClick(test_->find("player-first"), Qt::LeftButton);
                QTest::mouseClick(play, Qt::LeftButton);
            }
            if (auto* canvas = test_->find<QTabWidget>("views")->currentWidget()->findChild<FigureCanvas*>())
                QTest::mouseMove(canvas, QPoint(below(canvas->width()), below(canvas->height())));
            QTest::qWait(20);
        }
    }
    int below(int end) { return std::uniform_int_distribution<int>(0, std::max(end, 1) - 1)(random_); }

    std::unique_ptr<ModelWindow> test_;
    std::mt19937 random_{1};
};

QTEST_MAIN(PlayTest)

}  // namespace headlight::play_test

#include "play_test.moc"
