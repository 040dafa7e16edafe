// The columns of panels beside the picture: how they fold, how wide they are, and what a class sees of them.

#include "tests/ui/room_support.h"
#include "ui/panels/fold_strip.h"

#include <QDockWidget>

namespace headlight::window_columns_test {

class WindowColumnsTest : public RoomTest {
    Q_OBJECT
private slots:
    void columns_fold_to_a_strip_and_come_back_as_they_were_data() {
        QTest::addColumn<QString>("side");
        QTest::addColumn<QString>("dock");
        QTest::addColumn<int>("with");
        QTest::newRow("left") << "left"
                              << "sequence_dock" << int(Qt::NoModifier);
        QTest::newRow("right") << "right"
                               << "inspector_dock" << int(Qt::ShiftModifier);
    }
    void columns_fold_to_a_strip_and_come_back_as_they_were() {
        QFETCH(QString, side);
        QFETCH(QString, dock);
        QFETCH(int, with);
        const auto before = places(test_->window());
        const int width = test_->find(qPrintable(dock))->width();
        const int picture = test_->window().views().width();
        QTest::keyClick(&test_->window(), Qt::Key_F9, Qt::KeyboardModifiers(with));
        QVERIFY(!test_->find(qPrintable(dock))->isVisible());
        auto* strip = test_->find<FoldStrip>(qPrintable("unfold_" + side));
        QTRY_VERIFY(strip->isVisible());
        QCOMPARE(strip->width(), 28);
        QTRY_VERIFY(test_->window().views().width() >= picture + width - 28);
        QTest::keyClick(&test_->window(), Qt::Key_F9, Qt::KeyboardModifiers(with));
        QTRY_COMPARE(moved(before, test_->window()), QString());
        // The strip itself brings the column back too.
        QTest::keyClick(&test_->window(), Qt::Key_F9, Qt::KeyboardModifiers(with));
        QTest::mouseClick(strip, Qt::LeftButton);
        QTRY_COMPARE(moved(before, test_->window()), QString());
    }

    void folded_columns_are_remembered() {
        test_->trigger("fold_left");
        test_->close();
        test_->start();
        QVERIFY(!test_->find("sequence_dock")->isVisible());
        QVERIFY(test_->find("unfold_left")->isVisible());
        QVERIFY(test_->find("inspector_dock")->isVisible());
        test_->trigger("fold_left");
        QTRY_VERIFY(test_->find("sequence_dock")->isVisible());
    }

    void who_asks_for_a_folded_panel_gets_it() {
        test_->trigger("fold_left");
        test_->trigger("choose_mechanism");
        QVERIFY(test_->find("mechanism_dock")->isVisible());
        QTest::keyClick(test_->find("mechanism_search"), Qt::Key_Escape);
    }

    void a_choice_leaves_the_picture_the_room_of_a_folded_column_data() {
        QTest::addColumn<QString>("folds");
        QTest::newRow("by hand") << "fold_left";
        QTest::newRow("for a class") << "theme_projector";
    }
    void a_choice_leaves_the_picture_the_room_of_a_folded_column() {
        QFETCH(QString, folds);
        test_->trigger(qPrintable(folds));
        settle();
        const auto* dock = test_->find("mechanism_dock");
        QVERIFY(!dock->isVisible());
        const int width = test_->window().views().width();
        test_->trigger("choose_mechanism");
        auto* search = test_->find("mechanism_search");
        QVERIFY(search->isVisible() && dock->isVisible());
        QTest::keyClicks(search, QStringLiteral("multi"));
        QTest::keyClick(search, Qt::Key_Return);
        QTRY_VERIFY(test_->session().mechanism != small_session().mechanism);
        QTRY_VERIFY(!dock->isVisible() && test_->find("unfold_left")->isVisible());
        settle();
        QVERIFY(test_->window().views().width() >= width);
        test_->click("unfold_left");
        QTRY_VERIFY2(dock->isVisible(), "with its knobs");
        test_->trigger("theme_light");
    }

