// People change keys: in force at once wherever they are said, kept, and never one key for two commands.

#include "tests/ui/windowed_test.h"
#include "ui/actions/key_settings.h"
#include "ui/actions/key_use.h"
#include "ui/actions/shortcuts.h"
#include "ui/models/command_model.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/key_field.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTextBrowser>
#include <QTreeView>

namespace headlight::keys_dialog_test {

class KeysDialogTest : public WindowedTest {
    Q_OBJECT
private slots:
    void a_press_is_one_key_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<int>("held");
        QTest::addColumn<QString>("taken");
        const auto row = [](const char* name, Qt::Key key, Qt::KeyboardModifiers held, const char* taken) {
            QTest::newRow(name) << int(key) << int(held) << QString::fromLatin1(taken);
        };
        row("a letter", Qt::Key_J, Qt::NoModifier, "J");
        row("with Ctrl", Qt::Key_J, Qt::ControlModifier, "Ctrl+J");
        row("with more", Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier | Qt::AltModifier,
            "Ctrl+Alt+Shift+J");
        row("a function key", Qt::Key_F4, Qt::ShiftModifier, "Shift+F4");
        row("a sign that Shift makes", Qt::Key_Question, Qt::ShiftModifier, "?");
        row("of the keypad", Qt::Key_5, Qt::ControlModifier | Qt::KeypadModifier, "Ctrl+5");
        row("Ctrl alone", Qt::Key_Control, Qt::ControlModifier, "");
        row("an accent that is only begun", Qt::Key_Dead_Acute, Qt::NoModifier, "");
        row("Escape, which is the dialog's", Qt::Key_Escape, Qt::NoModifier, "");
        row("Escape with Ctrl", Qt::Key_Escape, Qt::ControlModifier, "Ctrl+Esc");
    }
    void a_press_is_one_key() {
        QFETCH(int, key);
        QFETCH(int, held);
        QFETCH(QString, taken);
        KeyField field;
        QString pressed;
        connect(&field, &KeyField::pressed, this,
                [&](const QKeySequence& keys) { pressed = keys.toString(QKeySequence::PortableText); });
        const QString text = key == Qt::Key_Question ? QStringLiteral("?") : QString();
        QKeyEvent press(QEvent::KeyPress, key, Qt::KeyboardModifiers(held), text);
        QCoreApplication::sendEvent(&field, &press);
        QCOMPARE(pressed, taken);
        QCOMPARE(field.keySequence().toString(QKeySequence::PortableText), taken);
    }

    void a_key_that_is_used_is_refused_with_a_name_data() {
        QTest::addColumn<QString>("keys");
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("user");  // its id, or its words where nobody can change it; empty: free
        const auto row = [](const char* keys, const char* id, const char* user) {
            QTest::addRow("%s for %s", keys, id)
                << QString::fromLatin1(keys) << QString::fromLatin1(id) << QString::fromUtf8(user);
        };
        row("Ctrl+J", "file_save", "");
        row("Ctrl+O", "file_save", "file_open");
        row("Ctrl+S", "file_save", "");
        row("Ctrl+Y", "file_save", "edit_redo");
        row("Ctrl+2", "file_save", "view_2");
        row("Ctrl+O", "theme_dark", "file_open");
        row("Right", "file_save", "Step forward");
        row("7", "file_save", "That head");
        row("L", "file_save", "In a picture of lines: keep those of the selected word, and all again");
        row("-", "file_save", "Zoom in, out, show all");
        row("PgDown", "lesson_next", "");
        row("PgDown", "file_save", "lesson_next");
        row("Return", "file_save", "A key of texts, lists and buttons");
        row("Shift+Left", "file_save", "A key of texts, lists and buttons");
        row("Ctrl+V", "file_save", "Copies and pastes in texts and tables");
        row("Alt+J", "file_save", "For the underlined letters of menus and controls");
        row("Ctrl+Right", "file_save", "Goes through words of a text and cells of a picture");
        row("Ctrl+Alt+Shift+Up", "file_save", "Goes through words of a text and cells of a picture");
        row("Ctrl+Backspace", "file_save", "Goes through words of a text and cells of a picture");
        row("Ctrl+Home", "help_begin", "");
        row("Alt+Up", "file_save", "Of a model: set the weight of the cell, raise it, lower it");
        row("Alt+Delete", "file_save", "");
        row("Return", "brush_forbid", "A key of texts, lists and buttons");
        row("Alt+F", "brush_forbid", "");
        row("Alt+A", "brush_forbid", "brush_allow");
        row("Ctrl+Z", "brush_forbid", "mask_undo");
        row("Ctrl+O", "brush_forbid", "");
    }
    void a_key_that_is_used_is_refused_with_a_name() {
        QFETCH(QString, keys);
        QFETCH(QString, id);
        QFETCH(QString, user);
        const auto use = use_of(QKeySequence::fromString(keys, QKeySequence::PortableText), id, {});
        QCOMPARE(use ? (use->id.isEmpty() ? use->words : use->id) : QString(), user);
    }

