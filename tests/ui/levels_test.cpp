// Seven levels of the run in view, led through by one key.

#include "core/attention/arithmetic_text.h"
#include "core/attention/explain.h"
#include "core/io/files.h"
#include "core/io/session.h"
#include "core/io/session_capture.h"
#include "tests/ui/windowed_test.h"
#include "ui/models/workbook_model.h"
#include "ui/views/figure_canvas.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTabBar>
#include <QTableView>
#include <QTextBrowser>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace headlight::levels_test {

namespace {

/// The text of every cell of a model, a line for each row.
QString all_cells(const QAbstractItemModel& model) {
    QString text;
    for (int row = 0; row < model.rowCount(); ++row) {
        for (int column = 0; column < model.columnCount(); ++column)
            text += model.index(row, column).data().toString() + QChar('\t');
        text += QChar('\n');
    }
    return text;
}

}  // namespace

class LevelsTest : public WindowedTest {
    Q_OBJECT
private slots:
    void one_key_leads_through_seven_levels() {
        open_session(test_->document(), small_session("causal"));
        const Session before = test_->session();
        const QStringList expected{QStringLiteral("token vectors"),
                                   QStringLiteral("scaled_dot"),
                                   QStringLiteral("masked_scores"),
                                   QStringLiteral("exp("),
                                   {},
                                   {},
                                   {}};
        for (int level = 0; level < expected.size(); ++level) {
            QTest::keyClick(level == 0 ? &test_->window() : test_->find("levels_dialog"), Qt::Key_F6);
            QTRY_VERIFY(test_->find("levels_dialog") && test_->find("levels_dialog")->isVisible());
            QCOMPARE(test_->find<QTabBar>("level_tabs")->currentIndex(), level);
            QCOMPARE(static_cast<int>(test_->session().view.level.value()), level);
            if (expected[level].isEmpty())
                continue;
            const QString text = test_->find<QTextBrowser>("level_text")->toPlainText();
            QVERIFY2(text.contains(expected[level]), qPrintable(text));
        }
        QTest::keyClick(test_->find("levels_dialog"), Qt::Key_F6);
        QCOMPARE(test_->find<QTabBar>("level_tabs")->currentIndex(), 0);
        QVERIFY(same_edits(test_->session(), before));  // looking is not editing
        QTest::keyClick(test_->find("levels_dialog"), Qt::Key_Escape);
        QVERIFY(!test_->session().view.level);
        QVERIFY(!test_->find("levels_dialog")->isVisible());
    }

    void the_level_is_kept_with_the_session() {
        Session session = small_session("causal");
        session.view.level = Level::tensors;
        const Session again = parse_session(write_session(session));
        QVERIFY(again.view.level == Level::tensors);
        QVERIFY(!parse_session(write_session(small_session("causal"))).view.level);
        QVERIFY_EXCEPTION_THROWN(parse_session(QString::fromStdString(write_session(session))
                                                   .replace(QLatin1String("tensors"), QLatin1String("atoms"))
                                                   .toStdString()),
                                 Error);
        open_session(test_->document(), session);
        QTRY_VERIFY(test_->find("levels_dialog") && test_->find("levels_dialog")->isVisible());
        QCOMPARE(test_->find<QTabBar>("level_tabs")->currentIndex(), 2);
    }

    void the_map_is_in_the_black_box() {
        show_level(Level::box);
        const auto* map = test_->find<FigureCanvas>("level_map");
        QTRY_VERIFY(map->isVisible() && map->figure());
        QVERIFY(map->figure()->panels.front().flow);
        QVERIFY(test_->find("level_text")->isVisible());
        show_level(Level::tensors);
        QVERIFY(!map->isVisible());
    }

    void one_learned_number_is_no_plural() {
        show_level(Level::box, "learned_scale");
        const auto* text = test_->find<QTextBrowser>("level_text");
        QTRY_VERIFY2(text->toPlainText().contains(QStringLiteral("1 learned number: ")),
                     qPrintable(text->toPlainText()));
    }