    void columns_have_the_width_at_the_next_start_that_they_were_given_data() {
        QTest::addColumn<QString>("before_closing");
        QTest::newRow("open") << QString();
        QTest::newRow("in full screen") << QStringLiteral("full_screen");
        QTest::newRow("folded") << QStringLiteral("fold");
    }
    void columns_have_the_width_at_the_next_start_that_they_were_given() {
        QFETCH(QString, before_closing);
        const auto dock = [this](const char* id) { return test_->find<QDockWidget>(id); };
        test_->window().resizeDocks({dock("sequence_dock"), dock("inspector_dock")}, {290, 260},
                                    Qt::Horizontal);
        QTRY_COMPARE(dock("sequence_dock")->width(), 290);
        const auto fold = [this] {
            for (const Qt::KeyboardModifier with : {Qt::NoModifier, Qt::ShiftModifier})
                QTest::keyClick(&test_->window(), Qt::Key_F9, with);
        };
        if (before_closing == QLatin1String("full_screen"))
            QTest::keyClick(&test_->window(), Qt::Key_F11);
        else if (before_closing == QLatin1String("fold"))
            fold();
        QTest::qWait(1);
        test_->close();
        test_->start();
        if (before_closing == QLatin1String("fold"))
            fold();
        QTRY_COMPARE(dock("sequence_dock")->width(), 290);
        QTRY_COMPARE(dock("inspector_dock")->width(), 260);
    }

    void the_projector_is_for_a_class() {
        const int text = test_->window().fontMetrics().height();
        const int player = test_->find("player-label")->fontMetrics().height();
        const auto before = places(test_->window());
        test_->trigger("theme_projector");
        settle();
        for (const char* panel : {"sequence_dock", "mechanism_dock", "inspector_dock"})
            QVERIFY2(!test_->find(panel)->isVisible(), panel);
        QVERIFY(test_->window().views().width() >= test_->window().width() - 2 * 28 - 4);
        QCOMPARE(test_->window().fontMetrics().height(), text);
        QVERIFY(test_->find("player-label")->fontMetrics().height() > player);
        // The strips bring panels back, and one that somebody wants stays.
        test_->click("unfold_right");
        QTRY_VERIFY(test_->find("inspector_dock")->isVisible());
        test_->trigger("theme_light");
        settle();
        QTRY_COMPARE(moved(before, test_->window()), QString());
        QCOMPARE(test_->find("player-label")->fontMetrics().height(), player);
    }

    void what_was_folded_before_a_class_came_stays_folded() {
        test_->trigger("fold_left");
        test_->trigger("theme_projector");
        settle();
        test_->trigger("theme_light");
        settle();
        QVERIFY(!test_->find("sequence_dock")->isVisible());
        QVERIFY(test_->find("inspector_dock")->isVisible());
    }

    void panels_that_a_class_sent_away_are_back_at_the_next_start() {
        test_->trigger("theme_projector");
        settle();
        test_->close();
        test_->start();
        QVERIFY(!test_->find("sequence_dock")->isVisible());  // the class is still there
        test_->trigger("theme_light");
        settle();
        QVERIFY(test_->find("sequence_dock")->isVisible() && test_->find("inspector_dock")->isVisible());
    }

    void a_low_window_keeps_its_size_when_panels_take_the_place_of_begin() {
        test_->trigger("help_begin");
        test_->window().resize(1024, 600);
        settle();
        QVERIFY(test_->find("begin_dock")->isVisible());
        const QSize before = test_->window().size();
        test_->trigger("compose_mechanism");
        QTRY_VERIFY(test_->find("mechanism_dock")->isVisible());
        settle();
        QCOMPARE(test_->window().size(), before);
    }

    void a_maximised_window_is_maximised_at_the_next_start() {
        test_->window().showMaximized();
        test_->trigger("only_picture");
        test_->trigger("only_picture");
        QVERIFY(test_->window().isMaximized());
        test_->close();
        test_->start();
        QVERIFY(test_->window().isMaximized());
    }
};

QTEST_MAIN(WindowColumnsTest)

}  // namespace headlight::window_columns_test

#include "window_columns_test.moc"
