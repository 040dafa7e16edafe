// A text, a model or a capture beside another one, in the window.

#include "core/figure/view.h"
#include "core/io/model_title.h"
#include "tests/ui/model_support.h"
#include "ui/panels/file_actions.h"
#include "ui/views/cell_text.h"

#include <QCheckBox>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace headlight::counterpart_window_test {

class CounterpartWindowTest : public ModelTest {
    Q_OBJECT
private slots:
    void a_text_is_compared_with_another_one_that_is_typed() {
        choose("counterpart_compare", {QStringLiteral("Another text")});
        QTRY_VERIFY(is_compared());
        QVERIFY(!test_->find("counterpart_compare")->isVisible());
        QCOMPARE(test_->session().counterpart->value, test_->session().sequence.query_text);
        QVERIFY(test_->session().figure.differences);
        show(ViewKind::heatmap);
        for (const double number : test_->document().figure()->panels.front().values)
            QCOMPARE(number, 0.0);
        auto* edit = test_->find<QPlainTextEdit>("counterpart_text");
        QTRY_VERIFY(edit->isVisible() && edit->hasFocus());
        type_over(edit, QStringLiteral("the animal didn't cross it"));
        QTRY_COMPARE(test_->session().counterpart->value, std::string("the animal didn't cross it"));
        QTRY_VERIFY(is_compared());
        bool differs = false;
        for (const double number : test_->document().figure()->panels.front().values)
            differs = differs || number != 0;
        QVERIFY(differs);
        const Run& run = *test_->document().run();
        QVERIFY(run.plan);  // the session's own run goes on as it was
        Selection cell = test_->document().view().selection;
        cell.stage = "weights";
        cell.query = 2;
        cell.key = 1;
        test_->document().looking().select(cell);
        const auto weight = [&](const Trace& trace) {
            const Stage& weights = *trace.find("weights");
            return trace.matrix(weights, cell.head)[std::size_t(2 * weights.extent(Axis::key) + 1)];
        };
        const double own = weight(*run.trace), other = weight(*run.untouched);
        const QString both =
            QStringLiteral(" %1, ").arg(readable_number(own)) +
            QStringLiteral("%1 %2, difference %3%4.")
                .arg(QString::fromStdString(run.untouched->name), readable_number(other),
                     own > other ? QStringLiteral("+") : QString(), readable_number(own - other));
        QVERIFY(own != other);
        QVERIFY2(test_->find<QLabel>("inspector-notes")->text().endsWith(both),
                 qPrintable(test_->find<QLabel>("inspector-notes")->text() + QStringLiteral(" / ") + both));
    }

    void every_view_shows_the_pair_or_says_why_not() {
        choose("counterpart_compare", {QStringLiteral("Another text")});
        type_over(test_->find("counterpart_text"), QStringLiteral("one word less"));
        QTRY_VERIFY(is_compared());
        for (const View& each : views()) {
            show(each.kind);
            QVERIFY(!test_->window().grab().isNull());
            QVERIFY2(test_->document().figure() || each.reads_every_head ||
                         !test_->document().missing_figure(each.kind).isEmpty() ||
                         !missing_for(each.kind, {.runs_mechanism = true}).empty(),
                     each.title.c_str());
        }
        show(ViewKind::compare);
        QCOMPARE(test_->document().figure()->panels.size(), std::size_t(3));
    }

    void undo_and_the_cross_end_it() {
        const Session before = test_->session();
        choose("counterpart_compare", {QStringLiteral("Another text")});
        QTRY_VERIFY(is_compared());
        test_->find<QToolButton>("counterpart_end")->click();
        QVERIFY(!test_->session().counterpart && !test_->session().figure.differences);
        QTRY_VERIFY(!is_compared());
        QVERIFY(test_->find("counterpart_compare")->isVisible());
        test_->trigger("edit_undo");
        QTRY_VERIFY(is_compared());
        QVERIFY(test_->find<QCheckBox>("counterpart_difference")->isChecked());
        test_->trigger("edit_undo");
        QVERIFY(same_edits(test_->session(), before));
    }

    void an_empty_text_is_said_and_nothing_is_lost() {
        choose("counterpart_compare", {QStringLiteral("Another text")});
        QTRY_VERIFY(is_compared());
        test_->find<QPlainTextEdit>("counterpart_text")->selectAll();
        QTest::keyClick(test_->find("counterpart_text"), Qt::Key_Delete);
        QTRY_VERIFY(test_->document().error());
        QVERIFY(test_->document().run());
        type_over(test_->find("counterpart_text"), QStringLiteral("a text"));
        QTRY_VERIFY(is_compared() && !test_->document().error());
    }

    void a_model_is_compared_with_another_one_and_with_another_text() {
        test_->generate("dates-luong", QStringLiteral("3 May 2009"));
        QTRY_VERIFY(test_->find("model_counterpart_compare")->isVisible());
        choose("model_counterpart_compare",
               {QStringLiteral("Another model"), QString::fromStdString(model_title("dates-additive-gru"))});
        QTRY_VERIFY(is_compared() && test_->has_generated());
        QVERIFY(test_->session().counterpart->kind == Counterpart::Kind::model);
        QVERIFY(test_->document().run()->untouched->name != test_->document().run()->trace->name);
        test_->find<QToolButton>("model_counterpart_end")->click();
        QTRY_VERIFY(!is_compared() && test_->has_generated());
        choose("model_counterpart_compare", {QStringLiteral("Another text")});
        type_over(test_->find("model_counterpart_text"), QStringLiteral("13 June 2009"));
        QTRY_COMPARE(test_->session().counterpart->value, std::string("13 June 2009"));
        QTRY_VERIFY(is_compared() && test_->has_generated());
        QVERIFY(!test_->said().isEmpty());
        // Another model: what this one was compared with is over.
        test_->generate("dates-additive-gru", QStringLiteral("3 May 2009"));
        QVERIFY(!test_->session().counterpart);
    }

    void a_folder_without_a_model_is_refused() {
        test_->generate("dates-luong", QStringLiteral("3 May 2009"));
        test_->window().files().open_other_model(test_->file(QStringLiteral("nowhere")));
        QTRY_VERIFY(!test_->message("run_message").isEmpty() || !test_->message("file_message").isEmpty());
        QVERIFY(!test_->session().counterpart);
    }

private:
    bool is_compared() {
        const auto run = test_->document().run();
        return run && run->untouched && !test_->document().is_running() &&
               run->session->counterpart == test_->session().counterpart;
    }
    void show(ViewKind kind) {
        ViewState there = test_->document().view();
        there.view = kind;
        test_->document().looking().look_at(there);
    }
    /// Along the menu of that button, by how entries begin.
    void choose(const char* button, const QStringList& path) {
        QMenu* menu = test_->find<QPushButton>(button)->menu();
        emit menu->aboutToShow();
        for (const QString& wanted : path) {
            const QList<QAction*> entries = menu->actions();
            const auto found = std::ranges::find_if(entries, [&](const QAction* entry) {
                return QString(entry->text()).remove(QChar('&')).startsWith(wanted);
            });
            QVERIFY2(found != entries.end(), qPrintable(wanted));
            if (QMenu* part = (*found)->menu())
                menu = part;
            else
                (*found)->trigger();
        }
    }
};

QTEST_MAIN(CounterpartWindowTest)

}  // namespace headlight::counterpart_window_test

#include "counterpart_window_test.moc"