    void a_model_has_its_map_for_a_box() {
        show_level(Level::box);
        Session session = test_->session();
        session.model.emplace().name = "reverse-transformer";
        session.model->request.source = "abc";
        test_->document().edit({"", session});
        const auto* map = test_->find<FigureCanvas>("level_map");
        QTRY_VERIFY(!test_->find("level_text")->isVisible());
        QTRY_VERIFY(map->isVisible() && map->figure());
        QVERIFY(!test_->find("level_problem")->isVisible());
    }

    void of_a_model_there_are_its_box_the_arithmetic_and_the_formula_of_its_parts() {
        show_model(Level::box);
        const auto* tabs = test_->find<QTabBar>("level_tabs");
        for (int tab = 0; tab < tabs->count(); ++tab)
            QCOMPARE(tabs->isTabVisible(tab), (std::set{0, 3, 4}.contains(tab)));
        for (const Level level : {Level::arithmetic, Level::formula, Level::box}) {
            QTest::keyClick(test_->find("levels_dialog"), Qt::Key_F6);
            QCOMPARE(test_->session().view.level, std::optional(level));
            QCOMPARE(tabs->currentIndex(), static_cast<int>(level));
            QVERIFY(!test_->find("level_problem")->isVisible());
        }
        show_level(Level::box);  // a mechanism has all of them again
        for (int tab = 0; tab < tabs->count(); ++tab)
            QTRY_VERIFY(tabs->isTabVisible(tab));
    }

    void the_arithmetic_of_a_part_of_a_model_has_the_numbers_of_its_cell() {
        show_model(Level::arithmetic);
        const auto run = test_->document().run();
        Selection selection = test_->session().view.selection;
        selection.stage = "weights";
        selection.query = 1;
        selection.key = 2;
        test_->document().looking().select(selection);
        const QString text = test_->find<QTextBrowser>("level_text")->toPlainText();
        QVERIFY2(text.contains(QLatin1String("weights: row 2, column 3, head 1")), qPrintable(text));
        const Run::Explained explained = run->explained_at(selection.site);
        QVERIFY(explained.plan);
        const auto steps = explain_cell(*explained.plan, *explained.trace, "weights", 0, 1, 2);
        QVERIFY(steps.size() > 3);
        for (const ArithmeticStep& step : steps)
            QVERIFY2(text.contains(QString::fromStdString(step.expression)) &&
                         text.contains(QString::fromStdString(step.result)),
                     qPrintable(text));
    }

    void the_formula_of_a_part_of_a_model_is_shown_and_cannot_be_made_ones_own() {
        show_model(Level::formula);
        const auto* lines = test_->find<QPlainTextEdit>("level_formula_lines");
        QTRY_VERIFY(lines->toPlainText().contains(QLatin1String("context = weights @ value")));
        QVERIFY(!test_->find("level_mine")->isVisible());
        QVERIFY(test_->find("level_formula_copy")->isVisible());
        show_level(Level::formula);
        QTRY_VERIFY(test_->find("level_mine")->isVisible());
    }

    void parts_that_an_algorithm_does_without_are_not_among_the_parts() {
        show_level(Level::parts);
        const auto* text = test_->find<QTextBrowser>("level_text");
        for (const char* part : {"Score", "Selection", "Normaliser", "Algorithm"})
            QTRY_VERIFY2(text->toPlainText().contains(QLatin1String(part)), part);
        show_level(Level::parts, "retention");
        QTRY_VERIFY(text->toPlainText().contains(QLatin1String("retention")));
        for (const char* part : {"scaled_dot", "Score", "Selection", "Normaliser"})
            QVERIFY2(!text->toPlainText().contains(QLatin1String(part)), qPrintable(text->toPlainText()));
    }

    void parts_say_of_no_projections_nothing_else() {
        show_level(Level::parts, "dot");
        const auto* text = test_->find<QTextBrowser>("level_text");
        QTRY_VERIFY(text->toPlainText().contains(QLatin1String("Projections")));
        QVERIFY2(!text->toPlainText().contains(QLatin1String("Sharing")), qPrintable(text->toPlainText()));
        show_level(Level::parts, "multi_head");
        QTRY_VERIFY(text->toPlainText().contains(QLatin1String("Sharing")));
    }

