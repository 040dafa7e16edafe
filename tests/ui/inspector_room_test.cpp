// What stands beside the picture: the formula, the arithmetic, the row and the notes, each once and whole.

#include "core/io/first_example.h"
#include "core/io/view_subject.h"
#include "tests/ui/room_support.h"
#include "ui/render/subscripts.h"
#include "ui/views/formula_view.h"
#include "ui/views/row_bars.h"

#include <QAbstractButton>
#include <QAction>
#include <QLabel>

#include <algorithm>

namespace headlight::inspector_room_test {

class InspectorRoomTest : public RoomTest {
    Q_OBJECT
private slots:
    void the_formula_and_the_arithmetic_are_on_screen_once() {
        for (const View& shown : views()) {
            test_->document().looking().look_at(with_view(test_->document(), shown.kind));
            QTest::qWait(1);
            int formulas = 0;
            for (const FormulaView* formula : test_->window().findChildren<FormulaView*>())
                formulas += formula->isVisible();
            QVERIFY2(formulas <= 1, shown.title.c_str());
        }
        test_->trigger("view_1");
        auto* line = test_->find<QLabel>("arithmetic");
        point_at_a_cell();
        QVERIFY(test_->find("inspector-arithmetic")->isVisible());
        QVERIFY(!line->isVisible());
        test_->trigger("fold_right");
        QTest::qWait(1);
        point_at_a_cell();
        QVERIFY(!test_->find("inspector-arithmetic")->isVisible());
        QVERIFY(line->isVisible() && line->text().contains(QLatin1String("weight")));
        // Below the picture, and no picture moves when the pointer has gone.
        const auto before = places(test_->window());
        const QWidget& views = test_->window().views();
        QVERIFY(line->mapTo(&test_->window(), QPoint()).y() >=
                views.mapTo(&test_->window(), views.rect().bottomLeft()).y());
        QTest::mouseMove(test_->find("player-play"));
        QTest::qWait(1);
        QCOMPARE(moved(before, test_->window()), QString());
    }

    void what_to_know_stands_beside_the_picture_without_scrolling() {
        test_->window().setUpdatesEnabled(false);  // where they lie is asked, of hundreds: none is painted
        std::size_t number = 0;
        for (const Mechanism& mechanism : mechanisms()) {
            const bool in_full_too = test::has_turn(number++, 3);
            Session session = small_session(mechanism.id);
            session.sequence.query_text = mechanism.example.query;
            session.sequence.key_text = mechanism.example.key;
            session.values = mechanism.example.values;
            test_->document().reset(session);
            QTest::qWait(1);
            auto* more = test_->find<QAbstractButton>("notes_more");
            for (const bool whole : {false, true}) {
                if (whole && (!more->isVisible() || !in_full_too))
                    continue;
                more->setChecked(whole);
                const auto shows = [this](const char* id, const std::string& words) {
                    return test_->find<QLabel>(id)->text().endsWith(
                        html_with_subscripts(QString::fromStdString(words)).right(12));
                };
                if (whole || !more->isVisible())
                    QVERIFY2(shows("mechanism_look_for", mechanism.example.look_for) &&
                                 (mechanism.correction.empty() ||
                                  shows("mechanism_correction", mechanism.correction)),
                             mechanism.id.c_str());
                for (const char* id : {"mechanism_look_for", "mechanism_correction", "mechanism_related"}) {
                    const auto* label = test_->find<QLabel>(id);
                    const bool is_empty = QLatin1String(id) == QLatin1String("mechanism_correction") &&
                                          mechanism.correction.empty();
                    QCOMPARE(label->isVisible(), !is_empty);
                    if (is_empty)
                        continue;
                    QTRY_VERIFY2(
                        label->visibleRegion().boundingRect() == label->rect(),
                        qPrintable(QStringLiteral("%1 of %2").arg(QLatin1String(id), mechanism.id.c_str())));
                    QTRY_VERIFY(label->height() >= label->heightForWidth(label->width()));
                }
                // And the arithmetic keeps its room: all but a quarter of the column, where nobody asked for
                // all of the notes.
                const QWidget *notes = test_->find("mechanism_notes"), *dock = test_->find("inspector_dock");
                QTRY_VERIFY2(whole || notes->height() < dock->height() / 4, mechanism.id.c_str());
            }
            more->setChecked(false);
        }
    }

