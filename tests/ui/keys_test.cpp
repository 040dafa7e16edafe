// Every key stands in one table; the player's work whatever has the focus, but for a text being typed.

#include "core/figure/view.h"
#include "core/io/files.h"
#include "core/io/image_session.h"
#include "core/io/view_subject.h"
#include "tests/support/sample_pictures.h"
#include "tests/ui/views_support.h"
#include "tests/ui/windowed_test.h"
#include "ui/actions/actions.h"
#include "ui/actions/shortcuts.h"
#include "ui/models/head_overviews.h"
#include "ui/panels/help_actions.h"
#include "ui/panels/player_bar.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/walks_heads.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QSlider>
#include <QTabBar>
#include <QTextBrowser>

#include <algorithm>
#include <set>

namespace headlight::keys_test {

namespace {

bool is_text(const QWidget& widget) {
    const auto* combo = qobject_cast<const QComboBox*>(&widget);
    return qobject_cast<const QLineEdit*>(&widget) || qobject_cast<const QPlainTextEdit*>(&widget) ||
           qobject_cast<const QAbstractSpinBox*>(&widget) || (combo && combo->isEditable());
}

/// Takes the files that would be opened by another program.
class Reader : public QObject {
    Q_OBJECT
public:
    Reader() { QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "take"); }
    ~Reader() override { QDesktopServices::unsetUrlHandler(QStringLiteral("file")); }
    Q_INVOKABLE void take(const QUrl& url) { opened = url; }
    QUrl opened;
};

}  // namespace

class KeysTest : public WindowedTest {
    Q_OBJECT
private slots:
    void right_steps_the_player_and_down_the_heads_whatever_has_the_focus_data() {
        share_over_rows();
        QTest::addColumn<int>("view");
        for (int view = 0; view < static_cast<int>(views().size()); ++view)
            QTest::newRow(views()[std::size_t(view)].title.c_str()) << view;
    }
    void right_steps_the_player_and_down_the_heads_whatever_has_the_focus() {
        QFETCH(int, view);
        Session session = small_session("multi_head");
        session.compared = {{"causal", {}, {}}};
        const ViewKind kind = views()[std::size_t(view)].kind;
        if (!missing_for(kind, view_subject(session)).empty())
            session = with_image(session, cut(samples::landscape(96, 64)), "landscape.png");
        QCOMPARE(missing_for(kind, view_subject(session)), std::string());
        session.view.view = kind;
        open_session(test_->document(), session);
        QCOMPARE(test_->session().view.view, kind);
        if (headlight::view(kind).reads_every_head)
            QTRY_VERIFY(HeadOverviews::of(test_->document()).overview());
        auto* scrubber = test_->find<QSlider>("player-scrubber");
        int tried = 0;
        for (QWidget* widget : test_->window().findChildren<QWidget*>()) {
            if (widget->window() != &test_->window() || !widget->isVisible() || !widget->isEnabled() ||
                !(widget->focusPolicy() & Qt::TabFocus) || is_text(*widget) ||
                qobject_cast<QMenuBar*>(widget))
                continue;
            const Session before = test_->session();
            widget->setFocus();
            test_->window().findChild<PlayerBar*>()->first();
            const int position = scrubber->value();
            QTest::keyClick(widget, Qt::Key_Right);
            const QString who = QStringLiteral("%1 %2").arg(QLatin1String(widget->metaObject()->className()),
                                                            widget->objectName());
            QVERIFY2(scrubber->value() == position + 1, qPrintable(who));
            QTest::keyClick(widget, Qt::Key_Left);
            QVERIFY2(scrubber->value() == position, qPrintable(who));
            const Index head = test_->session().view.selection.head;
            QTest::keyClick(widget, Qt::Key_Down);
            // A table or a picture of heads goes to the one that lies below, or above.
            const bool walks_heads = dynamic_cast<const WalksHeads*>(widget);
            QVERIFY2(walks_heads || test_->session().view.selection.head == head + 1, qPrintable(who));
            QTest::keyClick(widget, Qt::Key_Up);
            QVERIFY2(walks_heads || test_->session().view.selection.head == head, qPrintable(who));
            QVERIFY2(same_edits(test_->session(), before), qPrintable(who));
            ++tried;
        }
        QVERIFY(tried > 20);
    }