    void a_stage_of_the_tensors_is_shown_where_it_is_clicked() {
        show_level(Level::tensors);
        emit test_->find<QTextBrowser>("level_text")->anchorClicked(QUrl(QStringLiteral("stage:scores")));
        QCOMPARE(test_->session().view.selection.stage, std::string("scores"));
    }

    void arithmetic_follows_the_selected_cell() {
        show_level(Level::arithmetic);
        auto* text = test_->find<QTextBrowser>("level_text");
        Selection selection = test_->session().view.selection;
        selection.stage = "weights";
        selection.query = 2;
        selection.key = 1;
        test_->document().looking().select(selection);
        QVERIFY2(text->toPlainText().contains(QLatin1String("weights: row 3, column 2, head 1")),
                 qPrintable(text->toPlainText()));
    }

    void cells_have_formulas_and_are_exported() {
        show_level(Level::spreadsheet);
        auto* cells = test_->find<QTableView>("level_cells");
        QTRY_VERIFY(cells->model()->rowCount() > 0);
        new QAbstractItemModelTester(cells->model(), QAbstractItemModelTester::FailureReportingMode::QtTest,
                                     cells->model());
        const QString all = all_cells(*cells->model());
        QVERIFY2(!all.contains(u'='), qPrintable(all.left(2000)));
        QVERIFY2(all.contains(QLatin1String("feature 3")), qPrintable(all.left(2000)));
        const auto* formula = test_->find<QLineEdit>("level_formula");
        QCOMPARE(formula->text(), QStringLiteral("Select a cell: its formula stands here"));
        const QModelIndexList scores = cells->model()->match(
            cells->model()->index(0, 0), Qt::DisplayRole, QStringLiteral("scores ["), 1, Qt::MatchStartsWith);
        QCOMPARE(scores.size(), 1);
        const QModelIndex first = scores.front().siblingAtColumn(1).sibling(scores.front().row() + 2, 1);
        cells->setCurrentIndex(first);
        const Trace& trace = *test_->document().run()->trace;
        const QString number =
            QString::fromStdString(format_number(trace.matrix(*trace.find("scores"), 0)[0]));
        QCOMPARE(first.data().toString(), number);
        QVERIFY2(formula->text().contains(QLatin1String(": SUMPRODUCT(")) &&
                     formula->text().endsWith(QStringLiteral(" = ") + number),
                 qPrintable(formula->text()));
        QCOMPARE(cells->model()->headerData(27, Qt::Horizontal).toString(), QStringLiteral("AB"));
        test_->find<QComboBox>("level_sheets")->setCurrentIndex(0);
        QVERIFY(all_cells(*cells->model()).contains(QLatin1String("tokens [")));

        const QString path = test_->file(QStringLiteral("cells.fods"));
        QTimer::singleShot(0, this, [path] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
            QTest::keyClick(dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit")), Qt::Key_Enter);
        });
        test_->click("level_export");
        QTRY_VERIFY(QFileInfo::exists(path));
        QVERIFY(QString::fromStdString(read_file(path.toStdString())).contains(QLatin1String("of:=EXP(")));
    }

    void the_names_of_a_copied_box_have_their_sign() {
        show_level(Level::box, "multi_head");
        auto* text = test_->find<QTextBrowser>("level_text");
        QVERIFY2(text->toPlainText().contains(QLatin1String("Wq")), qPrintable(text->toPlainText()));
        text->selectAll();
        text->copy();
        const QString taken = QGuiApplication::clipboard()->text();
        QVERIFY2(taken.contains(QLatin1String("W_q")), qPrintable(taken));
    }

    void lines_of_both_libraries_are_copied() {
        show_level(Level::code);
        auto* code = test_->find<QPlainTextEdit>("level_code");
        QTRY_VERIFY(code->toPlainText().contains(QLatin1String("import numpy as np")));
        test_->find<QComboBox>("level_library")->setCurrentIndex(1);
        QVERIFY(code->toPlainText().contains(QLatin1String("import torch")));
        test_->click("level_copy");
        QCOMPARE(QGuiApplication::clipboard()->text(), code->toPlainText());
    }