    void notes_take_the_room_that_a_high_column_has_and_keep_it() {
        const Mechanism& mechanism = *find_mechanism("scaled_dot_product");
        Session session = small_session(mechanism.id);
        session.sequence.query_text = mechanism.example.query;
        test_->document().reset(session);
        const auto is_whole = [&] {
            return test_->find<QLabel>("mechanism_correction")
                ->text()
                .endsWith(html_with_subscripts(QString::fromStdString(mechanism.correction)).right(12));
        };
        QTRY_VERIFY(!is_whole());
        test_->window().resize(1280, 1800);
        QTRY_VERIFY(is_whole());
        settle();
        const QRect before = place_in_window(*test_->find("mechanism_notes"));
        for (Index panel = 0; panel < std::ssize(canvas().figure()->panels); ++panel) {
            const QPoint cell = canvas().cell_rect(panel, 1, 1).center().toPoint();
            QTest::mouseMove(&canvas(), cell + QPoint(1, 1));
            QTest::mouseMove(&canvas(), cell);
            QTest::qWait(1);
            QCOMPARE(place_in_window(*test_->find("mechanism_notes")), before);
        }
        test_->window().resize(1280, 720);
        QTRY_VERIFY(!is_whole());
    }

    void the_arithmetic_of_the_first_example_and_the_notes_are_seen_whole() {
        test_->start_for_the_first_time();
        QTRY_VERIFY(test_->document().run() && !test_->document().is_running());
        small_screen();
        for (int stage = 0; stage < 6; ++stage) {
            const Figure& figure = *canvas().figure();
            for (Index panel = 0; panel < std::ssize(figure.panels); ++panel) {
                const QPoint cell = canvas().cell_rect(panel, 1, 1).center().toPoint();
                QTest::mouseMove(&canvas(), cell + QPoint(1, 1));
                QTest::mouseMove(&canvas(), cell);
                settle();
                const QString where = QStringLiteral("panel %1 of stage %2").arg(panel).arg(stage);
                QVERIFY2(test_->find("inspector-heading")->isVisible(), qPrintable(where));
                for (const char* id : {"inspector-arithmetic", "mechanism_correction", "mechanism_related"}) {
                    const QWidget* part = test_->find(id);
                    QVERIFY2(part->visibleRegion().boundingRect() == part->rect() || !part->isVisible(),
                             qPrintable(QStringLiteral("%1 at %2").arg(QLatin1String(id), where)));
                }
                QVERIFY(test_->find("mechanism_correction")->isVisible());
            }
            QTest::keyClick(&canvas(), Qt::Key_Right);
        }
    }

    void bars_of_a_row_are_in_sight_before_anybody_scrolls() {
        small_screen();
        for (const int words : {12, 300}) {
            Session session = small_session("multi_head");
            session.sequence.query_text.clear();
            for (int word = 0; word < words; ++word)
                session.sequence.query_text += "word" + std::to_string(word) + " ";
            session.view.view = ViewKind::heatmap;
            session.view.selection = {"", "weights", 0, 8, words - 2, 0};
            test_->document().reset(session);
            QTRY_VERIFY(test_->document().run() && !test_->document().is_running());
            settle();
            const auto* bars = test_->find<RowBars>("inspector-bars");
            const QRect seen = bars->visibleRegion().boundingRect();
            QVERIFY(seen.height() >= 5 * bars->bar_height());
            QTRY_VERIFY(bars->visibleRegion().boundingRect().contains(bars->marked_rect().center()));
            // And the arithmetic is whole under them.
            const QWidget* arithmetic = test_->find("inspector-arithmetic");
            QTRY_COMPARE(arithmetic->visibleRegion().boundingRect().height(), arithmetic->height());
        }
    }