    void a_text_being_typed_keeps_its_keys() {
        auto* text = test_->find<QPlainTextEdit>("query_text");
        text->setFocus();
        text->moveCursor(QTextCursor::Start);
        const ViewState before = test_->session().view;
        QTest::keyClick(text, Qt::Key_Right);
        QCOMPARE(text->textCursor().position(), 1);
        QTest::keyClick(text, Qt::Key_Down);
        QTest::keyClick(text, Qt::Key_2);
        QVERIFY(text->toPlainText().contains(QLatin1Char('2')));
        QCOMPARE(test_->session().view.selection.head, before.selection.head);
        QCOMPARE(test_->session().view.selection.stage, before.selection.stage);
    }

    void menus_have_their_keys_in_a_field() {
        auto* text = test_->find<QPlainTextEdit>("query_text");
        text->setFocus();
        const QString before = text->toPlainText();
        QTest::keyClick(text, Qt::Key_A, Qt::ControlModifier);  // the text's own
        QCOMPARE(text->textCursor().selectedText(), before);
        QTest::keyClick(text, Qt::Key_E, Qt::ControlModifier);
        QTRY_VERIFY(test_->find("export_dialog") && test_->find("export_dialog")->isVisible());
        test_->find("export_dialog")->close();
        QCOMPARE(text->toPlainText(), before);
    }

    void menus_have_room_on_a_small_screen() {
        for (const QAction* menu : test_->window().menuBar()->actions()) {
            const QSize size = menu->menu()->sizeHint();
            QVERIFY2(size.height() < 600,
                     qPrintable(QStringLiteral("%1: %2").arg(menu->text()).arg(size.height())));
        }
    }

    void an_open_list_keeps_its_keys() {
        open_session(test_->document(), small_session("multi_head"));
        auto* modes = test_->find<QComboBox>("player-mode");
        modes->setFocus();
        modes->showPopup();
        QTRY_VERIFY(QApplication::activePopupWidget());
        const Index head = test_->session().view.selection.head;
        QTest::keyClick(modes->view(), Qt::Key_Down);
        QCOMPARE(test_->session().view.selection.head, head);
        modes->hidePopup();
    }

    void a_digit_chooses_a_head_while_a_list_has_the_focus() {
        open_session(test_->document(), small_session("multi_head"));
        auto* modes = test_->find<QComboBox>("player-mode");
        modes->setFocus();
        QTest::keyClick(modes, Qt::Key_3);
        QCOMPARE(test_->session().view.selection.head, Index(2));
    }

