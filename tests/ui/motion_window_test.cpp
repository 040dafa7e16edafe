// A motion is started with a key, dragged to any moment, and ended; reduced motion shows done numbers alone.
#include "tests/ui/model_support.h"
#include "tests/ui/screen_reader.h"
#include "tests/ui/windowed_test.h"
#include "ui/actions/action_table.h"
#include "ui/panels/motion_bar.h"
#include "ui/panels/player_bar.h"
#include "ui/panels/view_tabs.h"
#include "ui/render/motion_film.h"
#include "ui/render/motion_painter.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/motion_clock.h"

#include <QDialog>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QSlider>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <set>

namespace headlight::motion_window_test {

class MotionWindowTest : public WindowedTest {
    Q_OBJECT
private slots:
    void nothing_moves_by_itself() {
        open("scores");
        QVERIFY(!clock().is_on());
        QVERIFY(!test_->find<QSlider>("motion-slider")->isVisible());
        look("weights");
        QVERIFY(!clock().is_on() && !clock().is_playing());
        QVERIFY(!canvas().figure()->motion);
    }

    void its_action_starts_it_and_escape_ends_it() {
        open("scores");
        test_->document().looking().look_at(with_view(test_->document(), ViewKind::heatmap));
        test_->trigger("play_motion");
        QVERIFY(clock().is_on() && clock().is_playing());
        QCOMPARE(test_->document().view().view, ViewKind::stages);
        QVERIFY2(test_->message("notice").contains(QLatin1String("Stages is shown")),
                 qPrintable(test_->message("notice")));
        QTRY_VERIFY(test_->find<QSlider>("motion-slider")->isVisible());
        QVERIFY(canvas().figure()->motion.has_value());
        QTRY_VERIFY(clock().moment() > 0);
        QCOMPARE(QApplication::focusWidget(), test_->find("motion-play"));
        QTest::keyClick(&test_->window(), Qt::Key_Escape);
        QVERIFY(!clock().is_on() && !clock().is_playing());
        QVERIFY(!test_->find<QAction>("play_motion")->isChecked());
        QTRY_VERIFY(!test_->find<QSlider>("motion-slider")->isVisible());
        QVERIFY(!canvas().figure()->motion);
    }

    void the_space_bar_pauses_and_goes_on() {
        start("scores");
        QTest::keyClick(&test_->window(), Qt::Key_Space);
        QVERIFY(clock().is_playing());
        QTest::keyClick(&test_->window(), Qt::Key_Space);
        QVERIFY(!clock().is_playing());
        QVERIFY(!test_->window().findChild<PlayerBar*>()->is_playing());
    }

    void any_moment_can_be_dragged_to() {
        start("scores");
        auto* slider = test_->find<QSlider>("motion-slider");
        std::set<QString> said;
        for (const int moment : {slider->maximum() / 2, 3, slider->maximum(), 700}) {
            slider->setValue(moment);
            QCOMPARE(clock().moment(), static_cast<double>(moment) / slider->maximum());
            said.insert(slider->accessibleDescription());
            QCOMPARE(slider->accessibleDescription().toStdString(), clock().now().words);
        }
        QVERIFY(said.size() > 2);
        const QImage with_marks = canvas().grab().toImage();
        slider->setValue(slider->maximum());
        QVERIFY(canvas().grab().toImage() != with_marks);
    }

    void the_same_moment_looks_the_same_however_it_was_reached() {
        start("weights");
        clock().go_to(0.4);
        const QImage first = canvas().grab().toImage();
        for (const double moment : {0.9, 0.1, 1.0, 0.4})
            clock().go_to(moment);
        QCOMPARE(canvas().grab().toImage(), first);
    }

    void numbers_are_seen_as_they_come() {
        start("scores");
        const auto result = std::ssize(canvas().figure()->panels) - 1;
        const QRectF last = canvas().cell_rect(result, 2, 2);
        const QPoint inside = (last.topLeft() + QPointF(6, 6)).toPoint();
        clock().go_to(0.05);
        const QColor before = canvas().grab().toImage().pixelColor(inside);
        clock().go_to(1);
        QVERIFY(canvas().grab().toImage().pixelColor(inside) != before);
    }