    void a_row_of_eight_words_is_not_scrolled_in_itself() {
        for (const QSize size : {QSize(1280, 720), QSize(1024, 740)})
            for (const int words : {6, 8}) {
                test_->window().resize(size);
                Session session = small_session("scaled_dot_product");
                session.sequence.query_text = long_text(words);
                session.view.view = ViewKind::heatmap;
                session.view.selection = {"", "weights", 0, 2, 1, 0};
                test_->document().reset(session);
                QTRY_VERIFY(test_->document().run() && !test_->document().is_running());
                settle();
                const auto* bars = test_->find<RowBars>("inspector-bars");
                QTRY_COMPARE(bars->height(), words * bars->bar_height());
                QTRY_COMPARE(bars->parentWidget()->height(), bars->height());
                // What has no room is a scroll of the whole panel away, and the notes stay beside it.
                const QWidget* note = test_->find("mechanism_correction");
                QTRY_COMPARE(note->visibleRegion().boundingRect(), note->rect());
            }
    }

    void without_the_notes_the_arithmetic_is_whole() {
        test_->document().reset(first_example());
        Selection cell = test_->session().view.selection;
        cell.stage = "weights";
        cell.key = 0;
        test_->document().looking().select(cell);
        auto* toggle = test_->find<QAction>("show_notes");
        QVERIFY(toggle->isChecked() && test_->find("mechanism_notes")->isVisible());
        settle();
        const auto before = places(test_->window());
        toggle->trigger();
        settle();
        QVERIFY(!test_->find("mechanism_notes")->isVisible());
        for (const char* id : {"inspector-arithmetic", "inspector-bars"}) {
            const QWidget* part = test_->find(id);
            QTRY_COMPARE(part->visibleRegion().boundingRect(), part->rect());
        }
        const auto now = places(test_->window());
        for (const char* id : {"view_tabs", "inspector_dock", "player-play"})
            QCOMPARE(now.at(QLatin1String(id)), before.at(QLatin1String(id)));
        QCOMPARE(now.at(QStringLiteral("inspector-heading")).topLeft(),
                 before.at(QStringLiteral("inspector-heading")).topLeft());
        test_->close();
        test_->start();
        QVERIFY(!test_->find("mechanism_notes")->isVisible());
        toggle = test_->find<QAction>("show_notes");
        toggle->trigger();
        QVERIFY(test_->find("mechanism_notes")->isVisible());
    }

    void links_of_the_notes_can_be_read_in_every_theme() {
        auto* related = test_->find<QLabel>("mechanism_related");
        QTRY_VERIFY(related->isVisible() && related->height() > 0);
        const auto contrast = [related] {
            // Title and links alike, by what lies furthest from the ground: each line of links has its own.
            const QImage image = related->grab().toImage();
            const int ground = qGray(image.pixel(image.width() - 1, 0));
            int furthest = 0;
            for (int y = image.height() * 3 / 4; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    furthest = std::max(furthest, std::abs(qGray(image.pixel(x, y)) - ground));
            return furthest;
        };
        for (const char* theme : {"theme_light", "theme_dark", "theme_projector", "theme_light"}) {
            // Put away meanwhile, they have missed the change.
            test_->trigger("show_notes");
            test_->trigger(theme);
            test_->trigger("show_notes");
            settle();
            QVERIFY2(contrast() > 100, theme);
        }
    }

    void what_to_look_for_does_not_speak_of_other_words() {
        const Mechanism& mechanism = *find_mechanism("scaled_dot_product");
        Session session = small_session(mechanism.id);
        session.sequence.query_text = mechanism.example.query;
        test_->document().reset(session);
        const auto* note = test_->find<QLabel>("mechanism_look_for");
        QVERIFY(note->isVisible() && note->text().contains(QStringLiteral("What to look for:")));
        session.sequence.query_text = "words of somebody else";
        test_->document().edit({"Type", session});
        QVERIFY(!note->isVisible());
    }
};

QTEST_MAIN(InspectorRoomTest)

}  // namespace headlight::inspector_room_test

#include "inspector_room_test.moc"
