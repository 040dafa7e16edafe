// The picture has the room of the window, and nothing beside it is cut. Columns, messages and tabs are in
// window_columns_test.cpp, window_messages_test.cpp and window_tabs_test.cpp.

#include "core/figure/view.h"
#include "tests/ui/room_support.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QMenuBar>

#include <algorithm>

namespace headlight::window_room_test {

class WindowRoomTest : public RoomTest {
    Q_OBJECT
private slots:
    void the_view_has_most_of_the_window() {
        for (const View& shown : views()) {
            test_->document().looking().look_at(with_view(test_->document(), shown.kind));
            QTest::qWait(1);
            const QWidget* view = test_->window().views().currentWidget();
            const double share = area(view->size()) / area(test_->window().size());
            QVERIFY2(
                share >= 0.55,
                qPrintable(QStringLiteral("%1: %2").arg(QString::fromStdString(shown.title)).arg(share)));
        }
    }

    void nothing_is_cut_where_a_line_under_the_picture_appears() {
        Session session = example_session();
        session.sequence.query_text = "the cat sat on the mat";
        open_session(test_->document(), session);
        test_->document().looking().look_at(with_view(test_->document(), ViewKind::lines));
        QTest::qWait(1);
        auto* canvas = test_->window().views().currentWidget()->findChild<FigureCanvas*>();
        QVERIFY(!canvas->figure()->caption.empty());
        const QImage image = canvas->grab().toImage();
        for (int x = 1; x < image.width(); ++x)
            QVERIFY2(image.pixelColor(x, image.height() - 1) == image.pixelColor(0, image.height() - 1),
                     qPrintable(QString::number(x)));
    }

    void the_map_in_focus_of_the_worked_example_is_large() {
        Session session = example_session();
        session.view.view = ViewKind::stages;
        session.view.selection.stage = "weights";
        open_session(test_->document(), session);
        QTest::qWait(1);
        const FigureCanvas& canvas = this->canvas();
        const Figure& figure = *canvas.figure();
        const auto focus = std::ranges::find(figure.panels, true, &Panel::in_focus) - figure.panels.begin();
        const Panel& panel = figure.panels[static_cast<std::size_t>(focus)];
        const double width =
            canvas.cell_rect(focus, 0, panel.columns - 1).right() - canvas.cell_rect(focus, 0, 0).left();
        QVERIFY2(width >= 280, qPrintable(QString::number(width)));
    }

    void the_catalogue_ends_above_the_player() {
        for (const QSize size : {QSize(1280, 720), QSize(1024, 768)}) {
            test_->window().resize(size);
            settle();
            test_->trigger("choose_mechanism");
            const QWidget* popup = test_->find("mechanism_search")->window();
            QTRY_VERIFY(popup->isVisible());
            const QWidget* player = test_->find("player_bar");
            QVERIFY(popup->geometry().bottom() < player->mapToGlobal(QPoint()).y());
            QVERIFY(popup->height() >= 24 * popup->fontMetrics().lineSpacing());
            QTest::keyClick(test_->find("mechanism_search"), Qt::Key_Escape);
            QTRY_VERIFY(!popup->isVisible());
        }
    }

    void the_player_and_what_runs_share_a_line() {
        const auto row = [this](const char* id) {
            const QWidget* part = test_->find(id);
            return part->mapTo(&test_->window(), part->rect().center()).y();
        };
        QVERIFY(std::abs(row("player-play") - row("run_status")) <= 4);
        QVERIFY(test_->window().height() - row("player-play") < 32);
        QVERIFY(test_->find("player_bar")->height() <= 40);
    }

    void heads_offer_what_works() {
        test_->document().reset(small_session("multi_head"));  // on 16 numbers
        auto* field = test_->find<QDoubleSpinBox>("parameter_heads");
        QVERIFY2(field->toolTip().contains(QLatin1String("1, 2, 4, 8, 16")), qPrintable(field->toolTip()));
        for (const char* typed : {"7", "3", "64"}) {
            type_over(field, QLatin1String(typed));
            QTest::keyClick(field, Qt::Key_Return);
            QVERIFY2(!test_->document().error(), typed);
            const Index heads = test_->document().run()->plan->heads;
            QCOMPARE(Index(16) % heads, Index(0));
            QCOMPARE(field->value(), double(heads));
        }
    }

    void a_window_that_is_wider_than_the_text_says_so() {
        Session session = small_session("window");
        test_->document().reset(session);
        QVERIFY(!test_->find("nothing_left_out")->isVisible());
        session.sequence.query_text = "the river bank";
        test_->document().reset(session);
        const QString text = test_->find<QLabel>("nothing_left_out")->text();
        QVERIFY(test_->find("nothing_left_out")->isVisible());
        QVERIFY2(text.startsWith(QLatin1String("Nothing is left out of these 3 tokens")), qPrintable(text));
    }