    void right_and_left_lead_from_number_to_number() {
        start("scores");
        const std::string stage = test_->document().view().selection.stage;
        QTest::keyClick(&test_->window(), Qt::Key_Right);
        const double first = clock().moment();
        QVERIFY(first > 0);
        QTest::keyClick(&test_->window(), Qt::Key_Right);
        QVERIFY(clock().moment() > first);
        QTest::keyClick(&test_->window(), Qt::Key_Left);
        QCOMPARE(clock().moment(), first);
        QCOMPARE(test_->document().view().selection.stage, stage);
        QTest::keyClick(&test_->window(), Qt::Key_End);
        QCOMPARE(clock().moment(), 1.0);
        QTest::keyClick(&test_->window(), Qt::Key_Right);
        QVERIFY2(test_->document().view().selection.stage != stage, "the player goes on from the end");
        QCOMPARE(clock().moment(), 0.0);
    }

    void its_words_are_announced_while_stepping() {
        start("scores");
        canvas().window()->activateWindow();
        QTRY_VERIFY(canvas().hasFocus());
        const ScreenReader reader;
        for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Right, Qt::Key_Left}) {
            QTest::keyClick(&canvas(), key);
            const QString words = QString::fromStdString(clock().now().words);
            QCOMPARE(reader.last(QAccessible::NameChanged), words);
            QCOMPARE(reader.last(QAccessible::Focus), words);
        }
    }

    void its_ends_and_every_pause_are_announced() {
        start("scores");
        canvas().window()->activateWindow();
        QTRY_VERIFY(canvas().hasFocus());
        const ScreenReader reader;
        const auto words = [&] { return QString::fromStdString(clock().now().words); };
        for (const double moment : {1.0, 0.0}) {
            clock().go_to(moment);
            QCOMPARE(reader.last(QAccessible::NameChanged), words());
        }
        clock().play();
        clock().advance(400);
        QVERIFY(reader.last(QAccessible::NameChanged) != words());  // nobody could follow
        clock().pause();
        QCOMPARE(reader.last(QAccessible::NameChanged), words());
        // Another cell has its own words said, though the motion stands at an end.
        clock().go_to(1);
        QTest::keyClick(&canvas(), Qt::Key_Down);
        QVERIFY(reader.last(QAccessible::NameChanged) != words());
    }

    void every_control_says_the_moment() {
        start("scores");
        for (const double moment : {0.3, 1.0, 0.0}) {
            clock().go_to(moment);
            for (const char* id : {"motion-back", "motion-play", "motion-forward", "motion-slider"})
                QCOMPARE(test_->find(id)->accessibleDescription().toStdString(), clock().now().words);
        }
    }

    void its_time_has_room_in_the_type_of_a_projector() {
        start("scores");
        clock().go_to(1);
        const auto* time = test_->find<QLabel>("motion-time");
        const int width = time->width();
        test_->trigger("theme_projector");
        const auto needed = [&] { return time->fontMetrics().horizontalAdvance(time->text()); };
        QTRY_VERIFY2(needed() > width, "else there is nothing to see here");
        QTRY_VERIFY2(time->width() >= needed(), qPrintable(time->text()));
        QVERIFY(time->height() >= time->fontMetrics().height());
        test_->trigger("theme_light");
    }

    void it_stops_at_its_end_and_stays_there() {
        start("scores");
        clock().go_to(0.999);
        clock().play();
        QTRY_VERIFY(!clock().is_playing());
        QCOMPARE(clock().moment(), 1.0);
        QTest::qWait(1000);  // once it went on after 0.9 s
        QCOMPARE(clock().moment(), 1.0);
        QVERIFY(clock().is_on() && !clock().is_playing());
        QCOMPARE(test_->document().view().selection.stage, std::string("scores"));
        QCOMPARE(test_->find("motion-play")->accessibleName(), QStringLiteral("Play the motion"));
        clock().play();
        QVERIFY2(clock().moment() < 1, "from the beginning again");
        clock().set_on(false);
    }

    void the_time_line_keeps_its_place_while_the_same_is_shown() {
        start("scores");
        Selection other = test_->document().view().selection;
        other.query = 1 - std::min<Index>(other.query, 1);
        for (const double end : {0.0, 1.0}) {
            clock().go_to(end);
            other.key = 1 - std::min<Index>(other.key, 1);
            test_->document().looking().select(other);
            QCOMPARE(clock().moment(), end);
        }
        clock().go_to(0.5);
        other.feature += 1;  // that no cell of scores has
        test_->document().looking().select(other);
        QCOMPARE(clock().moment(), 0.5);
        other.key = 1 - std::min<Index>(other.key, 1);
        test_->document().looking().select(other);
        QCOMPARE(clock().moment(), clock().motion().chosen_moment());
        look("weights");
        QCOMPARE(clock().moment(), 0.0);
    }

    void of_motion_and_player_one_plays() {
        start("scores");
        auto* player = test_->window().findChild<PlayerBar*>();
        clock().play();
        player->play();
        QVERIFY(player->is_playing() && !clock().is_on());
        test_->trigger("play_motion");
        QVERIFY(clock().is_playing() && !player->is_playing());
        clock().set_on(false);
    }

    void another_view_or_another_text_ends_it() {
        start("scores");
        test_->document().looking().look_at(with_view(test_->document(), ViewKind::heatmap));
        QVERIFY(!clock().is_on());
        start("scores");
        Session other = test_->session();
        other.sequence.query_text = "a bank of the river";
        open_session(test_->document(), other);
        QVERIFY(!clock().is_on());
    }

    void reduced_motion_shows_done_numbers_alone() {
        test_->trigger("reduce_motion");
        start("scores");
        QVERIFY(clock().is_reduced());
        clock().pause();
        std::set<double> seen;
        for (int at = 0; at < 60 && clock().moment() < 1; ++at) {
            clock().advance(700);
            seen.insert(clock().moment());
            QCOMPARE(clock().motion().nearest_stop(clock().moment()), clock().moment());
            for (const MotionNumber& number : clock().now().numbers)
                QCOMPARE(number.way, 1.0);
        }
        QVERIFY2(seen.size() > 3, "it goes on, from number to number");
        test_->find<QSlider>("motion-slider")->setValue(333);
        QCOMPARE(clock().motion().nearest_stop(clock().moment()), clock().moment());
        test_->close();
        test_->start();
        QVERIFY2(clock().is_reduced(), "it is remembered");
        test_->trigger("reduce_motion");
        QVERIFY(!clock().is_reduced());
    }

    void a_frame_paints_all_that_changes_and_little_else_data() {
        QTest::addColumn<QByteArray>("stage");
        for (const char* stage : {"query", "scores", "scaled_scores", "exponentials", "weights", "context"})
            QTest::newRow(stage) << QByteArray(stage);
    }
    void a_frame_paints_all_that_changes_and_little_else() {
        QFETCH(QByteArray, stage);
        start(stage.constData());
        check_frames(canvas(), clock().motion());
    }

    void a_frame_of_a_map_paints_its_dots_and_little_else() {
        test_.reset();
        ModelWindow model;
        model.generate("translate-additive-gru", QStringLiteral("the cat is tired"));
        const FigureCanvas& map = model.show(ViewKind::map);
        MotionClock& clock = MotionClock::of(model.document());
        clock.set_on(true);
        check_frames(map, clock.motion());
    }

    void a_film_has_the_moments_of_the_window() {
        open("scores");
        const Document& document = test_->document();
        const auto still = exported(document, ViewKind::stages);
        const Motion motion(still, *document.run()->trace, document.view().selection);
        const FilmStrip film = motion_film(still, motion, 2);
        QCOMPARE(film.count, static_cast<std::size_t>(std::lround(2 * motion.seconds())) + 1);
        for (std::size_t at = 0; at < film.count; ++at) {
            const Figure figure = film.figure(at);
            QVERIFY(figure.motion);
            QVERIFY(*figure.motion ==
                    motion.at(static_cast<double>(at) / static_cast<double>(film.count - 1)));
            QVERIFY(figure.description.ends_with(figure.motion->words));
        }
        const QString path = test_->file(QStringLiteral("motion.gif"));
        const auto written =
            export_film(film, path.toStdString(), [](double) { return true; }, {.width = 400});
        QCOMPARE(QString::fromStdString(written.string()), path);
        QVERIFY(QFileInfo(path).size() > 0);
    }

    /// It is asked for without the line of the motion, which it brings.
    void its_film_is_exported_from_the_menu() {
        open("scores");
        test_->document().looking().look_at(with_view(test_->document(), ViewKind::heatmap));
        auto* action = test_->find<QAction>("export_motion");
        QVERIFY(test_->find<QMenu>("play_menu")->actions().contains(action));
        QVERIFY(action->isEnabled());
        bool was_asked = false;
        QTimer::singleShot(0, this, [&] {
            auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            was_asked = dialog->windowTitle() == QLatin1String("Export the film");
            dialog->reject();
        });
        action->trigger();
        QVERIFY(was_asked);
        QVERIFY2(clock().is_on() && !clock().is_playing(), "what the film has is seen");
        QCOMPARE(test_->document().view().view, ViewKind::stages);
        QTRY_VERIFY(test_->find("motion-export")->isVisible());

        const QString exports = action->text();
        bar().export_to(test_->file(QStringLiteral("menu.gif")));
        clock().set_on(false);
        QVERIFY2(action->isEnabled() && action->text().startsWith(QLatin1String("Cancel")),
                 "it gives the film up, also where the line is away");
        action->trigger();
        QCOMPARE(action->text(), exports);
    }

    void no_film_is_exported_where_nothing_moves() {
        open("tokens");
        const auto* action = test_->find<QAction>("export_motion");
        const auto* button = test_->find<QPushButton>("motion-export");
        QVERIFY(!action->isEnabled());
        QVERIFY2(action->toolTip().startsWith(QLatin1String("Nothing moves here")),
                 qPrintable(action->toolTip()));
        clock().set_on(true);
        QVERIFY(!action->isEnabled() && !button->isEnabled());
        QVERIFY2(action->toolTip().startsWith(QLatin1String("Nothing moves here")),
                 qPrintable(action->toolTip()));
        look("scores");
        QVERIFY(action->isEnabled() && button->isEnabled());
        QCOMPARE(action->toolTip(), QString::fromUtf8(action_row(QStringLiteral("export_motion"))->tip));
        clock().set_on(false);
    }

    void where_nothing_moves_the_words_say_so() {
        start("tokens");
        QVERIFY(clock().motion().is_empty());
        QVERIFY(!test_->find<QSlider>("motion-slider")->isEnabled());
        QVERIFY(clock().now().words.starts_with("Nothing moves here"));
    }

    void where_nothing_moves_its_action_is_off_and_says_why() {
        open("tokens");
        const auto* action = test_->find<QAction>("play_motion");
        QVERIFY(!action->isEnabled());
        QVERIFY2(action->toolTip().startsWith(QLatin1String("Nothing moves here")),
                 qPrintable(action->toolTip()));
        look("scores");
        QVERIFY(action->isEnabled());
        QVERIFY(!action->toolTip().contains(QLatin1String("Nothing moves here")));
        clock().set_on(true);
        look("tokens");
        QVERIFY2(clock().is_on() && action->isEnabled(), "it can be switched off");
        clock().set_on(false);
        QVERIFY(!action->isEnabled());
        test_->document().looking().look_at(with_view(test_->document(), ViewKind::heatmap));
        QVERIFY(action->isEnabled());
        QVERIFY2(action->toolTip().contains(QLatin1String("Heatmap stands still")),
                 qPrintable(action->toolTip()));
    }

