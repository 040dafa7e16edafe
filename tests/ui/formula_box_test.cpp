// Formulas of one's own in the window, as a person types them.

#include "core/attention/component.h"
#include "core/io/files.h"
#include "tests/ui/window_support.h"
#include "ui/models/mechanism_library.h"
#include "ui/views/formula_edit.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCompleter>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTimer>

#include <algorithm>
#include <array>

namespace headlight::formula_box_test {

class FormulaBoxTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        fail_on_warnings();
        test_ = std::make_unique<WindowUnderTest>();
        test_->document().reset(small_session("scaled_dot_product"));
        test_->trigger("compose_mechanism");
        QTRY_VERIFY(test_->document().run());
        test_->find<QPushButton>("own_as_formula")->click();
        QTRY_VERIFY(edit()->isVisible());
        QTRY_VERIFY(test_->document().run() && !test_->document().error());
    }
    void cleanup() { test_.reset(); }

    void a_mechanism_becomes_its_lines() {
        QVERIFY2(edit()->toPlainText().contains(QLatin1String("scores = query @ key.T")),
                 qPrintable(edit()->toPlainText()));
        QVERIFY(!test_->find("own_as_formula")->isEnabled());
        QVERIFY(!test_->find("compose_score")->isVisible());
        QVERIFY(test_->find("compose_heads")->isVisible());
    }

    void the_button_that_was_clicked_stays_where_it_is() {
        const auto place_of = [this](const char* id) {
            const QWidget* button = test_->find(id);
            return QRect(button->mapTo(test_->find("mechanism_dock"), QPoint()), button->size());
        };
        const std::array ids{"own_as_formula", "own_leave", "own_save"};
        test_->trigger("edit_undo");
        QTRY_VERIFY(!edit()->isVisible());
        QTest::qWait(50);
        std::array<QRect, 3> before;
        std::ranges::transform(ids, before.begin(), place_of);
        test_->find<QPushButton>("own_as_formula")->click();
        QTRY_VERIFY(edit()->isVisible());
        QTest::qWait(50);  // a panel is laid out and scrolled only then
        for (std::size_t i = 0; i < ids.size(); ++i)
            QVERIFY2(before[i].adjusted(0, 5, 0, -5).contains(place_of(ids[i]).center()), ids[i]);
    }

    void what_is_typed_runs() {
        type(QStringLiteral("weights = softmax(q @ k.T)"));
        QTRY_VERIFY(test_->document().run()->trace->find("weights"));
        QTRY_VERIFY(!test_->document().run()->trace->find("scaled_scores"));
        QVERIFY(!test_->document().error());
        QVERIFY(!test_->find("own_formula_problem")->isVisible());
        // What a name stands for is a stage.
        type(QStringLiteral("near = exp(-abs(i - j))\nweights = near / sum(near)"));
        QTRY_VERIFY(test_->document().run()->trace->find("near"));
    }

    void an_empty_box_shows_a_formula_that_runs() {
        edit()->clear();
        QTRY_VERIFY(test_->document().error());
        const QString example = edit()->placeholderText();
        QVERIFY(QString::fromStdString(read_file(HEADLIGHT_SOURCE_DIR "/docs/formula.md"))
                    .contains(QStringLiteral("```\n%1\n```").arg(example)));
        type(example);
        QTRY_VERIFY(!test_->document().error() && !test_->document().is_running());
        QVERIFY(test_->document().run()->trace->find("context"));
    }

    void a_mistake_is_said_below_and_underlined() {
        type(QStringLiteral("weights = softmax(q @ k)"));
        auto* problem = test_->find<QLabel>("own_formula_problem");
        QTRY_VERIFY(problem->isVisible());
        QVERIFY2(problem->text().startsWith(QLatin1String("Line 1, column 21")), qPrintable(problem->text()));
        QVERIFY2(problem->text().contains(QLatin1String(".T")), qPrintable(problem->text()));
        QCOMPARE(edit()->extraSelections().size(), 1);
        QCOMPARE(edit()->extraSelections().front().cursor.selectionStart(), 20);
        QVERIFY(edit()->toPlainText() == QLatin1String("weights = softmax(q @ k)"));  // nothing typed is lost
        type(QStringLiteral("weights = softmax(q @ k.T)"));
        QTRY_VERIFY(!problem->isVisible());
        QVERIFY(edit()->extraSelections().isEmpty());
    }

    void what_is_probably_not_meant_is_said_below() {
        type(QStringLiteral("scores = q @ k.T\nhalf = scores / 2\nweights = softmax(scores)"));
        const auto* remarks = test_->find<QLabel>("own_formula_remarks");
        QTRY_VERIFY(remarks->isVisible());
        QCOMPARE(remarks->text(), QStringLiteral("Line 2: no line reads \"half\": it changes nothing."));
        type(QStringLiteral("scores = q @ k.T\nhalf = scores / 2\nweights = softmax(half)"));
        QTRY_VERIFY(!remarks->isVisible());
    }

    void a_name_that_is_wrong_is_underlined_alone() {
        type(QStringLiteral("weights = softmax(qeury @ k.T)"));
        QTRY_COMPARE(edit()->extraSelections().size(), 1);
        QCOMPARE(edit()->extraSelections().front().cursor.selectedText(), QStringLiteral("qeury"));
        type(QStringLiteral("weights = softmax(q @ k.T"));  // what is no name, to the end of the line
        QTRY_COMPARE(edit()->extraSelections().size(), 1);
        QTRY_VERIFY(edit()->extraSelections().front().cursor.selectedText().endsWith(QLatin1String("k.T")));
    }

    void a_mistake_is_in_sight_in_a_low_window() {
        test_->window().resize(1280, 640);
        QTest::qWait(50);
        type(QStringLiteral("weights = softmax(qeury @ k.T)"));
        const auto* problem = test_->find<QLabel>("own_formula_problem");
        QTRY_VERIFY(problem->isVisible());
        QTRY_COMPARE(problem->visibleRegion().boundingRect(), problem->rect());
        QVERIFY(edit()->viewport()->visibleRegion().contains(edit()->cursorRect().center()));
    }

    // What is said of another text is none of this one.
    void a_mistake_is_pale_as_soon_as_the_text_is_another() {
        type(QStringLiteral("weights = softmax(q @ k)"));
        auto* problem = test_->find<QLabel>("own_formula_problem");
        QTRY_VERIFY(problem->isVisible() && problem->isEnabled());
        for (const char* next : {"weights = softmax(q @ k.T)", "weights = softmax(q @ q)"}) {
            type(QString::fromLatin1(next));
            const bool is_told_already = !test_->document().is_running();
            QVERIFY(is_told_already || problem->isHidden() || !problem->isEnabled());
            QVERIFY(is_told_already || edit()->extraSelections().isEmpty());
            QTRY_VERIFY(!test_->document().is_running());
            QTRY_COMPARE(problem->isVisible(), test_->document().error().has_value());
            QVERIFY(problem->isHidden() || problem->isEnabled());
        }
    }

    void a_mistake_is_said_once() {
        type(QStringLiteral("weights = softmax(q @ k)"));
        const auto* problem = test_->find<QLabel>("own_formula_problem");
        QTRY_VERIFY(problem->isVisible());
        QCOMPARE(test_->message("run_message"), QString());
        // With the formula out of sight the window says it.
        test_->trigger("fold_left");
        QTRY_VERIFY(!problem->isVisible());
        QVERIFY2(test_->message("run_message").contains(QLatin1String("line 1, column 21")),
                 qPrintable(test_->message("run_message")));
        test_->trigger("fold_left");
        QTRY_VERIFY(problem->isVisible());
        QCOMPARE(test_->message("run_message"), QString());
        // What else is wrong is said as ever.
        type(QStringLiteral("weights = softmax(q @ k.T)"));
        QTRY_VERIFY(!problem->isVisible());
        Session empty = test_->session();
        empty.sequence.query_text.clear();
        test_->document().edit({"Clear", empty});
        QTRY_VERIFY(!test_->message("run_message").isEmpty());
    }

    void a_file_has_parameters_that_the_formula_declares_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("token vectors and parameters") << QByteArray(
            R"({"query": [[1, 0], [0, 1], [1, 1]], "parameters": {"U_own": [[1, 2], [3, 4]]}})");
        QTest::newRow("parameters") << QByteArray(R"({"parameters": {"U_own": [[1, 2], [3, 4]]}})");
    }
    void a_file_has_parameters_that_the_formula_declares() {
        QFETCH(const QByteArray, content);
        Session narrow = test_->session();
        narrow.sequence.vectors.dimension = 2;
        test_->document().edit({"Narrow", narrow});
        type(QStringLiteral("weights = softmax(q @ U_own[d, d] @ k.T)"));
        QTRY_VERIFY(test_->document().run()->trace->find("weights") && !test_->document().error());
        const QString file = test_->file(QStringLiteral("own.json"));
        write_file_atomically(file.toStdString(), content.toStdString());
        test_->window().files().open_path(file);
        const auto is_there = [&] {
            const auto& given = test_->document().run()->plan->inputs.parameters;
            return given.contains("U_own") && given.at("U_own").size() == 4 && given.at("U_own")(1, 0) == 3.0;
        };
        QTRY_VERIFY(is_there());
        QCOMPARE(test_->message("file_message"), QString());
        QVERIFY(!test_->document().error());
        // A mechanism that has no use for it runs, and undo brings the numbers back.
        test_->find<QPushButton>("own_leave")->click();
        QTRY_VERIFY(!test_->document().error() &&
                    !test_->document().run()->plan->inputs.parameters.contains("U_own"));
        test_->trigger("edit_undo");
        QTRY_VERIFY(is_there());
    }

    void a_file_has_a_formula() {
        const QString file = test_->file(QStringLiteral("near.formula"));
        write_file_atomically(file.toStdString(), "near = exp(-abs(i - j))\nweights = near / sum(near)\n");
        drop(test_->window(), file);
        QTRY_VERIFY(test_->document().run()->trace->find("near") && !test_->document().error());
        QCOMPARE(QString::fromStdString(test_->session().custom->name), QStringLiteral("near"));
        QVERIFY2(edit()->toPlainText().startsWith(QLatin1String("near = exp(")),
                 qPrintable(edit()->toPlainText()));
        test_->trigger("edit_undo");
        QTRY_VERIFY(!test_->document().run()->trace->find("near"));
        // One with a mistake says where.
        write_file_atomically(file.toStdString(), "scores = q @@ k.T\n");
        test_->window().files().open_path(file);
        const auto said = [&] { return test_->message("file_message"); };
        QTRY_VERIFY2(said().contains(QLatin1String("near.formula")), qPrintable(said()));
        QVERIFY2(said().contains(QLatin1String("line 1, column 13")), qPrintable(said()));
    }

    void it_is_saved_as_its_lines_and_opens_again_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("written");
        QTest::newRow("by its ending") << "mine.formula"
                                       << "mine.formula";
        QTest::newRow("without an ending") << "mine"
                                           << "mine.formula";
        QTest::newRow("as a mechanism") << "mine.json"
                                        << "mine.json";
    }
    void it_is_saved_as_its_lines_and_opens_again() {
        QFETCH(const QString, typed);
        QFETCH(const QString, written);
        Session with_heads = test_->session();
        with_heads.sequence.vectors.dimension = 4;
        with_heads.custom->spec.heads.type = HeadsType::multi;
        with_heads.custom->spec.heads.heads = 2;
        test_->document().edit({"Two heads", with_heads});
        type(QStringLiteral("weights = softmax(q @ k.T) # mine"));
        QTRY_VERIFY(!test_->document().error());
        const AttentionSpec spec = complete_spec(session_spec(test_->session()));
        const QString file = test_->file(written);
        QTimer::singleShot(0, &test_->window(), [this, typed] {
            const auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            QCOMPARE(dialog->nameFilters(), QStringList({"Formulas (*.formula)", "Mechanisms (*.json)"}));
            QVERIFY(dialog->selectedFiles().value(0).endsWith(QLatin1String(".formula")));
            accept_file(test_->file(typed));
        });
        test_->trigger("own_export");
        QTRY_VERIFY(QFile::exists(file));
        const bool is_lines = written.endsWith(QLatin1String(".formula"));
        QCOMPARE(read_file(file.toStdString()).ends_with("\nweights = softmax(q @ k.T) # mine"), is_lines);
        test_->document().reset(small_session("dot"));
        test_->window().files().open_path(file);
        QTRY_VERIFY(test_->session().custom);
        AttentionSpec again = complete_spec(session_spec(test_->session()));
        std::string& lines = std::get<std::string>(again.algorithm.options.at("text"));
        lines.erase(0, lines.find_first_not_of('\n'));  // where the line was that says what is around
        QVERIFY(again == spec);
    }

    void a_mechanism_of_parts_is_saved_as_no_formula() {
        test_->document().reset(small_session("dot"));
        test_->trigger("compose_mechanism");
        QTimer::singleShot(0, &test_->window(), [] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            QCOMPARE(dialog->nameFilters(), QStringList("Mechanisms (*.json)"));
            dialog->reject();
        });
        test_->trigger("own_export");
    }

    void a_file_has_a_formula_as_other_programs_write_it_data() {
        QTest::addColumn<QByteArray>("content");
        const QString text = QStringLiteral("weights = softmax(q @ k.T)\r\n");
        QTest::newRow("lines of Windows") << text.toUtf8();
        QTest::newRow("UTF-8 with a mark") << "\xEF\xBB\xBF" + text.toUtf8();
        QByteArray wide("\xFF\xFE");
        for (const QChar letter : text)
            wide.append(char(letter.cell())).append(char(letter.row()));
        QTest::newRow("UTF-16") << wide;
    }
    void a_file_has_a_formula_as_other_programs_write_it() {
        QFETCH(const QByteArray, content);
        const QString file = test_->file(QStringLiteral("other.formula"));
        write_file_atomically(file.toStdString(), content.toStdString());
        test_->window().files().open_path(file);
        QTRY_COMPARE(QString::fromStdString(test_->session().custom->name), QStringLiteral("other"));
        QVERIFY(edit()->toPlainText().startsWith(QLatin1String("weights = softmax")));
        QCOMPARE(test_->message("file_message"), QString());
    }

    void what_is_no_text_is_no_formula_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("told");
        QTest::newRow("another encoding") << QByteArray("# caf\xE9\nweights = softmax(q @ k.T)\n") << "UTF-8";
        QTest::newRow("numbers") << QByteArray(64, '\0') << "UTF-8";
        QTest::newRow("nothing") << QByteArray() << "an empty file";
        QTest::newRow("no line") << QByteArray("# to be written\n") << "no line";
        QTest::newRow("too much") << QByteArray(100'000, '#') << "65536";
    }
    void what_is_no_text_is_no_formula() {
        QFETCH(const QByteArray, content);
        QFETCH(const QString, told);
        const Session before = test_->session();
        const QString file = test_->file(QStringLiteral("other.formula"));
        write_file_atomically(file.toStdString(), content.toStdString());
        test_->window().files().open_path(file);
        const auto said = [&] { return test_->message("file_message"); };
        QTRY_VERIFY2(said().contains(QLatin1String("other.formula")), qPrintable(said()));
        QVERIFY2(said().contains(told), qPrintable(said()));
        QVERIFY(same_edits(test_->session(), before));
    }

    void a_name_that_no_formula_declares_is_refused() {
        const QString file = test_->file(QStringLiteral("other.json"));
        write_file_atomically(file.toStdString(), R"({"parameters": {"U_own": [[1, 2], [3, 4]]}})");
        test_->window().files().open_path(file);
        QTRY_VERIFY(test_->message("file_message").contains(QLatin1String("\"U_own\"")));
    }

    void what_is_put_in_is_undone_as_one_edit() {
        const QString before = edit()->toPlainText();
        type(QStringLiteral("weights = softmax(q @ k.T)"));
        test_->trigger("edit_undo");
        QTRY_COMPARE(edit()->toPlainText(), before);
        test_->trigger("edit_redo");
        QTRY_COMPARE(edit()->toPlainText(), QStringLiteral("weights = softmax(q @ k.T)"));
    }

    void typing_is_undone_word_by_word_where_it_was_typed() {
        type(QStringLiteral("weights = 1\n# end"));
        test_->trigger("edit_undo");
        test_->trigger("edit_redo");  // what follows is another go
        edit()->moveCursor(QTextCursor::Start);
        edit()->moveCursor(QTextCursor::EndOfLine);
        QTest::keyClicks(edit(), QStringLiteral(" / n # zz"));
        const QString typed = edit()->toPlainText();
        QCOMPARE(typed, QStringLiteral("weights = 1 / n # zz\n# end"));
        for (const char* left : {"weights = 1 / n # ", "weights = 1 / ", "weights = 1"}) {
            QTest::keyClick(edit(), Qt::Key_Z, Qt::ControlModifier);
            QCOMPARE(edit()->toPlainText(), QLatin1String(left) + QStringLiteral("\n# end"));
            QCOMPARE(edit()->textCursor().position(), int(qstrlen(left)));
        }
        for (int word = 0; word < 3; ++word)
            test_->trigger("edit_redo");
        QCOMPARE(edit()->toPlainText(), typed);
        QCOMPARE(edit()->textCursor().position(), int(typed.indexOf(QChar('\n'))));
    }

    void what_is_left_without_being_saved_is_in_the_list_data() {
        QTest::addColumn<QString>("way");
        for (const char* way : {"another one", "back", "a file"})
            QTest::newRow(way) << way;
    }
    void what_is_left_without_being_saved_is_in_the_list() {
        QFETCH(const QString, way);
        const QString typed = QStringLiteral("weights = softmax(q @ k) # not done");
        const QString name = QString::fromStdString(test_->session().custom->name);
        type(typed);
        const auto* library = test_->window().findChild<MechanismLibrary*>();
        if (way == QLatin1String("another one")) {
            QTest::keyClick(test_->find("mechanism"), Qt::Key_PageDown);
        } else if (way == QLatin1String("back")) {
            test_->find<QPushButton>("own_leave")->click();
        } else {
            const QString file = test_->file(QStringLiteral("near.formula"));
            write_file_atomically(file.toStdString(), "weights = softmax(q @ k.T)\n");
            test_->window().files().open_path(file);
            QTRY_COMPARE(QString::fromStdString(test_->session().custom->name), QStringLiteral("near"));
        }
        QTRY_VERIFY(library->find_draft(name));
        QVERIFY(!library->find(name));
        test_->document().reset(small_session("dot"));  // undo would not bring it back
        test_->trigger("choose_mechanism");
        QTest::keyClicks(test_->find("mechanism_search"), QStringLiteral("mine not saved"));
        QTest::keyClick(test_->find("mechanism_search"), Qt::Key_Return);
        QTRY_VERIFY(test_->session().custom);
        QCOMPARE(QString::fromStdString(test_->session().custom->name), name);
        QCOMPARE(edit()->toPlainText(), typed);
        QTest::keyClick(test_->find("own_save"), Qt::Key_Space);
        QTRY_VERIFY(library->find(name) && !library->find_draft(name));
    }

    void what_nothing_was_changed_of_is_no_draft() {
        test_->document().reset(small_session("dot"));
        test_->trigger("compose_mechanism");
        test_->find<QPushButton>("own_leave")->click();
        QVERIFY(!test_->session().custom);
        QTest::qWait(50);  // a draft would be written by another thread
        QVERIFY(test_->window().findChild<MechanismLibrary*>()->drafts().empty());
    }

    void names_are_offered_and_taken() {
        edit()->setFocus();
        edit()->selectAll();
        QTest::keyClicks(edit(), QStringLiteral("weights = spars"));
        const QAbstractItemView* list = popup();
        QTRY_VERIFY(list->isVisible());
        QTest::keyClick(edit(), Qt::Key_Tab);
        QVERIFY(!list->isVisible());
        QCOMPARE(edit()->toPlainText(), QStringLiteral("weights = sparsemax"));
        QTest::keyClicks(edit(), QStringLiteral("(q @ k.T)"));
        QTRY_VERIFY(!test_->document().error());
    }

    void it_comes_back_with_the_session() {
        type(QStringLiteral("weights = softmax(q @ k.T) # mine"));
        const Session again = parse_session(write_session(test_->session()));
        QVERIFY(again.custom);
        QCOMPARE(std::get<std::string>(again.custom->spec.algorithm.options.at("text")),
                 std::string("weights = softmax(q @ k.T) # mine"));
    }

    void a_level_shows_the_formula_and_makes_it_mine() {
        test_->document().reset(small_session("dot"));
        ViewState view = test_->document().view();
        view.level = Level::formula;
        test_->document().looking().look_at(view);
        auto* lines = test_->find<QPlainTextEdit>("level_formula_lines");
        QTRY_VERIFY(lines->toPlainText().contains(QLatin1String("context = weights @ value")));
        test_->find<QPushButton>("level_mine")->click();
        QTRY_VERIFY(test_->session().custom);
        QCOMPARE(QString::fromStdString(test_->session().custom->name),
                 QStringLiteral("Dot-product attention of mine"));
        QTRY_COMPARE(edit()->toPlainText(), lines->toPlainText());
        // The lines are there to be changed: the keyboard is no longer in the window of the levels.
        QTRY_VERIFY(edit()->hasFocus());
        QCOMPARE(QApplication::activeWindow(), static_cast<QWidget*>(&test_->window()));
    }

    void what_becomes_ones_own_comes_to_the_front_data() {
        QTest::addColumn<bool>("is_from_file");
        QTest::newRow("from the levels") << false;
        QTest::newRow("from a file") << true;
    }
    void what_becomes_ones_own_comes_to_the_front() {
        QFETCH(const bool, is_from_file);
        Session session = small_session("dot");
        session.view.level = is_from_file ? std::nullopt : std::optional(Level::formula);
        test_->document().reset(session);
        auto* lines = test_->find<QPlainTextEdit>("level_formula_lines");
        if (!is_from_file)
            QTRY_VERIFY(lines->toPlainText().contains(QLatin1String("context = weights @ value")));
        test_->find<QDockWidget>("model_dock")->raise();
        QTRY_VERIFY(edit()->visibleRegion().isEmpty());
        if (is_from_file) {
            const QString file = test_->file(QStringLiteral("near.formula"));
            write_file_atomically(file.toStdString(), "weights = softmax(q @ k.T)\n");
            test_->window().files().open_path(file);
        } else {
            test_->find<QPushButton>("level_mine")->click();
        }
        QTRY_VERIFY(test_->session().custom);
        QTRY_VERIFY(!test_->find("own_name")->visibleRegion().isEmpty());
    }

    void what_waits_behind_a_model_is_built_on() {
        const std::optional<CustomMechanism> mine = test_->session().custom;
        Session session = test_->session();
        session.model.emplace().name = "translate-transformer";
        session.model->request.source = "the cat sleeps";
        test_->document().edit({"Run a model", session});
        QTRY_VERIFY(!test_->document().is_running());
        test_->trigger("compose_mechanism");
        QVERIFY(test_->session().runs_mechanism());
        QVERIFY(test_->session().custom == mine);
        QTRY_VERIFY(!test_->find("own_name")->visibleRegion().isEmpty());
    }

private:
    FormulaEdit* edit() const { return test_->find<FormulaEdit>("own_formula_text"); }
    QAbstractItemView* popup() const { return edit()->findChild<QCompleter*>()->popup(); }
    void type(const QString& text) {
        edit()->setFocus();
        edit()->selectAll();
        edit()->insertPlainText(text);
    }

    std::unique_ptr<WindowUnderTest> test_;
};

QTEST_MAIN(FormulaBoxTest)

}  // namespace headlight::formula_box_test

#include "formula_box_test.moc"
