// The line of arithmetic below a picture, and how its terms are written.

#include "core/attention/explain.h"
#include "resources/resources.h"
#include "tests/ui/view_stand.h"
#include "ui/render/subscripts.h"
#include "ui/views/arithmetic_line.h"
#include "ui/views/cell_text.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/hover.h"

#include <QMimeData>
#include <QTextDocument>
#include <QTextDocumentFragment>

#include <memory>

namespace headlight::views_arithmetic_test {

using view_stand::HeatmapView;
using view_stand::StagesView;
using view_stand::Stand;

namespace {

/// What stands below the picture of who has put the inspector away, with the pointer at that place of a
/// panel.
QString line_at(Stand<StagesView>& stand, Index panel, Index row, Index column) {
    ArithmeticLine line(stand.document, stand.view.get());
    line.resize(9000, 30);  // room for every step
    line.set_wanted(true);
    stand.hover(stand.canvas().cell_rect(panel, row, column).center().toPoint());
    return line.isVisible() ? line.text() : QString();
}

QString line_within(const CellReport& report, qsizetype room) {
    return arithmetic_line(report, [room](const QString& line) { return line.size() <= room; });
}

QString shown(double value) { return QString::fromStdString(format_number(value)); }

}  // namespace

class ViewsArithmeticTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { initialise_resources(); }
    void init() { fail_on_warnings(); }

    void hovering_a_stage_shows_its_arithmetic_data() {
        QTest::addColumn<QString>("mechanism");
        QTest::addColumn<QString>("stage");
        for (const QString mechanism : {"scaled_dot_product", "additive", "multi_head"})
            for (const QString stage : {"scores", "weights", "context"})
                QTest::newRow(qPrintable(mechanism + " " + stage)) << mechanism << stage;
    }
    void hovering_a_stage_shows_its_arithmetic() {
        QFETCH(QString, mechanism);
        QFETCH(QString, stage);
        Session session = small_session(mechanism.toStdString());
        session.view.selection.stage = stage.toStdString();
        Stand<StagesView> stand(session);
        const Index panel = stand.panel_of(stage.toStdString());
        QVERIFY(panel >= 0);
        const QString line = line_at(stand, panel, 2, 1);
        const auto& place = HoverState::of(stand.document).place();
        QVERIFY(place);
        QCOMPARE(place->stage, stage.toStdString());
        const Run& run = *stand.document.run();
        for (const ArithmeticStep& step : explain_cell(*run.plan, *run.trace, place->stage, 0, 2, 1)) {
            QVERIFY2(line.contains(shown(step.value)), qPrintable(line));
            QVERIFY(line.contains(QString::fromStdString(step.name)));
        }
    }

    void the_arithmetic_is_of_the_selected_cell_until_one_is_pointed_at() {
        Session session = small_session();
        session.view.selection.query = 2;
        session.view.selection.key = 1;
        Stand<HeatmapView> stand(session);
        const auto weights =
            stand.document.run()->trace->matrix(*stand.document.run()->trace->find("weights"), 0);
        ArithmeticLine line(stand.document, stand.view.get());
        line.resize(400, 30);
        QVERIFY(line.text().isEmpty());  // nobody wants it yet
        line.set_wanted(true);
        const auto ends_with = [&](std::size_t cell) {
            return line.text().endsWith(QStringLiteral("= ") + shown(weights[cell]));
        };
        QVERIFY2(ends_with(2 * 4 + 1), qPrintable(line.text()));
        stand.hover(stand.canvas().cell_rect(0, 3, 0).center().toPoint());
        QVERIFY2(ends_with(3 * 4), qPrintable(line.text()));
        // Narrow, it leaves out what comes first; what is asked of a class it does not tell, and leaves its
        // room to the picture.
        line.resize(200, 30);
        QVERIFY2(ends_with(3 * 4) && !line.text().contains(QLatin1String("score")), qPrintable(line.text()));
        line.withhold(true);
        QVERIFY(line.text().isEmpty() && !line.isVisible());
        line.withhold(false);
        QVERIFY(ends_with(3 * 4));
    }