    void weights_that_nobody_trained_are_marked_beside_the_picture_and_in_it() {
        const auto caption = [this] { return QString::fromStdString(test_->document().figure()->caption); };
        const QString note = QStringLiteral("Random weights, seed 1: see the shape, not the words");
        QVERIFY(!test_->find("random_weights")->isVisible() && !caption().contains(note));
        test_->document().reset(small_session("multi_head"));
        QVERIFY(test_->find("random_weights")->isVisible());
        QCOMPARE(test_->find<QLabel>("random_weights")->text(), note);
        QVERIFY(caption().startsWith(note));
        Session session = test_->session();
        session.origin = ParameterOrigin::identity;
        test_->document().edit({"Identity", session});
        QVERIFY(!test_->find("random_weights")->isVisible() && !caption().contains(note));
    }

    void the_whole_matrix_comes_back_wherever_the_focus_is() {
        Session session = small_session();
        session.sequence.query_text = long_text(30);
        session.view.view = ViewKind::heatmap;
        open_session(test_->document(), session);
        auto* text = test_->find("query_text");
        text->setFocus();
        QVERIFY(canvas().zoom_by(3, canvas().cell_rect(0, 15, 15).center()));
        QVERIFY(!canvas().zoom().is_whole());
        QTest::keyClick(text, Qt::Key_0, Qt::ControlModifier);
        QVERIFY(canvas().zoom().is_whole());
        QCOMPARE(test_->session().sequence.query_text, session.sequence.query_text);
    }

    void choices_of_the_text_are_not_cut() {
        for (const char* id : {"split", "vectors", "reduction"}) {
            const auto* combo = test_->find<QComboBox>(id);
            const int room = room_for_text(*combo);
            for (int row = 0; row < combo->count(); ++row)
                QVERIFY2(combo->fontMetrics().horizontalAdvance(combo->itemText(row)) <= room,
                         qPrintable(combo->itemText(row)));
        }
    }

    void full_screen_is_the_picture_and_the_player_alone() {
        test_->trigger("range_fitted");
        settle();
        const auto before = places(test_->window());
        for (const int back : {int(Qt::Key_Escape), int(Qt::Key_F11)}) {
            QTest::keyClick(&test_->window(), Qt::Key_F11);
            QVERIFY(test_->window().isFullScreen());
            QTest::qWait(1);
            const QWidget *player = test_->find("player_bar"), *views = &test_->window().views(),
                          *arithmetic = test_->find("arithmetic");
            const auto* messages = test_->window().findChild<MessageArea*>();
            QCOMPARE(test_->window().menuBar()->height(), 0);
            for (const QWidget* part : test_->window().findChildren<QWidget*>())
                if (part->isVisible() && !part->visibleRegion().isEmpty() &&
                    part != test_->window().menuBar())
                    QVERIFY2(player == part || player->isAncestorOf(part) || views == part ||
                                 arithmetic == part || views->isAncestorOf(part) ||
                                 part->isAncestorOf(views) || messages->isAncestorOf(part) ||
                                 part == messages,
                             qPrintable(part->objectName() + part->metaObject()->className()));
            // For some seconds it says how to come back, over neither the picture nor the player.
            QCOMPARE(test_->message("notice"), QStringLiteral("Esc or F11 leaves the full screen."));
            QVERIFY(arithmetic->isAncestorOf(messages) && test_->find("player-mode")->isEnabled());
            QVERIFY(!place_of_picture().intersects(place_in_window(*test_->find("notice"))));
            QVERIFY(!test_->find("view_tabs")->isVisible() && !test_->find("view_bar")->isVisible() &&
                    !test_->find("run_status")->isVisible());
            QVERIFY(views->width() >= test_->window().width() - 2);
            // Nothing else could have the focus: the picture has no frame.
            canvas().setFocus(Qt::TabFocusReason);
            const QImage picture = canvas().grab().toImage();
            QCOMPARE(picture.pixelColor(picture.width() / 2, 1), picture.pixelColor(0, 0));
            // The keys of the menus work on.
            QTest::keyClick(&test_->window(), Qt::Key_2, Qt::ControlModifier);
            QVERIFY(test_->session().view.view == ViewKind::heatmap);
            QTest::keyClick(&test_->window(), Qt::Key_1, Qt::ControlModifier);
            QTest::keyClick(&test_->window(), Qt::Key(back));
            QVERIFY(!test_->window().isFullScreen());
            QCOMPARE(test_->message("notice"), QString());
            QTRY_COMPARE(test_->window().size(), QSize(1280, 720));
            QTRY_COMPARE(moved(before, test_->window()), QString());
        }
    }

private:
    static double area(QSize size) { return double(size.width()) * size.height(); }
};

QTEST_MAIN(WindowRoomTest)

}  // namespace headlight::window_room_test

#include "window_room_test.moc"
