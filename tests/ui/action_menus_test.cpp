// Menus over a thing and below a button have rows of the table of actions and nothing else, and what they do
// is found in the command palette.

#include "core/lesson/shipped_lessons.h"
#include "tests/ui/model_support.h"
#include "tests/ui/windowed_test.h"
#include "ui/actions/context_menu.h"
#include "ui/actions/keys_in_force.h"
#include "ui/lesson/lesson_player.h"
#include "ui/models/command_model.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/heads_canvas.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenuBar>
#include <QSet>
#include <QTableView>
#include <QToolBar>
#include <QTreeView>

#include <algorithm>
#include <cmath>
#include <memory>

namespace headlight::action_menus_test {

namespace {

/// Whether an action of that name was made from the row.
bool is_named_by(const ActionRow& row, const QString& name) {
    const QString id = QLatin1String(row.id);
    return !id.isEmpty() &&
           (name == id || (row.kind == ActionRow::Kind::each && name.startsWith(id + QLatin1Char('_'))));
}

/// Whether that menu has a row of such an action.
bool has_row(const QString& menu, const QString& name) {
    return std::ranges::any_of(action_rows(), [&](const ActionRow& row) {
        return menu == QLatin1String(row.menu) && is_named_by(row, name);
    });
}

/// The first action that is no row of that menu; empty where all are, or where the menu has a place that is
/// filled with what there is.
QString stranger_among(const QList<QAction*>& actions, const QString& menu) {
    const bool has_place = std::ranges::any_of(action_rows(), [&](const ActionRow& row) {
        return row.kind == ActionRow::Kind::place && menu == QLatin1String(row.menu);
    });
    for (const QAction* action : actions) {
        const QString name = action->menu() ? action->menu()->objectName() : action->objectName();
        if (!action->isSeparator() && !has_place && !has_row(menu, name))
            return menu + QStringLiteral(" > ") + action->text();
        const QString inner = action->menu() ? stranger_among(action->menu()->actions(), name) : QString();
        if (!inner.isEmpty())
            return inner;
    }
    return {};
}

/// The first action of that menu whose tip is not that of its row; empty where all are.
QString untold_among(const QList<QAction*>& actions) {
    for (const QAction* action : actions) {
        if (action->isSeparator())
            continue;
        if (action->menu()) {
            const QString inner = untold_among(action->menu()->actions());
            if (!inner.isEmpty())
                return inner;
            continue;
        }
        const ActionRow* row = nullptr;
        for (const ActionRow& each : action_rows())
            if (each.kind != ActionRow::Kind::again && is_named_by(each, action->objectName()))
                row = &each;
        const QString tip = row ? QString::fromUtf8(action->isEnabled() ? row->tip : row->lacks) : QString();
        const bool has_argument = tip.contains(QLatin1Char('%'));
        if (action->toolTip().isEmpty() || (!has_argument && !action->toolTip().startsWith(tip)))
            return action->text() + QStringLiteral(": ") + action->toolTip();
    }
    return {};
}

/// What is wrong with a menu over a thing or below a button; empty where nothing is.
QString fault_of(const QMenu& menu) {
    const QString stranger = stranger_among(menu.actions(), menu.objectName());
    return stranger.isEmpty() ? untold_among(menu.actions()) : stranger;
}

QStringList names_in(const QMenu& menu) {
    QStringList names;
    for (const QAction* action : menu.actions())
        if (!action->isSeparator())
            names << action->objectName();
    return names;
}

void collect(const QList<QAction*>& actions, QSet<const QAction*>& all) {
    for (const QAction* action : actions) {
        all.insert(action);
        if (action->menu())
            collect(action->menu()->actions(), all);
    }
}

}  // namespace

class ActionMenusTest : public WindowedTest {
    Q_OBJECT
private slots:
    void entries_stand_in_the_order_of_the_table() {
        ContextMenu menu(QStringLiteral("over_cell"));
        for (const char* id : {"largest_cells", "copy_map", "set_weight", "copy_number"})
            menu.offer(QLatin1String(id));
        const QStringList order{QStringLiteral("set_weight"), QStringLiteral("copy_number"),
                                QStringLiteral("copy_map"), QStringLiteral("largest_cells")};
        QCOMPARE(names_in(menu), order);
        menu.offer_nothing();
        QVERIFY(menu.isEmpty());
        menu.offer(QStringLiteral("copy_row"));
        QCOMPARE(names_in(menu), QStringList{QStringLiteral("copy_row")});
    }