    void the_energy_is_of_a_pair() {
        Session session = small_session("additive");
        session.view.selection = Selection{"", "energy", 0, 3, 1, 2};
        Stand<StagesView> stand(session);
        const Run& run = *stand.document.run();
        const auto place = stand.canvas().current_place();
        QVERIFY(place);
        const Stage& energy = *run.trace->find("energy");
        const double value =
            run.trace->values(energy)[static_cast<std::size_t>((3 * 4 + 1) * energy.shape.back() + 2)];
        QCOMPARE(stand.canvas().sentence(*place),
                 QStringLiteral("Energy of “flooded” and “river”, hidden unit 3: %1").arg(shown(value)));
        QVERIFY(line_at(stand, stand.panel_of("energy"), 1, 2).contains(shown(value)));
    }

    void arithmetic_that_does_not_fit_is_that_of_the_last_step() {
        CellReport report;
        report.row_label = "it";
        report.column_label = "animal";
        for (const char* name : {"score", "scaled score", "exponential", "weight"})
            report.steps.push_back({name, name, "x", 1, "1"});
        const QString whole = line_within(report, 1000);
        QCOMPARE(whole,
                 QStringLiteral("“it” → “animal”:  score = x = 1;  scaled score = x = 1;  exponential = "
                                "x = 1;  weight = x = 1"));
        QCOMPARE(line_within(report, whole.size() - 1), QStringLiteral("“it” → “animal”:  weight = x = 1"));
        QCOMPARE(line_within(report, 1), QStringLiteral("weight = 1"));
    }

    void a_step_that_does_not_fit_leaves_out_terms_of_its_middle_data() {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<int>("room");
        QTest::addColumn<QString>("line");
        const QString output =
            QStringLiteral("concatenation W_o + b_o = 1 × 2 + 3 × 4 + [93 more: 5] + 6 × 7 + 8");
        QTest::newRow("whole")
            << output << 200
            << "output = concatenation Wₒ + bₒ = 1 × 2 + 3 × 4 + [93 more: 5] + 6 × 7 + 8 = 9";
        QTest::newRow("fewer terms") << output << 70
                                     << "output = concatenation Wₒ + bₒ = 1 × 2 + 3 × 4 + … + 6 × 7 + 8 = 9";
        QTest::newRow("first and last term")
            << output << 52 << "output = concatenation Wₒ + bₒ = 1 × 2 + … + 8 = 9";
        QTest::newRow("without symbols") << output << 45 << "output = 1 × 2 + 3 × 4 + … + 6 × 7 + 8 = 9";
        QTest::newRow("no term") << output << 15 << "output = 9";
        QTest::newRow("symbols alone") << "a b = exp(1 − 2) / 3" << 18 << "output = a b = 9";
        QTest::newRow("its own result") << "9" << 200 << "output = 9";
        QTest::newRow("symbols of its own result") << "score = 9" << 200 << "output = score = 9";
        QTest::newRow("a number that ends alike") << "0 × 1.9" << 200 << "output = 0 × 1.9 = 9";
        QTest::newRow("brackets stay whole")
            << "exp(1 − 2) / (3 + 4 + [3 more: 5] + 6)" << 40 << "output = exp(1 − 2) / (3 + … + 6) = 9";
        QTest::newRow("no subscript q") << "x W_q = 1 × 2" << 200 << "output = x W_q = 1 × 2 = 9";
        QTest::newRow("a token") << "“a_1”, drawn with probability 0.3" << 200
                                 << "output = “a_1”, drawn with probability 0.3 = 9";
    }
    void a_step_that_does_not_fit_leaves_out_terms_of_its_middle() {
        QFETCH(QString, expression);
        QFETCH(int, room);
        QFETCH(QString, line);
        CellReport report;
        report.steps.push_back({"output", "output", expression.toStdString(), 9, "9"});
        QCOMPARE(line_within(report, room), line);
    }

