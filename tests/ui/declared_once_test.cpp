// A view, a file format, a theme, a panel, a dialog and an entry of a menu are declared once: what a test
// file declares is found wherever these are.

#include "tests/support/declared.h"
#include "tests/ui/views_support.h"
#include "tests/ui/windowed_test.h"
#include "ui/actions/actions.h"
#include "ui/actions/context_menu.h"
#include "ui/actions/shortcuts.h"
#include "ui/models/command_model.h"
#include "ui/panels/dialog_table.h"
#include "ui/panels/dock_table.h"
#include "ui/panels/export_dialog.h"
#include "ui/panels/side_panels.h"
#include "ui/panels/view_tabs.h"
#include "ui/panels/window_dialogs.h"
#include "ui/render/figure_style.h"
#include "ui/views/figure_canvas.h"

#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QSet>
#include <QTabBar>
#include <QTreeView>

#include <utility>

namespace headlight::declared_once_test {

using namespace headlight::samples;

class DeclaredOnceTest : public WindowedTest {
    Q_OBJECT
private slots:
    void initTestCase() {
        add_view(declared_view());
        add_exporter(declared_exporter());
        sepia_ = add_theme_row(declared_theme());
        add_action_row({"say_hello", "help_menu", "Sa&y hello", "Says hello to whoever looks", "Ctrl+Shift+H",
                        "Nobody looks"});
        add_action_row({"measure_cell", "over_cell", "Mea&sure %1", "Measures %1 with a ruler"});
        add_action_row({"open_sayings", "help_menu", "Say&ings…", "Opens what was said"});
        add_dialog_row({"open_sayings", [](WindowDialogs& dialogs) {
                            auto* said = new QDialog(dialogs.window());
                            said->setObjectName(QStringLiteral("sayings"));
                            return said;
                        }});
        add_action_row({"open_note", "help_menu", "N&ote…", "Opens a note that goes when it is closed"});
        add_dialog_row({"open_note",
                        [](WindowDialogs& dialogs) {
                            auto* note = new QDialog(dialogs.window());
                            note->setAttribute(Qt::WA_DeleteOnClose);
                            note->setObjectName(QStringLiteral("note"));
                            return note;
                        },
                        [](WindowDialogs&, QWidget& note) { static_cast<QDialog&>(note).open(); }});
        add_action_row({"refuse_dialog", "help_menu", "Ref&use…", "Opens nothing, for there is nothing"});
        add_dialog_row({"refuse_dialog", [](WindowDialogs&) { return nullptr; },
                        [](WindowDialogs&, QWidget&) { QFAIL("there is none"); }});
        add_dock_row({"sayings_dock", "Sayings", DockRow::Place::lower_left, true, [](SidePanels& panels) {
                          const std::string& text = panels.document().session().sequence.query_text;
                          return new QLabel(QString::fromStdString(text));
                      }});
    }
    void a_view_has_a_tab_an_entry_a_key_and_a_player() {
        ViewTabs& tabs = test_->window().views();
        const int tab = int(views().size()) - 1;
        QCOMPARE(tabs.tabText(tab), QStringLiteral("Diagonal"));
        QCOMPARE(tabs.tabToolTip(tab), QStringLiteral("What each token gives to itself (Ctrl+Alt+6)"));
        auto* action = test_->find<QAction>("view_15");
        QCOMPARE(action->text(), QStringLiteral("Diagonal"));
        QTest::keyClick(&test_->window(), Qt::Key_6, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(test_->session().view.view, diagonal);
        QVERIFY(action->isChecked());
        QCOMPARE(tabs.currentIndex(), tab);
        const auto* canvas = qobject_cast<FigureCanvas*>(tabs.view(diagonal)->focusProxy());
        QVERIFY(canvas->figure());
        QCOMPARE(canvas->figure()->title, std::string("The diagonal"));
        QVERIFY(canvas->place_at(canvas->cell_rect(0, 1, 1).center()));  // hit
        QCOMPARE(test_->find<QComboBox>("player-mode")->currentText(), QStringLiteral("By stage"));
    }

    void a_view_that_lacks_something_is_off_and_says_why() {
        test_->trigger("example_picture");
        const int tab = int(views().size()) - 1;
        QTRY_VERIFY(!test_->window().views().isTabEnabled(tab));
        QVERIFY(!test_->find<QAction>("view_15")->isEnabled());
        QCOMPARE(test_->window().views().tabToolTip(tab), QStringLiteral("Words alone have a diagonal"));
    }

    void a_session_keeps_the_view() {
        Session session = small_session();
        session.view.view = diagonal;
        QCOMPARE(parse_session(write_session(session)).view.view, diagonal);
    }

    void a_view_and_a_format_are_in_the_export_dialog() {
        test_->trigger("file_export");
        auto* dialog = test_->find<ExportDialog>("export_dialog");
        QVERIFY(dialog);
        QVERIFY(dialog->findChild<QComboBox*>("export_view")->findText(QStringLiteral("Diagonal")) >= 0);
        auto* formats = dialog->findChild<QComboBox*>("export_format");
        QVERIFY(formats->findText(QStringLiteral("Words, for reading aloud")) >= 0);
        QVERIFY(formats->toolTip().contains(QLatin1String("Words are the description")));
        dialog->reject();
    }

    void a_theme_is_in_the_menu_and_drawn() {
        const auto* entry = test_->find<QAction>("theme_sepia");
        QVERIFY(test_->find<QMenu>("theme_menu")->actions().contains(entry));
        QCOMPARE(entry->text(), QStringLiteral("&Sepia"));
        QCOMPARE(entry->toolTip(), QStringLiteral("Brown on cream"));
        Document& document = test_->document();
        document.looking().look_at(in_view(document.view(), diagonal));
        test_->trigger("theme_sepia");
        QVERIFY(entry->isChecked());
        QVERIFY(!test_->find<QAction>("theme_light")->isChecked());
        QVERIFY(test_->session().view.theme == sepia_);
        QVERIFY(parse_session(write_session(test_->session())).view.theme == sepia_);

        const QColor window("#efe3c8"), ground("#f4ecd8"), text("#3b2a1a");
        QCOMPARE(test_->window().palette().color(QPalette::Window), window);
        QCOMPARE(test_->find("player-label")->font().pointSizeF(), 11.0);
        const FigureStyle& style = figure_style(sepia_);
        QCOMPARE(style.text, text);
        QCOMPARE(style.label, 9.25);
        auto* canvas = qobject_cast<FigureCanvas*>(test_->window().views().view(diagonal)->focusProxy());
        QVERIFY(canvas);
        QTRY_VERIFY(canvas->figure() && canvas->figure()->theme == sepia_);
        QTRY_COMPARE(canvas->grab().toImage().pixelColor(6, canvas->height() - 7), ground);
        test_->trigger("theme_light");
    }

    void a_theme_is_in_the_export_dialog() {
        test_->trigger("file_export");
        auto* dialog = test_->find<ExportDialog>("export_dialog");
        QVERIFY(dialog);
        QVERIFY(dialog->findChild<QComboBox*>("export_theme")->findText(QStringLiteral("Sepia")) >= 0);
        dialog->reject();
    }

    /// The key of the projector leads there, and back to a theme that a file has declared.
    void the_projector_leads_back_to_a_theme() {
        test_->trigger("theme_sepia");
        for (const FigureTheme led_to : {FigureTheme::projector, sepia_}) {
            QTest::keyClick(&test_->window(), Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
            QVERIFY(test_->session().view.theme == led_to);
        }
        test_->trigger("theme_light");
    }

    void a_panel_has_a_dock_and_an_entry() {
        auto* dock = test_->find<QDockWidget>("sayings_dock");
        QVERIFY(dock);
        QCOMPARE(dock->windowTitle(), QStringLiteral("Sayings"));
        QVERIFY(qobject_cast<QLabel*>(dock->widget()));
        QCOMPARE(test_->window().dockWidgetArea(dock), Qt::LeftDockWidgetArea);
        QVERIFY(test_->window().tabifiedDockWidgets(dock).contains(test_->find<QDockWidget>("model_dock")));
        auto* entry = test_->find<QAction>("show_sayings_dock");
        QCOMPARE(entry->text(), QStringLiteral("Sayings"));
        QVERIFY(test_->find<QMenu>("panels_menu")->actions().contains(entry));
        for (const bool is_hidden : {true, false}) {
            entry->trigger();
            QCOMPARE(dock->isHidden(), is_hidden);
        }
        // With the others of its column it makes way for the picture, and comes back.
        for (const bool is_hidden : {true, false}) {
            test_->trigger("fold_left");
            QCOMPARE(dock->isHidden(), is_hidden);
        }
    }

    void a_dialog_is_made_once_and_opened_by_its_action() {
        QVERIFY2(!test_->find("sayings"), "nobody has asked for it");
        for (int time = 0; time < 2; ++time) {
            test_->trigger("open_sayings");
            QTRY_VERIFY(test_->find("sayings")->isVisible());
            QCOMPARE(test_->window().findChildren<QDialog*>(QStringLiteral("sayings")).size(), 1);
            test_->find<QDialog>("sayings")->reject();
            QVERIFY(!test_->find("sayings")->isVisible());
        }
    }

    void a_dialog_that_goes_when_it_is_closed_is_made_again() {
        for (int time = 0; time < 3; ++time) {
            test_->trigger("open_note");
            QDialog* note = nullptr;
            for (QDialog* each : test_->window().findChildren<QDialog*>(QStringLiteral("note")))
                if (each->isVisible()) {
                    QVERIFY2(!note, "one is enough");
                    note = each;
                }
            QVERIFY(note);
            note->reject();
            if (time == 0)  // asked for at once, or when it has gone
                QTRY_VERIFY(!test_->find("note"));
        }
        QTRY_VERIFY(!test_->find("note"));
    }

    void a_dialog_that_there_is_none_of_is_not_opened() {
        const auto before = test_->window().findChildren<QDialog*>().size();
        test_->trigger("refuse_dialog");
        QCOMPARE(test_->window().findChildren<QDialog*>().size(), before);
    }

    /// Each row has an action of its own. The pictures of the catalogue are one dialog for several entries,
    /// and that of levels follows the view.
    void what_the_menus_open_are_rows() {
        QSet<QString> ids;
        for (const DialogRow& row : dialog_rows()) {
            const QString id = QLatin1String(row.action);
            QVERIFY2(action_row(id), row.action);
            QVERIFY2(!ids.contains(id), row.action);
            ids.insert(id);
        }
        for (const char* id :
             {"file_export", "file_print", "find_command", "change_keys", "begin_lesson_editor",
              "lesson_change", "begin_quiz_before", "begin_quiz_after", "lesson_quiz_before",
              "lesson_quiz_after", "begin_progress", "edit_mask_action", "train_model", "show_cost",
              "help_keyboard", "help_about"})
            QVERIFY2(ids.contains(QLatin1String(id)), id);
    }

    void an_entry_of_a_menu_over_a_thing_says_what_it_is_about() {
        ContextMenu menu(QStringLiteral("over_cell"));
        const QAction& measure = menu.offer(QStringLiteral("measure_cell"), {QStringLiteral("“bank”")});
        QCOMPARE(measure.text(), QStringLiteral("Mea&sure “bank”"));
        QCOMPARE(measure.toolTip(), QStringLiteral("Measures “bank” with a ruler"));
        QVERIFY(menu.actions().contains(&measure));
        QVERIFY(!test_->find<QAction>("measure_cell"));
    }

    void an_entry_of_a_menu_has_its_key_its_help_and_can_be_found() {
        int said = 0;
        test_->window().findChild<Actions*>()->bind(QStringLiteral("say_hello"), this, [&said] { ++said; });
        auto* action = test_->find<QAction>("say_hello");
        QVERIFY(test_->find<QMenu>("help_menu")->actions().contains(action));
        QTest::keyClick(&test_->window(), Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(said, 1);
        QVERIFY(shortcuts_html().contains(QLatin1String("Says hello to whoever looks")));
        action->setEnabled(false);
        QCOMPARE(action->toolTip(), QStringLiteral("Nobody looks"));
        action->setEnabled(true);
        QCOMPARE(action->toolTip(), QStringLiteral("Says hello to whoever looks"));
        const std::pair<const char*, const char*> lists[] = {{"find_command", "command_rows"},
                                                             {"change_keys", "keys_rows"}};
        for (const auto& [opens, list] : lists) {
            test_->trigger(opens);
            auto* rows = test_->find<QTreeView>(list);
            QVERIFY(rows);
            const auto& commands = *qobject_cast<const CommandModel*>(rows->model());
            QStringList ids;
            for (int row = 0; row < commands.rowCount(); ++row)
                ids << commands.command(row).id;
            QVERIFY2(ids.contains(QStringLiteral("say_hello")), opens);
            rows->window()->close();
        }
    }

private:
    FigureTheme sepia_ = FigureTheme::light;
};

QTEST_MAIN(DeclaredOnceTest)

}  // namespace headlight::declared_once_test

#include "declared_once_test.moc"