    void an_entry_says_what_it_is_about() {
        ContextMenu menu(QStringLiteral("over_cell"));
        const QAction& hide = menu.offer(QStringLiteral("hide_key"), {QStringLiteral("“R&D %2”")});
        QCOMPARE(hide.text(), QStringLiteral("&Hide “R&&D %2”, sharing its weight out"));
        const QAction& alike =
            menu.offer(QStringLiteral("hide_alike"), {QStringLiteral("“the”"), QStringLiteral("3")});
        QCOMPARE(alike.text(), QStringLiteral("Hide &all 3 “the”"));
        QVERIFY2(menu.offer(QStringLiteral("set_weight"))
                     .toolTip()
                     .endsWith(QLatin1String("(W, Alt+Up, Alt+Down)")),
                 "its keys");
        QAction& pin = menu.offer(QStringLiteral("pin_map"), {QStringLiteral("2")});
        const QString tip = pin.toolTip();
        pin.setEnabled(false);
        QCOMPARE(pin.toolTip(), QString::fromUtf8(action_row(QStringLiteral("pin_map"))->lacks));
        pin.setEnabled(true);
        QCOMPARE(pin.toolTip(), tip);
    }

    void the_menu_of_a_cell_has_rows_of_the_table() {
        FigureCanvas& canvas = show_heatmap();
        const auto menu = canvas.menu_here();
        QVERIFY(menu);
        QCOMPARE(fault_of(*menu), QString());
        const QStringList offered{QStringLiteral("copy_number"),  QStringLiteral("copy_row"),
                                  QStringLiteral("copy_column"),  QStringLiteral("copy_map"),
                                  QStringLiteral("hide_key"),     QStringLiteral("pin_map"),
                                  QStringLiteral("compare_with"), QStringLiteral("largest_cells")};
        QCOMPARE(names_in(*menu), offered);
    }

    void the_menu_of_a_weight_of_a_model_has_rows_of_the_table() {
        test_.reset();
        ModelWindow window;
        window.generate("reverse-transformer", QStringLiteral("abc"));
        window.select(1, 1);
        const auto menu = window.show(ViewKind::heatmap).menu_here();
        QVERIFY(menu);
        QCOMPARE(fault_of(*menu), QString());
        QCOMPARE(names_in(*menu).front(), QStringLiteral("set_weight"));
        QVERIFY(names_in(*menu).contains(QStringLiteral("intervene_only_here")));
    }

    void the_menu_of_a_head_has_rows_of_the_table() {
        open_session(test_->document(), small_session("multi_head"));
        look(ViewKind::model_grid);
        auto* canvas = qobject_cast<HeadsCanvas*>(test_->window().views().picture());
        QVERIFY(canvas);
        QTRY_VERIFY(canvas->figure() && canvas->selected_mark());
        const auto menu = canvas->menu_here();
        QVERIFY(menu);
        QCOMPARE(fault_of(*menu), QString());
        QCOMPARE(names_in(*menu).front(), QStringLiteral("show_map"));
    }

    void the_menus_of_tables_have_rows_of_the_table() {
        open_session(test_->document(), small_session("multi_head"));
        look(ViewKind::statistics);
        auto* heads = test_->find<QTableView>("head_table");
        QVERIFY(heads);
        QCOMPARE(stranger_among(heads->actions(), QStringLiteral("over_heads_table")), QString());
        look(ViewKind::compare);
        auto* compared = test_->find<QTableView>("comparison_table");
        QVERIFY(compared);
        QCOMPARE(stranger_among(compared->actions(), QStringLiteral("over_table")), QString());
    }

