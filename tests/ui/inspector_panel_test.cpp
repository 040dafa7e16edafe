#include "core/attention/explain.h"
#include "tests/ui/views_support.h"
#include "ui/panels/inspector_panel.h"
#include "ui/views/arithmetic_view.h"
#include "ui/views/cell_text.h"
#include "ui/views/hover.h"
#include "ui/views/row_bars.h"

#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace headlight::inspector_panel_test {

namespace {

struct Stand {
    Document document;
    std::unique_ptr<InspectorPanel> inspector;

    explicit Stand(const Session& session) {
        open_session(document, session);
        inspector = std::make_unique<InspectorPanel>(document);
        inspector->resize(360, 800);
        inspector->show();
    }
    QString shown(const char* id) const {
        return inspector->findChild<QLabel*>(QString::fromLatin1(id))->text();
    }
    void hover(const CellPlace& place) { HoverState::of(document).set(place); }
    double weight(Index head, Index query, Index key) const {
        const Trace& trace = *document.run()->trace;
        const Stage& stage = *trace.find("weights");
        return trace.matrix(stage, head)[static_cast<std::size_t>(query * stage.shape.back() + key)];
    }
};

/// The lines of a text that is wrapped as a label does it.
QStringList wrapped_lines(const QString& text, int width) {
    QTextLayout layout(text);
    layout.setTextOption(QTextOption());
    QStringList lines;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        lines += text.mid(line.textStart(), line.textLength());
    }
    layout.endLayout();
    return lines;
}

/// Whether some panel is as wide as to break the token.
bool is_broken_somewhere(const QString& text, const QString& token) {
    for (int width = 20; width < 400; width += 5) {
        QString lines = wrapped_lines(text, width).join(QLatin1Char('\n'));
        if (!lines.remove(QChar(0x2060)).contains(token))
            return true;
    }
    return false;
}

}  // namespace

class InspectorPanelTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void every_number_on_the_way_is_shown_data() {
        QTest::addColumn<QString>("mechanism");
        for (const char* id : {"scaled_dot_product", "multi_head", "causal", "additive", "hard"})
            QTest::newRow(id) << id;
    }
    void every_number_on_the_way_is_shown() {
        QFETCH(QString, mechanism);
        Stand stand(small_session(mechanism.toStdString()));
        const Run& run = *stand.document.run();
        for (const std::string& stage : visible_stages(*run.trace)) {
            const auto place = selected_place(*run.trace, Selection{"", stage, 0, 2, 1, 0});
            QVERIFY(place);
            stand.hover(*place);
            const QString text = stand.inspector->text();
            const Stage& recorded = *run.trace->find(stage);
            for (const ArithmeticStep& step :
                 explain_cell(*run.plan, *run.trace, stage, 0, recorded_row(recorded, *place->row, 0),
                              *place->column)) {
                QVERIFY2(text.contains(QString::fromStdString(format_number(step.value))), qPrintable(text));
                QVERIFY2(text.contains(QString::fromStdString(step.expression)), qPrintable(text));
                QVERIFY2(
                    stand.shown("inspector-arithmetic").contains(QString::fromStdString(step.expression)),
                    qPrintable(text));
            }
        }
    }

    void long_notes_are_asked_for() {
        Session session = small_session("multi_head");
        session.sequence.query_text = "xqzzy" + std::string(200, 'q') + " and";
        session.sequence.vectors.kind = VectorKind::english;
        Stand stand(session);
        stand.hover({"", "weights", 0, 0, 1});
        auto* notes = stand.inspector->findChild<QLabel*>(QStringLiteral("inspector-notes"));
        QVERIFY2(notes->text().contains(QStringLiteral("More…")), qPrintable(notes->text()));
        const int few = notes->height();
        emit notes->linkActivated(QStringLiteral("more"));
        QVERIFY(notes->text().contains(QStringLiteral("Less")) &&
                notes->text().contains(QStringLiteral("not in the word vectors")));
        QVERIFY(notes->height() >= few);
        stand.hover({"", "weights", 0, 1, 1});
        QVERIFY(!notes->text().contains(QLatin1String("<a ")));
    }

    void names_both_tokens() {
        Stand stand(small_session("multi_head"));
        stand.hover({"", "weights", 1, 2, 1});
        QCOMPARE(stand.shown("inspector-heading"), QStringLiteral("“bank” → “river”"));
        QVERIFY(stand.shown("inspector-place").startsWith(QStringLiteral("Head 2 of ")));
    }

    void tokens_of_other_scripts_keep_the_sentence_in_order() {
        Session session = small_session();
        session.sequence.query_text = "שלום עולם";
        Stand stand(session);
        stand.hover({"", "weights", 0, 1, 0});
        const QString heading = stand.shown("inspector-heading");
        QVERIFY(!heading.isRightToLeft());
        QVERIFY(heading.indexOf(QStringLiteral("עולם")) < heading.indexOf(QStringLiteral("→")));
        QVERIFY(heading.indexOf(QStringLiteral("שלום")) > heading.indexOf(QStringLiteral("→")));
        // A document takes its direction from the first letter, and knows no isolates.
        for (const QString& text : {heading, stand.shown("inspector-notes")}) {
            QTextDocument lines(text);
            QCOMPARE(lines.firstBlock().textDirection(), Qt::LeftToRight);
        }
    }

    void tokens_with_punctuation_stay_on_one_line_data() {
        QTest::addColumn<QString>("token");
        for (const char* token : {"</s>", "<|endoftext|>", "well-known", "and/or"})
            QTest::newRow(token) << QString::fromLatin1(token);
    }
    void tokens_with_punctuation_stay_on_one_line() {
        QFETCH(QString, token);
        const QString bare = QStringLiteral("Weights of “%1”, as drawn").arg(token);
        QVERIFY(is_broken_somewhere(bare, token));
        const QString whole = with_whole_words(bare);
        QVERIFY(!is_broken_somewhere(whole, token));
        QCOMPARE(QString(whole).remove(QChar(0x2060)), bare);
        // The headings of the panel are such texts.
        Session session = small_session();
        session.sequence.query_text = token.toStdString() + " river";
        Stand stand(session);
        stand.hover({"", "weights", 0, 0, 0});
        for (const char* heading : {"inspector-heading", "inspector-row"})
            QCOMPARE(stand.shown(heading), with_whole_words(stand.shown(heading).remove(QChar(0x2060))));
    }

    void words_without_punctuation_and_long_ones_are_left_alone() {
        for (const char* text : {"Weights of “river”", "“bank” → “river”", "https://example.org/a/page"})
            QCOMPARE(with_whole_words(QString::fromUtf8(text)), QString::fromUtf8(text));
    }

    void hovering_comes_before_the_selection_and_goes_again() {
        Session session = small_session();
        session.view.selection.query = 3;
        Stand stand(session);
        QCOMPARE(stand.shown("inspector-heading"), QStringLiteral("“flooded” → “the”"));
        stand.hover({"", "weights", 0, 1, 2});
        QCOMPARE(stand.shown("inspector-heading"), QStringLiteral("“river” → “bank”"));
        HoverState::of(stand.document).set({});
        QCOMPARE(stand.shown("inspector-heading"), QStringLiteral("“flooded” → “the”"));
    }

    /// Every number on the way to one of its weights takes rows that are computed again.
    void a_cell_of_a_large_map_is_explained_off_the_ui_thread() {
        Session session = small_session("mlp_score");
        session.sequence.query_text = long_text(1'100);
        Stand stand(session);
        QVERIFY(stand.document.run()->trace->find("weights")->is_large());
        QTRY_COMPARE(stand.shown("inspector-heading"), QStringLiteral("“word0” → “word0”"));
        {
            const SlowRuns slow;
            stand.hover({"", "weights", 0, 5, 6});
            QCOMPARE(stand.shown("inspector-heading"), QStringLiteral("“word0” → “word0”"));
            stand.hover({"", "weights", 0, 7, 8});  // the one before is not wanted any more
            QTRY_COMPARE(stand.shown("inspector-heading"), QStringLiteral("“word7” → “word8”"));
        }
        const Run& run = *stand.document.run();
        for (const ArithmeticStep& step : explain_cell(*run.plan, *run.trace, "weights", 0, 7, 8))
            QVERIFY(stand.inspector->text().contains(QString::fromStdString(step.expression)));
        // A small one is there at once, whatever is still being found out.
        {
            const SlowRuns slow;
            stand.hover({"", "weights", 0, 9, 9});
        }
        open_session(stand.document, small_session());
        stand.hover({"", "weights", 0, 2, 1});
        QCOMPARE(stand.shown("inspector-heading"), QStringLiteral("“bank” → “river”"));
    }

    void a_step_to_another_stage_leaves_what_the_pointer_rests_on() {
        Session session = small_session();
        session.view.view = ViewKind::stages;
        session.view.selection.stage = "scaled_scores";
        Stand stand(session);
        stand.hover({"", "scaled_scores", 0, 1, 2});
        QCOMPARE(stand.shown("inspector-place"), QStringLiteral("Scaled scores"));
        Selection next = stand.document.view().selection;
        next.stage = "weights";
        stand.document.looking().select(next);
        QCOMPARE(stand.shown("inspector-place"), QStringLiteral("Weights"));
        // Another row of the same stage is no reason: the pointer is where it was.
        stand.hover({"", "weights", 0, 1, 2});
        next.query = 3;
        stand.document.looking().select(next);
        QCOMPARE(stand.shown("inspector-heading"), QStringLiteral("“river” → “bank”"));
    }

    void row_has_its_entropy_and_effective_keys() {
        Stand stand(small_session());
        double entropy = 0;
        for (Index key = 0; key < 4; ++key)
            entropy -= stand.weight(0, 2, key) * std::log2(stand.weight(0, 2, key));
        const RowReport row =
            report_row(stand.document.run()->plan.get(), *stand.document.run()->trace, "", 0, 2);
        QVERIFY(std::abs(row.entropy_bits - entropy) < 1e-12);
        QVERIFY(std::abs(row.effective_keys - std::exp2(entropy)) < 1e-12);
        QVERIFY(std::abs(row.sum - 1) < 1e-12);
        stand.hover({"", "weights", 0, 2, 1});
        QVERIFY(stand.shown("inspector-summary").contains(QString::fromStdString(format_number(entropy, 3))));
        QVERIFY(stand.shown("inspector-summary").startsWith(QStringLiteral("The row sums to 1.")));
    }

    void a_row_of_all_heads_has_the_entropy_of_what_is_drawn() {
        Stand stand(small_session("multi_head"));
        const Run& run = *stand.document.run();
        const CellPlace place{"", "weights", 0, 2, 1};
        WeightLens lens;
        lens.pooled = PooledHeads::mean;
        const RowReport row = *report_cell(run.plan.get(), *run.trace, place, {}, lens).row;
        double entropy = 0;
        for (const double weight : row.drawn)
            entropy -= weight * std::log2(weight);
        QVERIFY(row.drawn != row.weights);
        QVERIFY(std::abs(row.entropy_bits - entropy) < 1e-12);
        QVERIFY(std::abs(row.sum - 1) < 1e-12);
        // Without the hidden keys what is left is as drawn, too.
        lens.hidden_keys = {0};
        const RowReport left = *report_cell(run.plan.get(), *run.trace, place, {}, lens).row;
        QVERIFY(std::isnan(left.drawn[0]));
        QVERIFY(std::abs(left.sum - 1) < 1e-12);
    }

    void encoder_states_are_called_so_in_the_arithmetic_as_well() {
        Session session = small_session("cross");
        session.sequence.key_text = "a boat sank";
        Stand stand(session);
        QVERIFY(stand.document.run());
        const Run& run = *stand.document.run();
        const CellPlace place{"", "key_tokens", 0, 0, 1};
        CellReport report = report_cell(run.plan.get(), *run.trace, place, {});
        QVERIFY(!report.steps.empty());
        name_steps_at(report, "");
        QCOMPARE(report.steps.back().name, std::string("token vector"));
        QCOMPARE(place_subtitle(*run.trace, place, ""), QStringLiteral("Token vectors (keys)"));
        name_steps_at(report, "decoder.0.cross");
        QCOMPARE(report.steps.back().name, std::string("encoder state (key)"));
        QVERIFY2(report.steps.back().expression.ends_with(", computed by the encoder"),
                 report.steps.back().expression.c_str());
        QCOMPARE(place_subtitle(*run.trace, place, "decoder.0.cross"),
                 QStringLiteral("Encoder states (keys)"));
        // What is copied says it in the words that are shown.
        for (const auto& [site, words] :
             {std::pair("", "Token vectors (keys)"), std::pair("decoder.0.cross", "Encoder states (keys)")})
            QCOMPARE(report_text(*run.trace, report, site).split(u'\n')[1], QString::fromUtf8(words));
    }

    void one_key_shares_with_none() {
        RowReport row;
        row.weights = {1, 0, 0};
        row.sum = 1;
        row.is_shares = true;
        row.effective_keys = 1;
        QCOMPARE(row_summary(row),
                 QStringLiteral("The row sums to 1. Entropy 0 bits: one of 3 keys has all of the weight."));
        row.effective_keys = 2;
        row.entropy_bits = 1;
        QCOMPARE(row_summary(row), QStringLiteral("The row sums to 1. Entropy 1 bits: as if 2 of 3 keys "
                                                  "shared the weight evenly."));
    }

    void only_shares_have_an_entropy() {
        RowReport row;
        row.weights = {0.4, -0.0756};
        row.sum = 0.3244;
        QCOMPARE(row_summary(row), QStringLiteral("The row sums to 0.3244."));
        row.unknown = 1;  // as in sparse rows
        QCOMPARE(row_summary(row),
                 QStringLiteral("The weights of the row that are known sum to 0.3244; 1 of 2 "
                                "are not in the file."));
        row.unknown = 0;
        row.context = {0.5};
        QVERIFY(context_text(row, 4).startsWith(QStringLiteral("Context, 1 number: ")));
        Stand stand(small_session("retention"));
        const Run& run = *stand.document.run();
        for (Index query = 0; query < 4; ++query) {
            const RowReport recurrent = report_row(run.plan.get(), *run.trace, "", 0, query);
            const bool is_signed = std::ranges::any_of(recurrent.weights, [](double w) { return w < 0; });
            QCOMPARE(recurrent.is_shares, !is_signed && recurrent.sum > 0 && recurrent.sum <= 1 + 1e-6);
            QCOMPARE(row_summary(recurrent).contains(QStringLiteral("Entropy")), recurrent.is_shares);
        }
    }

    void negative_weights_have_bars_left_of_zero() {
        RowReport row;
        row.weights = {0.5, -0.5, 0};
        row.by_weight = {0, 2, 1};
        RowBars bars;
        bars.set_row(row, {{"a", "b", "c"}, {}, {}, {}}, {});
        bars.resize(300, bars.sizeHint().height());
        const QImage picture = bars.grab().toImage().convertToFormat(QImage::Format_RGB32);
        const int height = picture.height() / 3;
        const auto coloured = [&](int bar) {  // the columns of pixels that a bar differs in from that of zero
            std::pair<int, int> range{picture.width(), -1};
            for (int x = picture.width() / 6; x < picture.width() * 3 / 4; ++x)
                if (picture.pixel(x, bar * height + height / 2) != picture.pixel(x, 2 * height + height / 2))
                    range = {std::min(range.first, x), std::max(range.second, x)};
            return range;
        };
        QVERIFY(coloured(0).second >= 0);
        QVERIFY(coloured(1).second >= 0);
        QVERIFY(coloured(1).second <= coloured(0).first + 1);
    }

    void the_weights_are_not_told_before_they_are_reached() {
        Stand stand(small_session());
        const Trace& trace = *stand.document.run()->trace;
        const auto* bars = stand.inspector->findChild<RowBars*>();
        for (const std::string stage : {"scores", "scaled_scores", "weights"}) {
            const auto place = selected_place(trace, Selection{"", stage, 0, 2, 1, 0});
            QVERIFY2(place, stage.c_str());
            stand.hover(*place);
            QVERIFY2(bars->isVisibleTo(stand.inspector.get()) == (stage == "weights"), stage.c_str());
        }
    }

    void sorting_puts_the_largest_first() {
        Stand stand(small_session());
        stand.hover({"", "weights", 0, 2, 1});
        auto* bars = stand.inspector->findChild<RowBars*>();
        QVERIFY(bars->accessibleDescription().startsWith(QStringLiteral("the 0.")));
        QTest::mouseClick(stand.inspector->findChild<QCheckBox*>(QStringLiteral("inspector-sorted")),
                          Qt::LeftButton, {}, QPoint(8, 8));
        const RowReport row =
            report_row(stand.document.run()->plan.get(), *stand.document.run()->trace, "", 0, 2);
        const std::string first =
            stand.document.run()->trace->tokens.query[static_cast<std::size_t>(row.by_weight[0])];
        QVERIFY2(bars->accessibleDescription().startsWith(QString::fromStdString(first)),
                 qPrintable(bars->accessibleDescription()));
    }

    void a_bar_selects_its_key() {
        Stand stand(small_session());
        auto* bars = stand.inspector->findChild<RowBars*>();
        QTest::mouseClick(bars, Qt::LeftButton, {}, QPoint(50, bars->height() / 4 * 2 + 4));
        QCOMPARE(stand.document.session().view.selection.key, Index(2));
    }

    void says_what_the_mask_forbids() {
        Stand stand(small_session("causal"));
        stand.hover({"", "weights", 0, 1, 3});
        QVERIFY(stand.shown("inspector-notes").contains(QStringLiteral("mask forbids")));
        QVERIFY(stand.inspector->findChild<QLabel*>(QStringLiteral("inspector-notes"))->isVisible());
        stand.hover({"", "weights", 0, 3, 1});
        QVERIFY(!stand.inspector->findChild<QLabel*>(QStringLiteral("inspector-notes"))->isVisible());
    }

    void says_what_a_cache_has_dropped() {
        Session session = small_session("kv_cache");
        session.values["capacity"] = Index(2);
        Stand stand(session);
        const QString dropped =
            QStringLiteral("This key was dropped from the cache, which keeps the newest 2.");
        stand.hover({"", "weights", 0, 3, 1});
        QVERIFY2(stand.shown("inspector-notes").contains(dropped),
                 qPrintable(stand.shown("inspector-notes")));
        stand.hover({"", "masked_scores", 0, 3, 1});
        QVERIFY2(stand.shown("inspector-notes").contains(dropped),
                 qPrintable(stand.shown("inspector-notes")));
        QVERIFY2(stand.inspector->text().contains(QStringLiteral("the cache has dropped this key")),
                 qPrintable(stand.inspector->text()));
        stand.hover({"", "weights", 0, 1, 3});
        QVERIFY(stand.shown("inspector-notes").contains(QStringLiteral("mask forbids")));
        QVERIFY(!stand.shown("inspector-notes").contains(dropped));
        const auto run = stand.document.run();
        const RowReport row = report_row(run->plan.get(), *run->trace, "", 0, 2);
        QCOMPARE(row.forbidden, (std::vector<ForbiddenBy>{{.cache = 2}, {}, {}, {.mask = true}}));
    }

    void its_arithmetic_is_read_and_copied_as_text() {
        Stand stand(small_session());
        stand.hover({"", "weights", 0, 2, 1});
        auto* arithmetic = stand.inspector->findChild<ArithmeticView*>();
        QVERIFY(arithmetic && arithmetic->height() > 0);
        const QStringList lines = arithmetic->text().split(QLatin1Char('\n'));
        QVERIFY2(lines.size() > 3, qPrintable(arithmetic->text()));
        QCOMPARE(arithmetic->accessibleDescription(), arithmetic->text());
        QCOMPARE(arithmetic->accessibleName(), QStringLiteral("Arithmetic"));
        QVERIFY(arithmetic->focusPolicy() & Qt::TabFocus);
        QTest::keyClick(arithmetic, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), arithmetic->text());
        // As wide as it is, and higher where it is narrower.
        const int height = arithmetic->height();
        stand.inspector->resize(230, 800);
        QTRY_VERIFY(arithmetic->height() > height);
        QVERIFY(!arithmetic->grab().isNull());
    }

    void copies_aligned_text() {
        Stand stand(small_session());
        stand.hover({"", "weights", 0, 2, 1});
        QTest::mouseClick(stand.inspector->findChild<QToolButton*>(QStringLiteral("inspector-copy")),
                          Qt::LeftButton);
        const QString copied = QGuiApplication::clipboard()->text();
        QCOMPARE(copied, stand.inspector->text());
        QVERIFY(copied.contains(QStringLiteral("“bank” → “river”")));
        QList<qsizetype> equals;
        for (const QString& line : copied.split(QLatin1Char('\n')))
            if (const auto at = line.indexOf(QStringLiteral("  = ")); at >= 0)
                equals += at;
        QVERIFY(equals.size() >= 3);
        QVERIFY(
            std::all_of(equals.begin(), equals.end(), [&](qsizetype at) { return at == equals.front(); }));
    }

    void a_token_label_shows_its_row() {
        Stand stand(small_session());
        stand.hover({"", "weights", 0, 1, {}});
        QCOMPARE(stand.shown("inspector-heading"), QStringLiteral("“river”"));
        QCOMPARE(stand.shown("inspector-row"), QStringLiteral("Weights of “river”"));
        QVERIFY(!stand.inspector->findChild<QLabel*>(QStringLiteral("inspector-arithmetic"))->isVisible());
    }

    /// The title names a key: the bars are its column, not the row of some query.
    void the_label_of_a_key_shows_who_looks_at_it() {
        Stand stand(small_session("causal"));
        stand.hover({"", "weights", 0, {}, 1});
        QCOMPARE(stand.shown("inspector-heading"), QStringLiteral("“river”"));
        QCOMPARE(stand.shown("inspector-row"), QStringLiteral("Weights that “river” gets"));
        const auto run = stand.document.run();
        const ColumnReport column = report_column(run->plan.get(), *run->trace, "", 0, 1);
        const auto matrix = run->trace->matrix(*run->trace->find("weights"), 0);
        QCOMPARE(column.weights, (std::vector<double>{matrix[1], matrix[5], matrix[9], matrix[13]}));
        QCOMPARE(column.forbidden, (std::vector<ForbiddenBy>{{.mask = true}, {}, {}, {}}));
        QCOMPARE(stand.shown("inspector-summary"),
                 QStringLiteral("The column sums to %1.").arg(readable_number(column.sum)));
        auto* bars = stand.inspector->findChild<RowBars*>();
        QVERIFY2(bars->accessibleDescription().startsWith(
                     QStringLiteral("the 0, river %1").arg(readable_number(matrix[5]))),
                 qPrintable(bars->accessibleDescription()));
        QVERIFY(stand.inspector->text().contains(QStringLiteral("Weights that “river” gets")));
        QTest::mouseClick(bars, Qt::LeftButton, {}, QPoint(50, bars->height() / 4 * 3 + 4));
        QCOMPARE(stand.document.session().view.selection.query, Index(3));
        QCOMPARE(stand.document.session().view.selection.key, Index(1));
    }

    void bars_follow_the_range_of_the_colours() {
        Stand stand(small_session());
        stand.hover({"", "weights", 0, 2, {}});
        auto* bars = stand.inspector->findChild<RowBars*>();
        const auto longest = [&] {
            const QImage picture = bars->grab().toImage();
            int most = 0;
            const QRgb ground = bars->palette().color(QPalette::AlternateBase).rgb();
            for (int y = 4; y < picture.height(); y += picture.height() / 4) {
                int coloured = 0;
                for (int x = 0; x < picture.width(); ++x)
                    coloured +=
                        QColor(picture.pixel(x, y)).saturation() > 60 && picture.pixel(x, y) != ground;
                most = std::max(most, coloured);
            }
            return most;
        };
        const int of_unit = longest();
        Session fitted = stand.document.session();
        fitted.figure.range = RangeKind::fitted;
        open_session(stand.document, fitted);
        stand.hover({"", "weights", 0, 2, {}});
        const RowReport row =
            report_row(stand.document.run()->plan.get(), *stand.document.run()->trace, "", 0, 2);
        const double largest = row.weights[static_cast<std::size_t>(row.by_weight[0])];
        QVERIFY(largest < 0.9);
        QVERIFY2(std::abs(of_unit - largest * longest()) < 3,
                 qPrintable(QStringLiteral("%1 and %2").arg(longest()).arg(of_unit)));
        QVERIFY(stand.shown("inspector-summary").contains(QLatin1String("The longest bar is 0.")));
    }

    void survives_a_selection_that_the_next_run_lacks() {
        Session session = small_session();
        session.view.selection.query = 3;
        session.view.selection.key = 3;
        Stand stand(session);
        stand.hover({"", "weights", 0, 3, 3});
        Session shorter = stand.document.session();
        shorter.sequence.query_text = "the river";
        open_session(stand.document, shorter);
        QCOMPARE(stand.shown("inspector-heading"), QStringLiteral("“river” → “river”"));
    }
};

QTEST_MAIN(InspectorPanelTest)

}  // namespace headlight::inspector_panel_test

#include "inspector_panel_test.moc"