    void with_shift_the_control_has_its_arrows() {
        open_session(test_->document(), small_session("multi_head"));
        auto* modes = test_->find<QComboBox>("player-mode");
        modes->setFocus();
        const int before = modes->currentIndex();
        QTest::keyClick(modes, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(modes->currentIndex(), before + 1);
        QCOMPARE(test_->session().view.selection.head, Index(0));
    }

    void at_a_fresh_start_only_the_picture_and_right_step_on() {
        test_->trigger("only_picture");
        QWidget* focused = QApplication::focusWidget() ? QApplication::focusWidget() : &test_->window();
        test_->window().findChild<PlayerBar*>()->first();
        const int tab = test_->window().views().currentIndex();
        QTest::keyClick(focused, Qt::Key_Right);
        QCOMPARE(test_->window().views().currentIndex(), tab);
        QCOMPARE(test_->find<QSlider>("player-scrubber")->value(), 1);
    }

    /// And not in a list above it, which Space would open.
    void a_view_that_a_key_chooses_has_the_focus_in_its_picture() {
        open_session(test_->document(), small_session("multi_head"));
        ViewTabs& tabs = test_->window().views();
        for (const ViewKind kind : {ViewKind::axes, ViewKind::heatmap, ViewKind::axes}) {
            tabs.picture()->setFocus();
            const auto at = std::ranges::find(views(), kind, &View::kind) - views().begin();
            test_->trigger(qPrintable(QStringLiteral("view_%1").arg(at + 1)));
            QCOMPARE(test_->session().view.view, kind);
            QCOMPARE(QApplication::focusWidget(), tabs.picture());
        }
    }

    void every_key_of_an_action_or_a_button_stands_in_the_table() {
        test_->window().views().view(ViewKind::compare);
        test_->trigger("edit_mask_action");
        QTRY_VERIFY(QApplication::activeModalWidget());
        std::set<QString> found;
        const auto check = [&](const QString& id, const QList<QKeySequence>& keys) {
            if (keys.isEmpty() || keys == QList<QKeySequence>{QKeySequence()} ||
                keys.front() == QKeySequence(QKeySequence::Copy))
                return;
            const QString row =
                id.startsWith(QLatin1String("theme_")) ? QStringLiteral("theme_projector") : id;
            QVERIFY2(!keys_of(row).isEmpty(), qPrintable(id));
            QVERIFY2(keys == keys_of(row) || keys == QList<QKeySequence>{keys_of(row).front()},
                     qPrintable(id));
            found.insert(row);
        };
        for (const QAction* action : test_->window().findChildren<QAction*>())
            check(action->objectName(), action->shortcuts());
        for (const auto* button : test_->window().findChildren<QAbstractButton*>())
            if (!button->text().contains(QLatin1Char('&')))  // a letter of its text is no key of the program
                check(button->objectName(), {button->shortcut()});
        for (const Shortcut& row : shortcuts())
            if (row.kind == Shortcut::Kind::action && row.id != std::string("view_15"))
                QVERIFY2(found.contains(QString::fromLatin1(row.id)) ||
                             QLatin1String(row.group).contains(QLatin1String("mask")),
                         row.id);
        QApplication::activeModalWidget()->close();
    }

    void every_row_of_the_table_says_what_it_does_and_is_in_a_menu() {
        std::set<QString> ids;
        for (const ActionRow& row : action_rows()) {
            QVERIFY2(*row.menu == '\0' || ids.contains(QLatin1String(row.menu)), row.menu);
            if (row.kind == ActionRow::Kind::again) {
                QVERIFY2(ids.contains(QLatin1String(row.id)), row.id);
                continue;
            }
            QVERIFY2(*row.id == '\0' || ids.insert(QLatin1String(row.id)).second, row.id);
            if (row.kind != ActionRow::Kind::action && row.kind != ActionRow::Kind::key_only &&
                row.kind != ActionRow::Kind::own && row.kind != ActionRow::Kind::each)
                continue;
            QVERIFY2(*row.text != '\0' && *row.tip != '\0', row.id);
            // Those are made when their menu or window opens: action_menus_test.
            if (row.kind == ActionRow::Kind::each || is_made_elsewhere(row))
                continue;
            auto* action = test_->find<QAction>(row.id);
            QVERIFY2(action && !action->toolTip().isEmpty(), row.id);
            const auto* menu = test_->find<QMenu>(row.menu);
            QVERIFY2(row.kind == ActionRow::Kind::key_only || menu->actions().contains(action), row.id);
        }
        QVERIFY(ids.size() > 70);
    }

    void no_key_stands_twice() {
        std::set<QString> taken;
        for (const Shortcut& row : shortcuts()) {
            if (row.kind == Shortcut::Kind::focused ||
                QLatin1String(row.group) == QLatin1String("In the mask editor"))
                continue;
            for (const QString& key : QString::fromUtf8(row.keys).split(QStringLiteral("; ")))
                QVERIFY2(taken.insert(key).second, qPrintable(key));
        }
    }

    void no_key_belongs_to_an_input_method_or_is_behind_altgr() {
        // Ctrl+Space and Ctrl+. are input methods' (IBus, Fcitx); [ ] and their kind are typed with AltGr on
        // many keyboards.
        for (const Shortcut& row : shortcuts())
            for (const QKeySequence& keys : keys_of(QLatin1String(row.id))) {
                const QKeyCombination key = keys[0];
                const bool with_control = key.keyboardModifiers().testFlag(Qt::ControlModifier);
                const int code = key.key();
                const bool is_letter_or_digit =
                    (code >= Qt::Key_A && code <= Qt::Key_Z) || (code >= Qt::Key_0 && code <= Qt::Key_9);
                const bool has_no_sign = code >= Qt::Key_Escape;
                QVERIFY2(!with_control || is_letter_or_digit || has_no_sign, row.keys);
            }
    }

    void help_opens_the_manual_that_was_installed() {
        Reader reader;
        QWidget window;
        Actions installed(&window);
        auto* help = new HelpActions(installed, &window, "/usr/share/doc/headlight/docs");
        QAction& manual = installed.at(QStringLiteral("help_manual"));
        QVERIFY(manual.isEnabled());
        manual.trigger();
        QCOMPARE(reader.opened, QUrl(QStringLiteral("file:///usr/share/doc/headlight/docs/manual.md")));
        help->open_page(QStringLiteral("learned.md"));
        QCOMPARE(reader.opened, QUrl(QStringLiteral("file:///usr/share/doc/headlight/docs/learned.md")));
        // In a build's folder the manual is that of the source.
        QCOMPARE(manual_folder(QCoreApplication::applicationFilePath().toStdString() + "/nowhere"),
                 std::filesystem::path());
        QCOMPARE(manual_folder(HEADLIGHT_BINARY_DIR "/CMakeCache.txt"),
                 std::filesystem::path(HEADLIGHT_SOURCE_DIR "/docs"));
        Actions alone(&window);
        new HelpActions(alone, &window, {});
        QVERIFY(!alone.at(QStringLiteral("help_manual")).isEnabled());
        QVERIFY(alone.at(QStringLiteral("help_manual")).toolTip().contains(QLatin1String("not beside")));
    }

    /// As Qt writes it in menus.
    void a_key_has_one_name_everywhere() {
        QVERIFY(!shortcuts_markdown().contains(QLatin1String("Page ")));
        QVERIFY(!QString::fromStdString(read_file(HEADLIGHT_SOURCE_DIR "/docs/teachers.md"))
                     .contains(QLatin1String("<kbd>Page ")));
    }

    void help_and_the_manual_have_the_table() {
        test_->trigger("help_keyboard");
        auto* page = test_->find("help_page")->findChild<QTextBrowser*>();
        QVERIFY(page);
        const QString shown = page->toPlainText();
        for (const Shortcut& row : shortcuts())
            QVERIFY2(*row.words == '\0' || shown.contains(QString::fromUtf8(row.words)), row.id);
        test_->find("help_page")->close();
        QTest::keyClick(&test_->window(), Qt::Key_Question, Qt::ShiftModifier);
        QTRY_VERIFY(test_->find("help_page"));
        test_->find("help_page")->close();
        const std::string manual = read_file(HEADLIGHT_SOURCE_DIR "/docs/keys.md");
        QVERIFY2(manual == shortcuts_markdown().toStdString(),
                 "docs/keys.md is stale: scripts/build_docs.sh");
    }

    void tooltips_and_menus_show_the_keys() {
        QVERIFY(test_->window().views().tabToolTip(1).endsWith(QLatin1String("(Ctrl+2)")));
        const QString forward = test_->find<QAction>("play_forward")->text();
        QVERIFY2(forward.endsWith(QLatin1String("\tRight")), qPrintable(forward));
    }
};

QTEST_MAIN(KeysTest)

}  // namespace headlight::keys_test

#include "keys_test.moc"