    void a_spreadsheet_that_is_too_large_is_said_in_words() {
        Session session = small_session("multi_head");
        session.sequence.query_text.clear();
        for (int word = 0; word < 100; ++word)
            session.sequence.query_text += "word ";
        session.view.level = Level::spreadsheet;
        open_session(test_->document(), session);
        auto* problem = test_->find<QLabel>("level_problem");
        QTRY_VERIFY(problem && problem->isVisible());
        QVERIFY2(problem->text().contains(QLatin1String("at most 200000 cells")),
                 qPrintable(problem->text()));
        // The lines are written all the same.
        QTest::keyClick(test_->find("levels_dialog"), Qt::Key_F6);
        QVERIFY(problem->isHidden());
        QVERIFY(
            test_->find<QPlainTextEdit>("level_code")->toPlainText().contains(QLatin1String("import numpy")));
    }

    void what_runs_no_mechanism_has_no_levels() {
        show_level(Level::parts);
        Session session = test_->session();
        session.model.emplace().name = "reverse-transformer";
        session.model->request.source = "abc";
        test_->document().edit({"", session});
        auto* problem = test_->find<QLabel>("level_problem");
        QTRY_VERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains(QLatin1String("not of a model")), qPrintable(problem->text()));
        // Where one is has its tab; who goes on does not come back to it.
        const auto* tabs = test_->find<QTabBar>("level_tabs");
        QVERIFY(tabs->isTabVisible(1));
        QTest::keyClick(test_->find("levels_dialog"), Qt::Key_F6);
        QCOMPARE(test_->session().view.level, std::optional(Level::arithmetic));
        QVERIFY(!tabs->isTabVisible(1) && !problem->isVisible());
    }

    void over_a_capture_no_level_of_a_mechanism_comes_back() {
        show_level(Level::parts);
        const Session captured = with_capture(
            test_->session(), HEADLIGHT_SOURCE_DIR "/tests/support/captures/causal.npz", RangeKind::fitted);
        QVERIFY(captured.view.level);
        test_->document().edit({"", captured});
        QVERIFY(!test_->find("levels_dialog")->isVisible());
        test_->document().history()->undo();
        QTRY_VERIFY(test_->find("levels_dialog")->isVisible());
        QCOMPARE(test_->session().view.level, std::optional(Level::parts));
        open_session(test_->document(), captured);  // as a file, or the next start, has it
        QVERIFY(!test_->session().view.level && !test_->find("levels_dialog")->isVisible());
        test_->trigger("next_level");  // to the box, which there is
        QTRY_VERIFY(test_->find("levels_dialog")->isVisible());
        QVERIFY(!test_->find("level_problem")->isVisible());
    }

    void a_class_can_read_them() {
        show_level(Level::formula);
        const std::array parts{"level_tabs", "level_text", "level_formula_lines", "level_code",
                               "level_cells"};
        const auto pixels_of = [this](const char* part) {
            return QFontInfo(test_->find(part)->font()).pixelSize();
        };
        std::array<int, parts.size()> before;
        std::ranges::transform(parts, before.begin(), pixels_of);
        test_->trigger("theme_projector");
        for (const char* part : parts)
            QTRY_VERIFY2(pixels_of(part) >= 18, part);
        test_->trigger("theme_light");
        for (std::size_t i = 0; i < parts.size(); ++i)
            QTRY_COMPARE(pixels_of(parts[i]), before[i]);
    }

private:
    /// The run is that of a model.
    void show_model(Level level) {
        show_level(level);
        Session session = test_->session();
        session.model.emplace().name = "reverse-transformer";
        session.model->request.source = "abc";
        test_->document().edit({"", session});
        QTRY_VERIFY(test_->document().run() && test_->document().run()->transcript);
    }
    void show_level(Level level, const char* mechanism = "causal") {
        Session session = small_session(mechanism);
        session.view.level = level;
        open_session(test_->document(), session);
        QTRY_VERIFY(test_->find("levels_dialog") && test_->find("levels_dialog")->isVisible());
    }
};

QTEST_MAIN(LevelsTest)

}  // namespace headlight::levels_test

#include "levels_test.moc"
