// Everything that the menus do, found by words and done without them.

#include "tests/ui/contrast.h"
#include "tests/ui/windowed_test.h"
#include "ui/actions/action_table.h"
#include "ui/models/command_model.h"
#include "ui/models/menu_text.h"
#include "ui/panels/theme.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QScreen>
#include <QTreeView>

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace headlight::command_palette_test {

namespace {

/// What is in sight of these and in the menus of them, as "File > Save as…".
QStringList entries_of(const QList<QAction*>& actions, const QString& path = {}) {
    QStringList entries;
    for (const QAction* action : actions) {
        const QString words = shown_words(action->text().section('\t', 0, 0)).simplified();
        const QString whole = path.isEmpty() ? words : path + QStringLiteral(" > ") + words;
        if (action->isVisible() && action->menu())
            entries += entries_of(action->menu()->actions(), whole);
        else if (action->isVisible() && !action->isSeparator())
            entries += whole;
    }
    return entries;
}

QStringList texts_of(const QAbstractItemModel& model) {
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row)
        texts << model.index(row, 0).data().toString();
    return texts;
}

}  // namespace

class CommandPaletteTest : public WindowedTest {
    Q_OBJECT
private slots:
    void words_find_commands_best_first_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* typed, const char* found) {
            QTest::newRow(*typed ? typed : "nothing") << QString::fromUtf8(typed) << QString::fromUtf8(found);
        };
        row("", "Close the panels|Panels|Expand|Shrink|Save as…");
        row("  ", "Close the panels|Panels|Expand|Shrink|Save as…");
        row("pan", "Panels|Close the panels|Expand|Shrink");
        row("panels close", "Close the panels");
        row("CLOSE THE", "Close the panels");
        row("view pan", "Panels|Close the panels|Expand|Shrink");
        row("file", "Save as…");
        row("as sàve", "Save as…");
        row("save …", "Save as…");
        row("narrower", "Shrink");
        row("panels narrower", "Shrink");
        row("panels nowhere", "");
    }
    void words_find_commands_best_first() {
        QFETCH(QString, typed);
        QFETCH(QString, found);
        QMenuBar bar;
        QMenu* view = bar.addMenu(QStringLiteral("&View"));
        view->addAction(QStringLiteral("E&xpand"))->setObjectName(QStringLiteral("expand"));
        view->addAction(QStringLiteral("&Shrink"))->setToolTip(QStringLiteral("Makes the panels narrower"));
        view->addSeparator();
        view->addAction(QStringLiteral("&Panels"))->setObjectName(QStringLiteral("panels"));
        view->addAction(QStringLiteral("&Close the panels"))->setObjectName(QStringLiteral("close"));
        bar.addMenu(QStringLiteral("&File"))->addAction(QStringLiteral("Save &as…"));
        CommandModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QStringList used_last{QStringLiteral("gone"), QStringLiteral("close"),
                                    QStringLiteral("panels")};
        model.set_commands(commands_in(bar.actions(), {}), used_last);
        model.set_text(typed);
        QCOMPARE(texts_of(model).join('|'), found);
    }

    void what_was_used_last_is_first_among_its_equals() {
        QMenuBar bar;
        QMenu* menu = bar.addMenu(QStringLiteral("Menu"));
        for (const char* text : {"Copy", "Copy figure", "Copy numbers", "A copy"})
            menu->addAction(QLatin1String(text))->setObjectName(QLatin1String(text));
        CommandModel model;
        model.set_commands(commands_in(bar.actions(), {}),
                           {QStringLiteral("A copy"), QStringLiteral("Copy numbers")});
        model.set_text(QStringLiteral("copy"));
        QCOMPARE(texts_of(model).join('|'), QStringLiteral("Copy|Copy numbers|Copy figure|A copy"));
    }

    /// Enter on "theme" is to choose one, not to choose the mechanism.
    void a_word_that_two_words_make_comes_last() {
        QMenuBar bar;
        bar.addMenu(QStringLiteral("&File"))
            ->addAction(QStringLiteral("Copy"))
            ->setToolTip(QStringLiteral("Copies the method"));
        bar.addMenu(QStringLiteral("&Model"))->addAction(QStringLiteral("Choose the mechanism"));
        QMenu* themes = bar.addMenu(QStringLiteral("&View"))->addMenu(QStringLiteral("&Theme"));
        themes->addAction(QStringLiteral("Light"));
        themes->addAction(QStringLiteral("Dark"));
        CommandModel model;
        model.set_commands(commands_in(bar.actions(), {}), {});
        model.set_text(QStringLiteral("theme"));
        QCOMPARE(texts_of(model).join('|'), QStringLiteral("Light|Dark|Copy|Choose the mechanism"));
    }

    /// Enter on what a word finds first must not take something back.
    void undo_comes_after_what_has_the_word_itself_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* typed, const char* found) {
            QTest::newRow(typed) << QString::fromUtf8(typed) << QString::fromUtf8(found);
        };
        row("lesson", "Lesson…|The lesson as a page…|Next|Undo Open a lesson|Redo Leave the lesson");
        row("less", "Lesson…|The lesson as a page…|Next|Undo Open a lesson|Redo Leave the lesson");
        row("undo", "Undo Open a lesson");
        row("un", "Undo Open a lesson");
        row("undo lesson", "Undo Open a lesson");
        row("redo", "Redo Leave the lesson");
        row("edit", "Undo Open a lesson|Redo Leave the lesson");
    }
    void undo_comes_after_what_has_the_word_itself() {
        QFETCH(QString, typed);
        QFETCH(QString, found);
        QMenuBar bar;
        QMenu* edit = bar.addMenu(QStringLiteral("&Edit"));
        edit->addAction(QStringLiteral("&Undo Open a lesson"))->setObjectName(QStringLiteral("edit_undo"));
        edit->addAction(QStringLiteral("&Redo Leave the lesson"))->setObjectName(QStringLiteral("edit_redo"));
        QMenu* play = bar.addMenu(QStringLiteral("&Play"));
        play->addAction(QStringLiteral("&Next"))->setToolTip(QStringLiteral("The next step of the lesson"));
        play->addAction(QStringLiteral("The lesson as a &page…"));
        play->addAction(QStringLiteral("&Lesson…"));
        CommandModel model;
        model.set_commands(commands_in(bar.actions(), {}),
                           {QStringLiteral("edit_undo"), QStringLiteral("edit_redo")});
        model.set_text(typed);
        QCOMPARE(texts_of(model).join('|'), found);
    }

    void words_that_people_use_find_what_the_menus_call_otherwise_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("found");
        QTest::newRow("table") << QStringLiteral("table") << QStringLiteral("Copy numbers");
        QTest::newRow("export") << QStringLiteral("export") << QStringLiteral("Export…");
        QTest::newRow("film") << QStringLiteral("export film") << QStringLiteral("Export the film…");
    }
    void words_that_people_use_find_what_the_menus_call_otherwise() {
        QFETCH(QString, typed);
        QFETCH(QString, found);
        QTRY_VERIFY(test_->document().run());  // else commands say that nothing is computed
        open();
        type(typed.toLatin1().constData());
        QVERIFY2(texts_of(model()).contains(found), qPrintable(texts_of(model()).join('|')));
    }

    void other_words_for_a_command_come_before_what_only_mentions_them_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("first");
        QTest::newRow("formula") << QStringLiteral("formula") << QStringLiteral("Build your own mechanism");
        QTest::newRow("gradient") << QStringLiteral("gradient") << QStringLiteral("Train a model…");
        QTest::newRow("settings") << QStringLiteral("settings") << QStringLiteral("Change the keys…");
        QTest::newRow("half a word") << QStringLiteral("prefer") << QStringLiteral("Change the keys…");
    }
    void other_words_for_a_command_come_before_what_only_mentions_them() {
        QFETCH(QString, typed);
        QFETCH(QString, first);
        QTRY_VERIFY(test_->document().run());
        open();
        type(typed.toLatin1().constData());
        QCOMPARE(texts_of(model()).value(0), first);
    }

    void a_lesson_is_exported_from_here() {
        begin_first_lesson(*test_);
        QTRY_VERIFY(test_->find<QMenu>("this_lesson_menu")->menuAction()->isVisible());
        open();
        type("export lesson");
        const QStringList found = texts_of(model());
        for (const char* text : {"A sheet for the class…", "The lesson as a page…", "Its pictures…"})
            QVERIFY2(found.contains(QString::fromUtf8(text)), text);
    }

    void a_command_knows_its_menus_and_keys() {
        QMenuBar bar;
        QMenu* inner = bar.addMenu(QStringLiteral("&View"))->addMenu(QStringLiteral("R&&D"));
        QAction* action = inner->addAction(QStringLiteral("&Redo"));
        action->setShortcuts(
            {QKeySequence(QStringLiteral("Ctrl+Shift+Z")), QKeySequence(QStringLiteral("Ctrl+Y"))});
        action->setEnabled(false);
        action->setToolTip(QStringLiteral("Nothing to do again"));
        inner->addAction(QStringLiteral("Play\tF5"));
        inner->addAction(QStringLiteral("Hidden"))->setVisible(false);
        QAction key_only(QStringLiteral("Leave"));
        CommandModel model;
        model.set_commands(commands_in(bar.actions(), {action, &key_only}), {});
        QCOMPARE(texts_of(model).join('|'), QStringLiteral("Redo|Play|Leave"));
        const QModelIndex redo = model.index(0);
        QCOMPARE(redo.data(CommandModel::PathRole).toString(), QStringLiteral("View > R&D"));
        QCOMPARE(redo.data(CommandModel::KeysRole).toString(), QStringLiteral("Ctrl+Shift+Z, Ctrl+Y"));
        QCOMPARE(redo.data(Qt::AccessibleTextRole).toString(),
                 QStringLiteral("Redo, View > R&D, Ctrl+Shift+Z, Ctrl+Y, not possible now, "
                                "Nothing to do again"));
        QCOMPARE(model.index(1).data(CommandModel::KeysRole).toString(), QStringLiteral("F5"));
        QCOMPARE(model.index(1).data(Qt::ToolTipRole).toString(), QString());
        QCOMPARE(model.index(2).data(CommandModel::PathRole).toString(), QString());
    }

    void the_example_of_the_mechanism_in_view_is_a_command() {
        test_->document().reset(small_session("window"));
        QVERIFY(test_->session().sequence.query_text != find_mechanism("window")->example.query);
        open();
        type("its example");
        QCOMPARE(at(0).data().toString(), QStringLiteral("Show its example"));
        QTest::keyClick(search(), Qt::Key_Return);
        QTRY_COMPARE(test_->session().sequence.query_text, find_mechanism("window")->example.query);
        test_->trigger("compose_mechanism");
        QVERIFY(!test_->find<QAction>("mechanism_example")->isEnabled());
    }

    void every_entry_of_the_menus_is_listed() {
        QAction added(QStringLiteral("Added a moment ago"));
        test_->window().menuBar()->actions().constFirst()->menu()->addAction(&added);
        open();
        QStringList listed;
        for (int row = 0; row < model().rowCount(); ++row) {
            const QString path = at(row).data(CommandModel::PathRole).toString();
            if (!path.isEmpty())
                listed << path + QStringLiteral(" > ") + at(row).data().toString();
        }
        const QStringList entries = entries_of(test_->window().menuBar()->actions());
        QVERIFY(entries.size() > 80);
        QVERIFY(entries.contains(QStringLiteral("File > Added a moment ago")));
        QVERIFY(entries.contains(QStringLiteral("Help > Find a command…")));
        for (const QString& entry : entries) {
            // What stands in two menus is listed once, by the first.
            const bool is_again = std::ranges::any_of(action_rows(), [&](const ActionRow& row) {
                if (row.kind != ActionRow::Kind::again)
                    return false;
                const QString text = shown_words(QString::fromUtf8(action_row(QLatin1String(row.id))->text));
                return entry == menu_of(row) + QStringLiteral(" > ") + text &&
                       listed.filter(QStringLiteral(" > ") + text).size() == 1;
            });
            QVERIFY2(is_again || listed.contains(entry), qPrintable(entry));
        }
        QVERIFY(texts_of(model()).contains(QStringLiteral("Leave the full screen")));
    }

    void a_lesson_that_is_open_has_its_commands() {
        open();
        const QString answer = QStringLiteral("Show the answer");
        QVERIFY(!texts_of(model()).contains(answer));
        popup().close();
        begin_first_lesson(*test_);
        QTRY_VERIFY(test_->find<QMenu>("this_lesson_menu")->menuAction()->isVisible());
        open();
        type("show the answer");
        QCOMPARE(at(0).data().toString(), answer);
    }

    void enter_runs_it_once_the_keyboard_is_back() {
        auto* text = test_->find<QPlainTextEdit>("query_text");
        text->setFocus();
        const bool before = test_->session().figure.values_in_cells;
        const QString typed = text->toPlainText();
        open_by_key(*text);
        QCOMPARE(QApplication::focusWidget(), search());
        type("cells values");
        QCOMPARE(at(0).data().toString(), QStringLiteral("Values in cells"));
        QWidget* focus = nullptr;
        connect(test_->find<QAction>("values_in_cells"), &QAction::triggered, this, [&] {
            focus = QApplication::focusWidget();
            QVERIFY(!QApplication::activePopupWidget());
        });
        QTest::keyClick(search(), Qt::Key_Return);
        QVERIFY(!popup().isVisible());
        QTRY_COMPARE(test_->session().figure.values_in_cells, !before);
        QCOMPARE(focus, text);
        QCOMPARE(text->toPlainText(), typed);
    }

    void a_click_runs_it_too() {
        open();
        type("theme dark");
        QTest::mouseClick(rows()->viewport(), Qt::LeftButton, {}, rows()->visualRect(at(0)).center());
        QTRY_VERIFY(test_->session().view.theme == FigureTheme::dark);
    }

    void what_is_disabled_says_what_it_lacks() {
        QAction* redo = test_->find<QAction>("edit_redo");
        QVERIFY(!redo->isEnabled());
        open();
        type("redo");
        const QString lack = at(0).data(CommandModel::LackRole).toString();
        QCOMPARE(lack, QStringLiteral("There is no edit that was taken back"));
        const int height = rows()->visualRect(at(0)).height();
        QTest::keyClick(search(), Qt::Key_Return);
        QVERIFY(!popup().isVisible());
        QVERIFY2(test_->message("notice").contains(lack), qPrintable(test_->message("notice")));
        QVERIFY(test_->message("notice").contains(QStringLiteral("“Redo”")));
        open();
        QVERIFY2(at(0).data().toString() != QLatin1String("Redo"), "it was not used");
        QVERIFY(height > rows()->visualRect(at(0)).height());
        for (int row = 0; row < model().rowCount(); ++row)
            QVERIFY2(at(row).data(CommandModel::EnabledRole).toBool() ||
                         !at(row).data(CommandModel::LackRole).toString().isEmpty(),
                     qPrintable(at(row).data().toString()));
    }

    void escape_gives_the_keyboard_back() {
        auto* text = test_->find<QPlainTextEdit>("query_text");
        text->setFocus();
        open_by_key(*text);
        type("qu");
        QTest::keyClick(search(), Qt::Key_Escape);
        QVERIFY(!popup().isVisible());
        QTRY_COMPARE(QApplication::focusWidget(), text);
        QVERIFY(test_->window().isVisible());
        open_by_key(*text);
        QCOMPARE(search()->text(), QString());
    }

    void a_click_outside_closes_it() {
        open();
        const QPoint outside(-20, -20);
        QMouseEvent press(QEvent::MouseButtonPress, outside, popup().mapToGlobal(outside), Qt::LeftButton,
                          Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&popup(), &press);
        QVERIFY(!popup().isVisible());
    }

    void the_last_eight_stand_first_and_are_remembered() {
        const QStringList used{QStringLiteral("Dark"),      QStringLiteral("Light"),
                               QStringLiteral("By stage"),  QStringLiteral("By head"),
                               QStringLiteral("Next head"), QStringLiteral("Previous head"),
                               QStringLiteral("First"),     QStringLiteral("Last"),
                               QStringLiteral("Each head"), QStringLiteral("Dark")};
        for (const QString& text : used) {
            open();
            QTest::keyClicks(search(), text);
            QCOMPARE(at(0).data().toString(), text);
            QTest::keyClick(search(), Qt::Key_Return);
            QCoreApplication::processEvents();
        }
        const QStringList expected{
            QStringLiteral("Dark"),    QStringLiteral("Each head"),     QStringLiteral("Last"),
            QStringLiteral("First"),   QStringLiteral("Previous head"), QStringLiteral("Next head"),
            QStringLiteral("By head"), QStringLiteral("By stage"),      QStringLiteral("New")};
        open();
        QCOMPARE(texts_of(model()).mid(0, 9), expected);
        popup().close();
        test_->close();
        test_->start();
        open();
        QCOMPARE(texts_of(model()).mid(0, 9), expected);
    }

    void the_keys_reach_every_row() {
        open_by_key(test_->window());
        const auto row = [this] { return rows()->currentIndex().row(); };
        const int last = model().rowCount() - 1;
        QCOMPARE(row(), 0);
        const std::tuple<Qt::Key, int> presses[] = {
            {Qt::Key_Down, 1},   {Qt::Key_Down, 2},   {Qt::Key_Up, 1},      {Qt::Key_PageDown, 13},
            {Qt::Key_PageUp, 1}, {Qt::Key_End, last}, {Qt::Key_Down, last}, {Qt::Key_PageUp, last - 12},
            {Qt::Key_Home, 0},   {Qt::Key_Up, 0}};
        for (const auto& [key, reached] : presses) {
            QTest::keyClick(search(), key);
            QCOMPARE(row(), reached);
            QCOMPARE(QApplication::focusWidget(), search());
        }
    }

    void nothing_found_says_so() {
        open();
        type("zzz");
        auto* nothing = test_->find<QLabel>("command_nothing");
        QVERIFY(nothing->isVisible());
        QVERIFY(!rows()->isVisible());
        QCOMPARE(nothing->text(), QStringLiteral("No command has these words."));
        QTest::keyClick(search(), Qt::Key_Return);
        QVERIFY2(popup().isVisible(), "there is nothing to run");
        search()->clear();
        QVERIFY(rows()->isVisible());
    }

    void what_the_catalogue_knows_is_offered_there() {
        open();
        type("qwen3");
        QVERIFY(!test_->find<QLabel>("command_nothing")->isVisible());
        const QModelIndex last = at(model().rowCount() - 1);
        QCOMPARE(last.data().toString(), QStringLiteral("Find “qwen3” in the catalogue"));
        rows()->setCurrentIndex(last);
        QTest::keyClick(search(), Qt::Key_Return);
        QVERIFY(!popup().isVisible());
        const auto field_of_mechanisms = [this] {
            return test_->window().findChild<QLineEdit*>(QStringLiteral("mechanism_search"));
        };
        QTRY_VERIFY(field_of_mechanisms() && field_of_mechanisms()->isVisible());
        QLineEdit* field = field_of_mechanisms();
        QCOMPARE(field->text(), QStringLiteral("qwen3"));
        const auto* found = test_->find<QTreeView>("mechanism_tree")->model();
        QVERIFY(found->rowCount() > 0);
        // It is no command: nothing is remembered of it.
        field->window()->close();
        open();
        QVERIFY(!texts_of(model()).join('|').contains(QStringLiteral("qwen3")));
    }

    void it_stands_over_the_upper_middle_of_the_window() {
        open();
        const QRect window = test_->window().geometry(), place = popup().geometry(),
                    screen = test_->window().screen()->availableGeometry();
        const bool is_in_the_middle = std::abs(place.center().x() - window.center().x()) <= 1;
        // A screen that is smaller than the window pushes it aside.
        QVERIFY(is_in_the_middle || (!screen.contains(window) && place.right() == screen.right() - 8));
        QVERIFY(place.top() > window.top() && place.top() < window.top() + window.height() / 4);
        QVERIFY(screen.contains(place));
    }

    void it_is_read_in_every_theme_data() {
        QTest::addColumn<QString>("theme");
        for (const char* theme : {"theme_light", "theme_dark", "theme_projector"})
            QTest::newRow(theme) << QString::fromLatin1(theme);
    }
    void it_is_read_in_every_theme() {
        QFETCH(QString, theme);
        test_->trigger(theme.toLatin1().constData());
        open();
        QVERIFY(!search()->accessibleName().isEmpty() && !rows()->accessibleName().isEmpty());
        const QPalette colours = rows()->palette();
        for (const QPalette::ColorRole role : {QPalette::Text, QPalette::PlaceholderText})
            QVERIFY(contrast(colours.color(role), colours.color(QPalette::Base)) >= 4.5);
        QVERIFY(contrast(colours.color(QPalette::HighlightedText), colours.color(QPalette::Highlight)) >=
                4.5);
        QVERIFY(!popup().grab().isNull());  // painted without a warning
    }

private:
    QWidget& popup() { return *test_->find("command_palette"); }
    QLineEdit* search() { return test_->find<QLineEdit>("command_search"); }
    QTreeView* rows() { return test_->find<QTreeView>("command_rows"); }
    const QAbstractItemModel& model() { return *rows()->model(); }
    QModelIndex at(int row) { return model().index(row, 0); }
    void type(const char* words) { QTest::keyClicks(search(), QString::fromLatin1(words)); }
    void open() {
        test_->trigger("find_command");
        QVERIFY(popup().isVisible());
    }
    void open_by_key(QWidget& from) {
        QTest::keyClick(&from, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(test_->find("command_palette") && popup().isVisible());
    }
};

QTEST_MAIN(CommandPaletteTest)

}  // namespace headlight::command_palette_test

#include "command_palette_test.moc"