    void a_key_that_was_taken_away_is_free() {
        const ChosenKeys chosen{{QStringLiteral("file_open"), QKeySequence()},
                                {QStringLiteral("theme_dark"), QKeySequence(QStringLiteral("Ctrl+J"))}};
        QVERIFY(!use_of(QKeySequence(QStringLiteral("Ctrl+O")), QStringLiteral("file_save"), chosen));
        const auto use = use_of(QKeySequence(QStringLiteral("Ctrl+J")), QStringLiteral("file_save"), chosen);
        QVERIFY(use);
        QCOMPARE(use->id, QStringLiteral("theme_dark"));
    }

    void a_chosen_key_is_in_force_wherever_keys_are_said() {
        open();
        choose("view_2");
        press(Qt::Key_J, Qt::ControlModifier);
        QCOMPARE(keys_of_action("view_2"), QStringLiteral("Ctrl+J"));
        QVERIFY(test_->window().views().tabToolTip(1).endsWith(QLatin1String("(Ctrl+J)")));
        QVERIFY2(said().contains(QLatin1String("Ctrl+J")), qPrintable(said()));
        QCOMPARE(at_current().data(CommandModel::KeysRole).toString(), QStringLiteral("Ctrl+J"));
        choose("file_export");
        press(Qt::Key_U, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(keys_of_action("file_export"), QStringLiteral("Ctrl+Shift+U"));
        test_->trigger("help_keyboard");
        const QString page = test_->find("help_page")->findChild<QTextBrowser*>()->toPlainText();
        QVERIFY(page.contains(QLatin1String("Ctrl+J")));
        QVERIFY(page.contains(QLatin1String("Ctrl+Shift+U")));
        QVERIFY(!page.contains(QLatin1String("Ctrl+E")));
        test_->find("help_page")->close();
    }

    void what_was_chosen_does_its_work_and_the_old_key_none() {
        open();
        choose("next_mechanism");
        press(Qt::Key_F4);
        test_->find("keys_dialog")->close();
        test_->window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&test_->window(), patience));
        const std::string before = test_->session().mechanism;
        QTest::keyClick(&test_->window(), Qt::Key_PageDown, Qt::ControlModifier);
        QCOMPARE(test_->session().mechanism, before);
        QTest::keyClick(&test_->window(), Qt::Key_F4);
        QTRY_VERIFY(test_->session().mechanism != before);
    }

    void a_command_without_a_key_can_have_one() {
        open();
        choose("copy_citation");
        QVERIFY(!test_->find<QPushButton>("keys_none")->isEnabled());
        press(Qt::Key_F12);
        QCOMPARE(keys_of_action("copy_citation"), QStringLiteral("F12"));
        choose("theme_dark");
        press(Qt::Key_F8);
        QCOMPARE(keys_of_action("theme_dark"), QStringLiteral("F8"));
        test_->trigger("theme_projector");
        QCOMPARE(keys_of_action("theme_dark"), QStringLiteral("F8"));
    }

    void the_dialog_names_what_has_the_key_and_leaves_it_there() {
        open();
        choose("file_save");
        press(Qt::Key_K, Qt::ControlModifier);
        QVERIFY2(said().contains(QStringLiteral("“Edit the mask…”")), qPrintable(said()));
        QCOMPARE(keys_of_action("file_save"), QStringLiteral("Ctrl+S"));
        QCOMPARE(field().keySequence(), QKeySequence(QStringLiteral("Ctrl+S")));
        choose("edit_mask_action");
        QTest::mouseClick(test_->find("keys_none"), Qt::LeftButton);
        QCOMPARE(keys_of_action("edit_mask_action"), QString());
        choose("file_save");
        press(Qt::Key_K, Qt::ControlModifier);
        QCOMPARE(keys_of_action("file_save"), QStringLiteral("Ctrl+K"));
        choose("edit_mask_action");
        QTest::mouseClick(test_->find("keys_standard"), Qt::LeftButton);
        QVERIFY2(said().contains(QStringLiteral("“Save”")), qPrintable(said()));
        QCOMPARE(keys_of_action("edit_mask_action"), QString());
    }

    void a_command_with_two_keys_shows_and_keeps_both() {
        open();
        choose("edit_redo");
        const QString both = QStringLiteral("Ctrl+Shift+Z; Ctrl+Y");
        const auto shows_both = [&] {
            return field().keySequence() == QKeySequence(QStringLiteral("Ctrl+Shift+Z")) &&
                   test_->find<QLabel>("keys_command")->text().endsWith(QLatin1String("also Ctrl+Y"));
        };
        QVERIFY(shows_both());
        for (const Qt::KeyboardModifiers held :
             {Qt::KeyboardModifiers(Qt::ControlModifier), Qt::ControlModifier | Qt::ShiftModifier}) {
            press(held.testFlag(Qt::ShiftModifier) ? Qt::Key_Z : Qt::Key_Y, held);
            QCOMPARE(keys_of_action("edit_redo"), both);
            QVERIFY(shows_both());
            QVERIFY2(said().endsWith(QLatin1String("already.")), qPrintable(said()));
        }
        choose("file_save");
        QVERIFY(!test_->find<QLabel>("keys_command")->text().contains(QLatin1String("also")));
        press(Qt::Key_F8);
        QCOMPARE(keys_of_action("edit_redo"), both);
        choose("edit_redo");
        QVERIFY(shows_both());
        press(Qt::Key_F12);
        QCOMPARE(keys_of_action("edit_redo"), QStringLiteral("F12"));
        QVERIFY(!shows_both());
    }

    void one_or_all_go_back_to_standard() {
        open();
        choose("edit_redo");
        press(Qt::Key_F12);
        choose("file_save");
        press(Qt::Key_F8);
        choose("edit_redo");
        QTest::mouseClick(test_->find("keys_standard"), Qt::LeftButton);
        QCOMPARE(keys_of_action("edit_redo"), QStringLiteral("Ctrl+Shift+Z; Ctrl+Y"));
        QCOMPARE(keys_of_action("file_save"), QStringLiteral("F8"));
        test_->answer("keys_question", QStringLiteral("&All as standard"));
        QTest::mouseClick(test_->find("keys_all_standard"), Qt::LeftButton);
        QCOMPARE(keys_of_action("file_save"), QStringLiteral("Ctrl+S"));
        QVERIFY(!test_->find<QPushButton>("keys_all_standard")->isEnabled());
    }

    void the_next_window_has_them() {
        open();
        choose("file_save");
        press(Qt::Key_F8);
        choose("file_print");
        QTest::mouseClick(test_->find("keys_none"), Qt::LeftButton);
        test_->close();
        test_->start();
        QCOMPARE(keys_of_action("file_save"), QStringLiteral("F8"));
        QCOMPARE(keys_of_action("file_print"), QString());
        QVERIFY(!test_->find("file_message")->isVisible());
    }

    void what_the_settings_have_that_is_no_key_is_left_out_and_told_data() {
        QTest::addColumn<QStringList>("lines");
        QTest::addColumn<QString>("told");
        QTest::addColumn<QString>("save");  // the key of Save
        QTest::newRow("no command") << QStringList{QStringLiteral("rubbish"), QStringLiteral("file_save=F8")}
                                    << "rubbish"
                                    << "F8";
        QTest::newRow("no key") << QStringList{QStringLiteral("file_save=Strg+Ü+")} << "Strg"
                                << "Ctrl+S";
        QTest::newRow("several keys")
            << QStringList{QStringLiteral("file_save=Ctrl+J, Ctrl+K")} << "Ctrl+J, Ctrl+K"
            << "Ctrl+S";
        QTest::newRow("another's") << QStringList{QStringLiteral("file_save=Ctrl+O")} << "Open…"
                                   << "Ctrl+S";
        QTest::newRow("a key of the player")
            << QStringList{QStringLiteral("play_forward=Ctrl+J"), QStringLiteral("file_save=F8")}
            << "play_forward"
            << "F8";
        QTest::newRow("a swap is none")
            << QStringList{QStringLiteral("file_save=Ctrl+O"), QStringLiteral("file_open=Ctrl+S")}
            << QString() << "Ctrl+O";
        QTest::newRow("a command of another version")
            << QStringList{QStringLiteral("gone=F12")} << QString() << "Ctrl+S";
    }
    void what_the_settings_have_that_is_no_key_is_left_out_and_told() {
        QFETCH(QStringList, lines);
        QFETCH(QString, told);
        QFETCH(QString, save);
        test_->close();
        {
            QSettings settings(test_->file(QStringLiteral("window.ini")), QSettings::IniFormat);
            settings.setValue(QStringLiteral("keys/chosen"), lines);
        }
        test_->start();
        QCOMPARE(keys_of_action("file_save"), save);
        QCOMPARE(test_->find("file_message")->isVisible(), !told.isEmpty());
        QVERIFY2(told.isEmpty() || test_->message("file_message").contains(told),
                 qPrintable(test_->message("file_message")));
    }

    void a_command_that_is_gone_keeps_no_key() {
        test_->close();
        {
            QSettings settings(test_->file(QStringLiteral("window.ini")), QSettings::IniFormat);
            settings.setValue(QStringLiteral("keys/chosen"), QStringList{QStringLiteral("gone=F12")});
        }
        test_->start();
        open();
        choose("file_save");
        press(Qt::Key_F12);
        QCOMPARE(keys_of_action("file_save"), QStringLiteral("F12"));
    }

    void keys_alone_find_and_change() {
        open();
        auto* search = test_->find<QLineEdit>("keys_search");
        QTRY_COMPARE(QApplication::focusWidget(), search);
        QTest::keyClicks(search, QStringLiteral("copy"));
        const QString first = at_current().data().toString();
        QTest::keyClick(search, Qt::Key_Down);
        QVERIFY(at_current().data().toString() != first);
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(QApplication::focusWidget(), &field());
        QTest::keyClick(&field(), Qt::Key_Escape);
        QVERIFY(!test_->find("keys_dialog")->isVisible());
        open();
        QCOMPARE(search->text(), QString());
        QTest::keyClicks(search, QStringLiteral("zzz"));
        QVERIFY(!field().isEnabled());
    }

    void what_works_whatever_has_the_focus_stays() {
        open();
        choose("play_forward");
        QVERIFY(!field().isEnabled());
        QVERIFY(test_->find<QLabel>("keys_command")->text().contains(QLatin1String("Right")));
        choose("cancel_run");
        QVERIFY2(field().isEnabled(), "a button's key, which no menu has");
    }

private:
    void open() {
        test_->trigger("change_keys");
        QTRY_VERIFY(test_->find("keys_dialog")->isVisible());
    }
    QTreeView& rows() { return *test_->find<QTreeView>("keys_rows"); }
    QModelIndex at_current() { return rows().currentIndex(); }
    void choose(const char* id) {
        test_->find<QLineEdit>("keys_search")->clear();
        const auto& model = *qobject_cast<const CommandModel*>(rows().model());
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.command(row).id == QLatin1String(id))
                rows().setCurrentIndex(model.index(row, 0));
        QCOMPARE(model.command(at_current().row()).id, QLatin1String(id));
    }
    KeyField& field() { return *test_->find<KeyField>("keys_field"); }
    void press(Qt::Key key, Qt::KeyboardModifiers held = {}) { QTest::keyClick(&field(), key, held); }
    QString said() { return test_->find<QLabel>("keys_said")->text(); }
    QString keys_of_action(const char* id) {
        return QKeySequence::listToString(test_->find<QAction>(id)->shortcuts(), QKeySequence::PortableText);
    }
};

QTEST_MAIN(KeysDialogTest)

}  // namespace headlight::keys_dialog_test

#include "keys_dialog_test.moc"