    void every_menu_of_the_window_has_rows_or_repeats_what_the_bar_has() {
        test_->trigger("begin_lesson_editor");
        QSet<const QAction*> of_bar;
        collect(test_->window().menuBar()->actions(), of_bar);
        QSet<QString> seen;
        for (QMenu* menu : test_->window().findChildren<QMenu*>()) {
            if (qobject_cast<QToolBar*>(menu->parent()))  // Qt's own, for what has no room in it
                continue;
            if (auto* own = qobject_cast<ContextMenu*>(menu)) {
                emit own->aboutToShow();  // some are filled only now
                seen.insert(own->objectName());
                QCOMPARE(fault_of(*own), QString());
                continue;
            }
            for (const QAction* action : menu->actions())
                QVERIFY2(action->isSeparator() || of_bar.contains(action),
                         qPrintable(menu->objectName() + QStringLiteral(" > ") + action->text()));
        }
        for (const char* id : {"editor_undo", "editor_redo"}) {
            const auto* action = test_->find<QAction>(id);
            QVERIFY2(action && has_row(QStringLiteral("lesson_editor"), QLatin1String(id)), id);
            QCOMPARE(action->text(), QString::fromUtf8(action_row(QLatin1String(id))->text));
        }
        for (const char* id : {"recent_files", "begin_tour_menu", "counterpart_menu", "own_share_menu",
                               "editor_beginnings_menu"})
            QVERIFY2(seen.contains(QLatin1String(id)), id);
    }

    void a_tip_says_what_is_lacking_for_as_long_as_it_is() {
        const std::unique_ptr<QAction> action(make_action(QStringLiteral("own_remove"), nullptr));
        const QString effect = action->toolTip(), lack = QStringLiteral("It is not in your library");
        QVERIFY(!effect.isEmpty() && effect != lack);
        action->setEnabled(false);
        QCOMPARE(action->toolTip(), lack);
        KeysInForce& keys = KeysInForce::instance();
        const ChosenKeys before = keys.chosen();
        keys.choose({{QStringLiteral("file_open"), QKeySequence(QStringLiteral("Ctrl+Alt+R"))}});
        QCOMPARE(action->toolTip(), lack);  // of another command
        action->setEnabled(true);
        QCOMPARE(action->toolTip(), effect);
        keys.choose(before);
    }

    void the_menus_of_the_bar_have_rows_of_the_table() {
        emit test_->find<QMenu>("lesson_menu")->aboutToShow();  // it is filled only now
        QCOMPARE(stranger_among(test_->window().menuBar()->actions(), QString()), QString());
    }

    void a_figure_is_exported_from_its_own_menu_as_from_that_of_files() {
        auto* exported = test_->find<QAction>("file_export");
        for (const char* menu : {"file_menu", "figure_menu"})
            QVERIFY2(test_->find<QMenu>(menu)->actions().contains(exported), menu);
        // The list of commands has it once, where it stands first.
        find_command(QStringLiteral("export"));
        QStringList paths;
        for (int row = 0; row < commands().rowCount(); ++row)
            if (const QModelIndex each = commands().index(row, 0); each.data() == QStringLiteral("Export…"))
                paths << each.data(CommandModel::PathRole).toString();
        QCOMPARE(paths, QStringList{QStringLiteral("File")});
    }

    void a_lesson_is_found_by_its_title() {
        const Lesson& wanted = shipped_lessons().at(2);
        const QString title = QString::fromStdString(wanted.title);
        find_command(title);
        const QModelIndex first = commands().index(0, 0);
        QVERIFY2(first.data().toString().contains(title), qPrintable(first.data().toString()));
        QCOMPARE(first.data(CommandModel::PathRole).toString(), QStringLiteral("Lessons"));
        QCOMPARE(first.data(Qt::ToolTipRole).toString(), QString::fromStdString(wanted.summary));
        QTest::keyClick(search(), Qt::Key_Return);
        auto* player = test_->window().findChild<LessonPlayer*>();
        QTRY_VERIFY(player->is_open());
        QCOMPARE(player->lesson().id, wanted.id);
    }

    void what_can_be_done_with_the_selected_cell_is_found() {
        FigureCanvas& canvas = show_heatmap();
        find_command(QStringLiteral("copy the number"));
        const QModelIndex first = commands().index(0, 0);
        QCOMPARE(first.data().toString(), QStringLiteral("Copy the number"));
        QCOMPARE(first.data(CommandModel::PathRole).toString(), QStringLiteral("Selected cell"));
        QGuiApplication::clipboard()->clear();
        QTest::keyClick(search(), Qt::Key_Return);
        QTRY_VERIFY(!QGuiApplication::clipboard()->text().isEmpty());
        QVERIFY(std::abs(QGuiApplication::clipboard()->text().toDouble() - *canvas.current_number()) < 1e-9);
    }

