#include "core/figure/view.h"
#include "core/io/view_subject.h"
#include "tests/ui/room_support.h"
#include "ui/panels/fold_strip.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QToolButton>

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

    void colours_range_and_values_stand_at_the_end_of_the_tabs() {
        const QTabBar* tabs = test_->find<QTabBar>("view_tabs");
        const auto middle = [this](const QWidget* part) {
            return part->mapTo(&test_->window(), part->rect().center());
        };
        for (const char* id : {"colour_map", "colour_range", "weights_drawn"}) {
            const QWidget* control = test_->find(id);
            QVERIFY2(control->isVisible(), id);
            QCOMPARE(middle(control).x() > middle(tabs).x(), QGuiApplication::isLeftToRight());
            QVERIFY(std::abs(middle(control).y() - middle(tabs).y()) < tabs->height() / 2);
        }
    }

    void nothing_moves_when_a_message_appears() {
        const auto before = places(test_->window());
        emit test_->window().files().problem(Error({"open file", "x.csv", "numbers", "words"}));
        emit test_->window().files().notice(QStringLiteral("Saved."));
        QTest::qWait(1);
        QCOMPARE(moved(before, test_->window()), QString());
        // The newest stands in the player's line, the others after it. What it lies over cannot be used.
        for (const char* id : {"notice", "file_message"}) {
            QVERIFY2(shown_messages() == QStringList(QLatin1String(id)), id);
            const QRect place = place_in_window(*test_->find(id));
            QVERIFY2(place.height() > 20 && place.width() > 400, id);
            QVERIFY2(place_in_window(*test_->find("player_bar")).contains(place), id);
            QVERIFY2(!place.intersects(place_in_window(*test_->find("player-scrubber"))), id);
            QVERIFY(!test_->find("player-mode")->isEnabled());
            test_->find(id)->hide();
        }
        QCOMPARE(shown_messages(), QStringList());
        QVERIFY(test_->find("player-mode")->isEnabled());
    }

    void a_message_that_is_too_long_is_cut_after_whole_lines_and_can_be_read_whole() {
        const std::string path = "/home/somebody/" + std::string(400, 'x') + "/weights.npz";
        emit test_->window().files().problem(Error({"open file", path, "numbers", "words"}));
        const auto* label = test_->find("file_message")->findChild<QLabel*>();
        auto* whole = test_->find<QToolButton>("file_message_whole");
        QTRY_VERIFY(whole->isVisible());
        QTRY_COMPARE(label->height() % label->fontMetrics().lineSpacing(), 0);
        QTest::mouseClick(whole, Qt::LeftButton);
        const QWidget* popup = QApplication::activePopupWidget();
        QVERIFY(popup);
        const auto* all = popup->findChild<QLabel*>();
        QVERIFY(all->height() >= all->heightForWidth(all->width()));
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
        QVERIFY(!QApplication::activePopupWidget());
        emit test_->window().files().problem(Error({"open file", "x.csv", "numbers", "words"}));
        QTRY_VERIFY(!whole->isVisible());
    }

    void what_was_said_before_a_lesson_goes_with_it() {
        emit test_->window().files().problem(Error({"open file", "x.csv", "numbers", "words"}));
        emit test_->window().files().notice(QStringLiteral("Saved."));
        begin_first_lesson(*test_);
        QTRY_VERIFY(test_->find("lesson_text")->isVisible());
        QCOMPARE(shown_messages(), QStringList());
    }

    void the_message_that_is_said_last_is_shown() {
        const auto refuse = [this](const char* file) {
            emit test_->window().files().problem(Error({"open file", file, "numbers", "words"}));
        };
        refuse("x.csv");
        emit test_->window().files().notice(QStringLiteral("Saved."));
        QCOMPARE(shown_messages(), QStringList(QStringLiteral("notice")));
        refuse("y.csv");
        QCOMPARE(shown_messages(), QStringList(QStringLiteral("file_message")));
        QVERIFY(test_->message("file_message").contains(QLatin1String("y.csv")));
    }

    void messages_never_lie_over_a_picture() {
        Session session = small_session("self_attention");
        session.sequence.query_text = long_text(60);
        session.values["temperature"] = 100.0;  // every weight is about 1/60
        open_session(test_->document(), session);
        for (const View& shown : views()) {
            if (!missing_for(shown.kind, view_subject(test_->session())).empty())
                continue;
            test_->document().looking().look_at(with_view(test_->document(), shown.kind));
            settle();
            for (const bool is_noticed : {false, true}) {
                if (is_noticed)
                    emit test_->window().files().notice(QStringLiteral("Saved."));
                QVERIFY2(shown_messages().size() <= 1, shown.title.c_str());
                if (is_noticed)
                    QVERIFY2(shown_messages() == QStringList(QStringLiteral("notice")), shown.title.c_str());
                for (const QString& id : shown_messages())
                    QVERIFY2(!place_of_picture().intersects(place_in_window(*test_->find(qPrintable(id)))),
                             (shown.title + ", " + id.toStdString()).c_str());
            }
            test_->find("notice")->hide();
        }
    }

    void the_hint_about_small_weights_can_be_closed() {
        Session session = small_session("self_attention");
        session.sequence.query_text = long_text(60);
        session.values["temperature"] = 100.0;  // every weight is about 1/60
        open_session(test_->document(), session);
        const QWidget* hint = test_->find("scale_hint");
        QTRY_VERIFY(hint->isVisible());
        test_->click("scale_hint_dismiss");
        QVERIFY(!hint->isVisible());
        test_->document().looking().look_at(with_view(test_->document(), ViewKind::heatmap));
        session = test_->session();
        session.sequence.query_text += " again";
        test_->document().edit({"Type", session});
        QTRY_COMPARE(test_->document().run()->plan->queries, Index(61));
        QVERIFY(!hint->isVisible());
        session.mechanism = "multi_head";
        test_->document().edit({"Mechanism", session});
        QTRY_VERIFY(hint->isVisible());
    }

    void a_knob_that_is_refused_moves_nothing() {
        test_->document().reset(small_session("multi_head"));
        settle();
        const auto before = places(test_->window());
        Session session = test_->session();
        session.values["heads"] = Index(7);  // of 16 numbers
        test_->document().edit({"Heads", session});
        QVERIFY(test_->find("run_message")->isVisible());
        QTest::qWait(1);
        const auto now = places(test_->window());
        for (const char* id : {"player-play", "view_tabs", "player-scrubber", "inspector-bars", "mechanism"})
            QCOMPARE(now.at(QLatin1String(id)), before.at(QLatin1String(id)));
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

    void a_view_without_a_tab_is_in_a_menu() {
        auto* tabs = test_->find<QTabBar>("view_tabs");
        const auto look = [&] {
            QSet<QString> reached;
            for (int tab = 0; tab < tabs->count(); ++tab)
                if (tabs->isTabVisible(tab)) {
                    QVERIFY2(tabs->rect().contains(tabs->tabRect(tab)), qPrintable(tabs->tabText(tab)));
                    reached.insert(tabs->tabText(tab));
                }
            QVERIFY(tabs->isTabVisible(tabs->currentIndex()));
            QVERIFY(test_->find("more_views")->isVisible());
            QStringList offered;
            for (const QAction* action : offered_in_menu()) {
                QVERIFY2(!action->shortcut().isEmpty(), qPrintable(action->text()));
                offered.append(action->text().remove(u'&'));
            }
            // Of the main views those whose tabs have no room; all others, the current one among them.
            for (const View& each : views()) {
                const QString title = QString::fromStdString(each.title);
                QVERIFY2(reached.contains(title) || offered.contains(title), each.title.c_str());
                QVERIFY2(offered.count(title) == (each.is_main && reached.contains(title) ? 0 : 1),
                         each.title.c_str());
            }
            for (const QToolButton* arrow : tabs->findChildren<QToolButton*>())
                QVERIFY(!arrow->isVisible());
        };
        small_screen();
        look();
        for (const View& each : views()) {
            auto* action =
                test_->find<QAction>(qPrintable(QStringLiteral("view_%1").arg(number_of(each) + 1)));
            if (!action->isEnabled())
                continue;
            action->trigger();
            settle();
            QCOMPARE(tabs->tabText(tabs->currentIndex()), QString::fromStdString(each.title));
            QVERIFY(action->isChecked());
            look();
        }
        for (const char* theme : {"theme_projector", "theme_light"}) {
            test_->trigger(theme);
            settle();
            look();
        }
        test_->window().resize(800, 600);
        settle();
        look();
    }

    /// Stages, Heatmap, Heads, Steps and Map, and where one is.
    void five_tabs_are_always_there_and_a_sixth_while_another_view_is_shown() {
        const auto* tabs = test_->find<QTabBar>("view_tabs");
        const auto shown = [tabs] {
            QStringList titles;
            for (int tab = 0; tab < tabs->count(); ++tab)
                if (tabs->isTabVisible(tab))
                    titles.append(tabs->tabText(tab));
            return titles;
        };
        QStringList main_titles;
        for (const View& each : views())
            if (each.is_main)
                main_titles.append(QString::fromStdString(each.title));
        QCOMPARE(main_titles.size(), 5);
        test_->window().resize(1900, 720);
        settle();
        for (const View& each : views()) {
            if (!missing_for(each.kind, view_subject(test_->session())).empty())
                continue;
            test_->document().looking().look_at(with_view(test_->document(), each.kind));
            settle();
            QStringList wanted = main_titles;
            if (!each.is_main)
                wanted.append(QString::fromStdString(each.title));
            QCOMPARE(shown(), wanted);
            QCOMPARE(tabs->tabText(tabs->currentIndex()), QString::fromStdString(each.title));
            QVERIFY(test_->find("more_views")->isVisible());
        }
        // A click on one of the five takes the sixth away.
        test_->document().looking().look_at(with_view(test_->document(), ViewKind::lines));
        settle();
        QTest::mouseClick(test_->find("view_tabs"), Qt::LeftButton, {}, tabs->tabRect(1).center());
        settle();
        QCOMPARE(test_->session().view.view, ViewKind::heatmap);
        QCOMPARE(shown(), main_titles);
    }

    void views_without_a_tab_stand_in_groups() {
        test_->window().resize(1900, 720);
        settle();
        const QList<QAction*> all = test_->find<QToolButton>("more_views")->menu()->actions();
        QVERIFY(!all.front()->isSeparator() && !all.back()->isSeparator());
        // By the order of their keys: maps, every head at once, tokens and their numbers.
        QCOMPARE(std::ranges::count_if(all, &QAction::isSeparator), std::ptrdiff_t(2));
        for (const View& each : views())
            if (!each.is_main)
                QVERIFY2(all.contains(test_->find<QAction>(
                             qPrintable(QStringLiteral("view_%1").arg(number_of(each) + 1)))),
                         each.title.c_str());
    }

    void what_stands_beside_the_tabs_gives_way_before_any_of_the_five() {
        const auto* tabs = test_->find<QTabBar>("view_tabs");
        const auto main_tabs = [tabs] {
            int shown = 0;
            for (int tab = 0; tab < 5; ++tab)
                shown += tabs->isTabVisible(tab);
            return shown;
        };
        const auto beside = [this] {
            QStringList shown;
            for (const char* id : {"colour_map", "colour_range", "weights_drawn", "values_shown"})
                if (test_->find(id)->isVisible())
                    shown += QLatin1String(id);
            return shown;
        };
        test_->window().resize(1900, 720);
        settle();
        const QStringList all = beside();
        QCOMPARE(all.size(), 4);
        for (const int width : {1400, 1280, 1160, 1024, 900, 1900}) {
            test_->window().resize(width, 768);
            settle();
            const QString where = QString::number(width);
            // The last one goes first, and none before it must.
            QCOMPARE(beside(), all.first(beside().size()));
            QVERIFY2(main_tabs() == 5 || beside().isEmpty(), qPrintable(where));
            QVERIFY2(width < 1024 || main_tabs() == 5, qPrintable(where));
            QVERIFY2(width < 1024 || beside().contains(QStringLiteral("colour_map")), qPrintable(where));
            QVERIFY(test_->find("more_views")->isVisible());
        }
        QCOMPARE(beside(), all);
        // What has no button here has its place in a menu, with its key.
        test_->window().resize(900, 768);
        settle();
        QVERIFY(!test_->find("values_shown")->isVisible());
        const bool before = test_->session().figure.values_in_cells;
        QVERIFY(test_->find<QAction>("values_in_cells")->isVisible());
        test_->trigger("values_in_cells");
        QCOMPARE(test_->session().figure.values_in_cells, !before);
    }

    void a_narrow_window_has_a_tab_that_can_be_read() {
        for (const char* theme : {"theme_light", "theme_projector"}) {
            test_->trigger(theme);
            test_->window().resize(800, 600);
            settle();
            const auto* tabs = test_->find<QTabBar>("view_tabs");
            const QRect tab = tabs->tabRect(tabs->currentIndex());
            QVERIFY2(
                tab.width() >= tabs->fontMetrics().horizontalAdvance(tabs->tabText(tabs->currentIndex())) &&
                    tabs->rect().contains(tab) && tabs->visibleRegion().contains(tab),
                qPrintable(QStringLiteral("%1: %2 of %3").arg(theme).arg(tabs->width()).arg(tab.width())));
            QVERIFY(test_->find("more_views")->isVisible());
        }
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

    void a_maximised_window_is_maximised_at_the_next_start() {
        test_->window().showMaximized();
        test_->trigger("only_picture");
        test_->trigger("only_picture");
        QVERIFY(test_->window().isMaximized());
        test_->close();
        test_->start();
        QVERIFY(test_->window().isMaximized());
    }

private:
    QRect place_in_window(const QWidget& part) {
        return {part.mapTo(&test_->window(), QPoint()), part.size()};
    }
    QRect place_of_picture() {
        const QWidget* picture = test_->window().views().picture();
        return place_in_window(picture->isVisible() ? *picture : test_->window().views());
    }
    /// By name, the messages that can be seen.
    QStringList shown_messages() {
        QStringList names;
        for (const char* id : {"file_message", "run_message", "notice", "font_hint", "scale_hint"})
            if (test_->find(id)->isVisible())
                names << QLatin1String(id);
        return names;
    }
    QList<QAction*> offered_in_menu() {
        QList<QAction*> offered = test_->find<QToolButton>("more_views")->menu()->actions();
        offered.removeIf([](const QAction* action) { return action->isSeparator(); });
        return offered;
    }
    static qsizetype number_of(const View& view) { return &view - views().data(); }
    static double area(QSize size) { return double(size.width()) * size.height(); }
};

QTEST_MAIN(WindowRoomTest)

}  // namespace headlight::window_room_test

#include "window_room_test.moc"