private:
    void look(const char* stage) {
        ViewState view = with_view(test_->document(), ViewKind::stages);
        view.selection.stage = stage;
        test_->document().looking().look_at(view);
    }
    void open(const char* stage) {
        open_session(test_->document(), small_session("multi_head"));
        look(stage);
    }
    /// Switched on and not playing, at its beginning.
    void start(const char* stage) {
        open(stage);
        canvas().setFocus();  // a text would keep the keys
        clock().set_on(true);
        QVERIFY(clock().is_on());
    }
    /// One moment after another, each painted where it differs from the one before, are what they are alone.
    static void check_frames(const FigureCanvas& canvas, const Motion& motion) {
        QVERIFY(!motion.is_empty());
        const ShownFigure& shown = *canvas.shown();
        MotionPainter moving(shown.figure(), shown.layout(), shown.unit());
        const QRect all = canvas.rect();
        const auto paint = [&](QImage& onto, const MotionMoment& moment, const QRegion& where) {
            QPainter painter(&onto);
            painter.setClipRegion(where);
            painter.fillRect(all, Qt::white);
            paint_figure(painter, shown.figure(), shown.layout(), shown.unit());
            moving.paint(painter, moment);
        };
        MotionMoment before = motion.at(0);
        QImage frame(all.size(), QImage::Format_RGB32), whole = frame;
        paint(frame, before, all);
        double painted = 0;
        constexpr int frames = 40;
        for (int at = 1; at <= frames; ++at) {
            const MotionMoment now = motion.at(static_cast<double>(at) / frames);
            const QRegion changed = moving.between(before, now);
            for (const QRect& part : changed)
                painted += static_cast<double>(part.width()) * part.height();
            paint(frame, now, changed);
            paint(whole, now, all);
            QCOMPARE(frame, whole);
            before = now;
        }
        QVERIFY(painted < 0.7 * frames * all.width() * all.height());
        QVERIFY(moving.between(before, before).isEmpty());
    }
    MotionClock& clock() { return MotionClock::of(test_->document()); }
    MotionBar& bar() { return *test_->window().findChild<MotionBar*>(); }
    FigureCanvas& canvas() { return *test_->window().views().currentWidget()->findChild<FigureCanvas*>(); }
};

QTEST_MAIN(MotionWindowTest)

}  // namespace headlight::motion_window_test

#include "motion_window_test.moc"