    void what_can_be_done_with_the_table_of_the_heads_is_found() {
        open_session(test_->document(), small_session("multi_head"));
        look(ViewKind::statistics);
        auto* heads = test_->find<QTableView>("head_table");
        QVERIFY(heads);
        QTRY_VERIFY(heads->model()->rowCount() > 0 && heads->currentIndex().isValid());
        const std::size_t pinned = test_->session().figure.pinned.size();
        find_command(QStringLiteral("pin the head"));
        const QModelIndex first = commands().index(0, 0);
        QCOMPARE(first.data(CommandModel::PathRole).toString(), QStringLiteral("Table of the heads"));
        QTest::keyClick(search(), Qt::Key_Return);
        QTRY_VERIFY(test_->session().figure.pinned.size() != pinned);
        // The entries are those of the table, which keeps them when the list is gone.
        find_command(QStringLiteral("sort by place"));
        QCOMPARE(commands().index(0, 0).data(CommandModel::PathRole).toString(),
                 QStringLiteral("Table of the heads"));
        QTest::keyClick(search(), Qt::Key_Return);
        look(ViewKind::heatmap);
        find_command(QStringLiteral("sort by place"));
        QVERIFY2(commands().rowCount() == 0 || commands().index(0, 0).data(CommandModel::PathRole) !=
                                                   QVariant(QStringLiteral("Table of the heads")),
                 "the table is no longer in view");
        QTest::keyClick(search(), Qt::Key_Escape);
        QCOMPARE(stranger_among(heads->actions(), QStringLiteral("over_heads_table")), QString());
        QVERIFY(!heads->actions().isEmpty());
    }

    /// One action each, in the menu of the lesson and in the window of the notes.
    void what_lies_over_the_picture_has_rows_of_the_table() {
        const auto& entries = test_->find<QMenu>("this_lesson_menu")->actions();
        for (const char* id : {"presenter_black", "presenter_ring", "presenter_pen", "presenter_notes"}) {
            const ActionRow* row = action_row(QLatin1String(id));
            QVERIFY2(row, id);
            const QList<QAction*> made = test_->window().findChildren<QAction*>(QLatin1String(id));
            QCOMPARE(made.size(), 1);
            QVERIFY2(entries.contains(made.front()), id);
            QVERIFY2(test_->find("presenter")->actions().contains(made.front()), id);
            QCOMPARE(made.front()->text(), QString::fromUtf8(row->text));
            QVERIFY2(made.front()->toolTip().startsWith(QString::fromUtf8(row->tip)), id);
        }
        for (const char* id : {"lesson_next", "lesson_back"})
            QVERIFY2(test_->find("presenter")->actions().contains(test_->find<QAction>(id)), id);
    }

    void what_the_list_offered_of_another_run_does_nothing() {
        show_heatmap();
        find_command(QStringLiteral("copy the number"));
        QGuiApplication::clipboard()->setText(QStringLiteral("before"));
        open_session(test_->document(), small_session("dot"));
        QTest::qWait(1);  // what is of the run before is deleted
        QTest::keyClick(search(), Qt::Key_Return);
        QTest::qWait(1);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("before"));
    }

private:
    void look(ViewKind kind) {
        ViewState view = test_->session().view;
        view.view = kind;
        test_->document().looking().look_at(view);
    }
    /// With the first weight selected.
    FigureCanvas& show_heatmap() {
        Session session = small_session("multi_head");
        session.view.view = ViewKind::heatmap;
        open_session(test_->document(), session);
        auto& canvas = *static_cast<FigureCanvas*>(test_->window().views().picture());
        canvas.figure();
        return canvas;
    }
    QLineEdit* search() { return test_->find<QLineEdit>("command_search"); }
    const QAbstractItemModel& commands() { return *test_->find<QTreeView>("command_rows")->model(); }
    void find_command(const QString& words) {
        test_->trigger("find_command");
        search()->setText(words);
    }
};

QTEST_MAIN(ActionMenusTest)

}  // namespace headlight::action_menus_test

#include "action_menus_test.moc"