    void subscripts_are_lowered_in_texts_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("html");
        const auto row = [](const char* name, const char* text, const char* html) {
            QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(html);
        };
        row("several", "c_i = α_i1 h_1", "c<sub>i</sub> = α<sub>i1</sub> h<sub>1</sub>");
        row("a root", "1/√d_k", "1/√d<sub>k</sub>");
        row("transposed", "W_q W_kᵀ < 1", "W<sub>q</sub> W<sub>k</sub>ᵀ &lt; 1");
        row("Greek letters", "W_beta x + b_lambda", "W<sub>beta</sub> x + b<sub>lambda</sub>");
        row("names that begin like Greek letters", "W_betas, W_alpha_1", "W_betas, W_alpha_1");
        row("names", "top_k, W_shared_key, W_lower, _k, W_", "top_k, W_shared_key, W_lower, _k, W_");
        row("a token", "“a_1” and a_1", "“a_1” and a<sub>1</sub>");
    }
    void subscripts_are_lowered_in_texts() {
        QFETCH(QString, text);
        QFETCH(QString, html);
        QCOMPARE(html_with_subscripts(text), html);
        QTextDocument document;
        document.setPlainText(text);
        lower_subscripts(document);
        QCOMPARE(document.toPlainText(), QTextDocumentFragment::fromHtml(html).toPlainText());
        const std::unique_ptr<QMimeData> taken(copied(QTextDocumentFragment(&document)));
        QCOMPARE(taken->text(), text);
    }

    void a_copied_subscript_in_two_formats_has_one_sign() {
        QTextDocument document;
        document.setHtml(QStringLiteral("W<sub>q<b>k</b></sub> x<sub>1</sub>"));
        const std::unique_ptr<QMimeData> taken(copied(QTextDocumentFragment(&document)));
        QCOMPARE(taken->text(), QStringLiteral("W_qk x_1"));
    }

    void what_stands_between_backticks_is_slanted() {
        QCOMPARE(html_with_subscripts(QStringLiteral("set `a<b` and `norm`: b_1, a ` alone")),
                 QStringLiteral("set <i>a&lt;b</i> and <i>norm</i>: b<sub>1</sub>, a ` alone"));
        QCOMPARE(html_with_subscripts(QStringLiteral("set `no…")), QStringLiteral("set <i>no…</i>"));
        const QString tokens = QStringLiteral("“`” looks at “`”, and “`x`” at none");
        QCOMPARE(html_with_subscripts(tokens), tokens);
    }

    void subscripts_are_lowered_in_html() {
        const auto lowered = [](const char* html) { return lowered_in_html(QString::fromUtf8(html)); };
        QCOMPARE(lowered("<p id=\"a_1\">of <em>W_q</em> x, <code>W_q</code></p>"),
                 QStringLiteral("<p id=\"a_1\">of <em>W<sub>q</sub></em> x, <code>W_q</code></p>"));
        QCOMPARE(lowered("<pre><code>a_1\nb_2</code></pre><p>a_1 &lt; b_2</p>"),
                 QStringLiteral("<pre><code>a_1\nb_2</code></pre><p>a<sub>1</sub> &lt; b<sub>2</sub></p>"));
        // A quotation is one of one paragraph.
        QCOMPARE(lowered("<p>“<b>a_1</b>” a_1, “a_1</p><p>a_1”</p>"),
                 QStringLiteral("<p>“<b>a_1</b>” a<sub>1</sub>, “a<sub>1</sub></p><p>a<sub>1</sub>”</p>"));
    }
};

QTEST_MAIN(ViewsArithmeticTest)

}  // namespace headlight::views_arithmetic_test

#include "views_arithmetic_test.moc"
