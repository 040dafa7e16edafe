#include "core/attention/component.h"
#include "core/attention/pipeline.h"
#include "core/attention/positions/pair_places.h"
#include "core/attention/refusals.h"
#include "core/tensor/interruption.h"

#include <cmath>

namespace headlight {
namespace {

Index span_of(const Plan& plan) { return plan.position().count("distance"); }
bool has_term(const Plan& plan, std::string_view word) {
    const std::string& terms = plan.position().word("terms");
    return terms == "both" || terms == word;
}

/// Which relative query a key meets: of delta(j, i) as in equation 4, or of delta(i, j) as every released
/// implementation gathers them (microsoft/DeBERTa issue 162).
bool is_as_released(const Plan& plan) { return plan.position().word("p2c") == "released"; }

/// delta(i, j): 0 far ahead, 2k - 1 far behind.
Index delta(Index span, Index from, Index to) { return std::clamp(from - to + span, Index(0), 2 * span - 1); }

/// The relative query that a key meets.
Index met_query(Index span, bool as_released, Index query, Index key) {
    return as_released ? delta(span, query, key) : delta(span, key, query);
}

/// P W of one head, a column for each row of P.
template <class Real>
MatrixView<const Real> projected(const Plan& plan, Operands<Real>& operands, const std::string& matrix,
                                 Index head) {
    const Tensor& positions = plan.parameter("P_relative");
    const Tensor& weights = plan.parameter(matrix);
    const Index d = plan.head_query_width(), rows = positions.rows();
    const MatrixView<Real> table = operands.allocate(d, rows);
    for (Index c = 0; c < d; ++c) {
        Interruption::check();
        for (Index row = 0; row < rows; ++row) {
            double sum = 0;
            for (Index f = 0; f < positions.cols(); ++f)
                sum += positions(row, f) * weights(f, head * d + c);
            table.row(c)[row] = static_cast<Real>(sum);
        }
    }
    return table;
}

/// Computes the products of each query with the relative keys, c2p: a query meets each of the 2k vectors
/// once.
template <class Real>
void add_content_to_position(const Plan& plan, Pipeline<Real>& pipeline) {
    std::vector<MatrixView<const Real>> tables;
    for (Index head = 0; head < plan.heads; ++head)
        tables.push_back(projected(plan, pipeline.operands, "W_kr", head));
    pipeline.after_score.push_back(
        [tables, span = span_of(plan), &plan, &pipeline](const ScoreRow<Real>& row, const Recorder& record) {
            thread_local std::vector<Real> products, terms;
            const MatrixView<const Real> table = tables[static_cast<std::size_t>(row.head)];
            products.resize(static_cast<std::size_t>(table.columns));
            terms.resize(static_cast<std::size_t>(row.size));
            pipeline.operands.multiply_columns(pipeline.operands.compared_query(row.head).row(row.query),
                                               table, products.data());
            for (Index key = 0; key < row.size; ++key) {
                const auto at = static_cast<std::size_t>(key);
                terms[at] = products[static_cast<std::size_t>(delta(span, row.query, key))];
                row.values[key] += terms[at];
            }
            record.write("content_to_position", (row.head * plan.queries + row.query) * plan.keys,
                         terms.data(), row.size);
        });
}

/// Computes the products of each key with the relative queries, p2c: all products of a head before its rows.
template <class Real>
void add_position_to_content(const Plan& plan, Pipeline<Real>& pipeline) {
    std::vector<MatrixView<const Real>> tables;
    for (Index head = 0; head < plan.heads; ++head)
        tables.push_back(projected(plan, pipeline.operands, "W_qr", head));
    const Index rows = tables.front().columns;
    Real* products = pipeline.operands.allocate(plan.heads * plan.keys * rows);
    pipeline.prepare.push_back([=, &plan, &pipeline](Index head, const Recorder&) {
        const MatrixView<const Real> table = tables[static_cast<std::size_t>(head)];
        const MatrixView<const Real> keys = pipeline.operands.compared_key(plan.kv_head(head));
        for (Index key = 0; key < plan.keys; ++key) {
            Interruption::check();
            pipeline.operands.multiply_columns(keys.row(key), table,
                                               products + (head * plan.keys + key) * rows);
        }
    });
    const Index span = span_of(plan);
    const bool as_released = is_as_released(plan);
    pipeline.after_score.push_back([=, &plan](const ScoreRow<Real>& row, const Recorder& record) {
        thread_local std::vector<Real> terms;
        terms.resize(static_cast<std::size_t>(row.size));
        for (Index key = 0; key < row.size; ++key) {
            const auto at = static_cast<std::size_t>(key);
            terms[at] =
                products[(row.head * plan.keys + key) * rows + met_query(span, as_released, row.query, key)];
            row.values[key] += terms[at];
        }
        record.write("position_to_content", (row.head * plan.queries + row.query) * plan.keys, terms.data(),
                     row.size);
    });
}

/// 1/sqrt((1 + terms) d): each term adds a variance of its own.
double shrink(const Plan& plan) {
    return 1 / std::sqrt(1.0 + has_term(plan, "content_to_position") + has_term(plan, "position_to_content"));
}

template <class Real>
void add_deberta_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    pipeline.after_score.push_back([&plan](const ScoreRow<Real>& row, const Recorder& record) {
        record.write("content_scores", (row.head * plan.queries + row.query) * plan.keys, row.values,
                     row.size);
    });
    if (has_term(plan, "content_to_position"))
        add_content_to_position(plan, pipeline);
    if (has_term(plan, "position_to_content"))
        add_position_to_content(plan, pipeline);
    pipeline.after_scale.push_back(
        [factor = static_cast<Real>(shrink(plan))](const ScoreRow<Real>& row, const Recorder&) {
            for (Index key = 0; key < row.size; ++key)
                row.values[key] *= factor;
        });
}

void check_deberta(const Plan& plan) { require_keys_of_query_width(plan, "deberta positions"); }

Expression define_deberta(Composer& composer, const Expression& content) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries, m = plan.keys, k = span_of(plan);
    const bool as_released = is_as_released(plan);
    const Expression P = composer.parameter("P_relative");
    Expression scores = composer.let("content_scores", content, "without places");
    if (has_term(plan, "content_to_position")) {
        const Expression keys =
            composer.let("distance_keys", composer.projected_by_heads(P, "W_kr"), "P W_kr");
        const Expression asked =
            composer.let("answers_of_keys", product_transposed(composer.query, keys), "of each distance");
        scores = scores + composer.let("content_to_position",
                                       by_distance(composer, asked, [=](Index query, Index key) {
                                           return delta(k, query, key);
                                       }));
    }
    if (has_term(plan, "position_to_content")) {
        const Expression queries =
            composer.let("distance_queries", composer.projected_by_heads(P, "W_qr"), "P W_qr");
        const Expression asked =
            composer.let("answers_of_queries", product_transposed(composer.key, queries), "of each distance");
        scores = scores +
                 composer.let("position_to_content",
                              pick(asked, {1, m, counted(0, m)}, places_of(n, m, [=](Index query, Index key) {
                                       return met_query(k, as_released, query, key);
                                   })));
    }
    return scores;
}

/// Each of the terms that are added has a variance of its own.
Expression define_scale_of_deberta(Composer& composer, const Expression& scale) {
    const std::string& terms = composer.plan.position().word("terms");
    return scale / root_of(terms == "both" ? 3.0 : 2.0);
}

}  // namespace

PositionComponent declare_positions_deberta() {
    PositionComponent component;
    component.meaning =
        "(q · k + q · K_r[δ(i, j)] + k · Q_r[δ(j, i)]) / √(3 d_k): content and place disentangled (He "
        "et al. 2021). Beside scores that bring their own 1 / √d (multi_token, selective) the terms of "
        "the place are not divided by it";
    component.options = {
        count_option("distance", "Largest distance", 4, logarithmic_range(1, 512),
                     "k of δ = clip(i − j + k, 0, 2k − 1): distances beyond share a vector."),
        word_option("terms", "Terms", {"both", "content_to_position", "position_to_content"},
                    "Which of the two terms with a place are added; the scale divides by the root of their "
                    "number plus one."),
        word_option("p2c", "Position to content", {"equation", "released"},
                    "Which relative query a key meets: Q_r[δ(j, i)] as in the paper’s equation 4, or "
                    "Q_r[δ(i, j)] as the released implementations gather them. Their weights differ."),
    };
    component.known_parameters = {{"P_relative", "[2 distance, d]", "a vector for each clipped distance"},
                                  {"W_kr", "[d, D]", "projects distances to relative keys"},
                                  {"W_qr", "[d, D]", "projects distances to relative queries"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.tokens.query_width;
        list.add("P_relative", {2 * span_of(plan), width});
        if (has_term(plan, "content_to_position"))
            list.add("W_kr", {width, plan.query_width});
        if (has_term(plan, "position_to_content"))
            list.add("W_qr", {width, plan.query_width});
    };
    component.check = check_deberta;
    component.acts_on_scores = true;
    component.stages = [](const Plan& plan, StageList& list) {
        list.add_map("content_scores");
        for (const char* term : {"content_to_position", "position_to_content"})
            if (has_term(plan, term))
                list.add_map(term);
    };
    component.copies_parameters = false;
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        const Index rows = 2 * span_of(plan), width = plan.head_query_width();
        double numbers = has_term(plan, "content_to_position") ? elements(plan.heads, rows, width) : 0;
        if (has_term(plan, "position_to_content"))
            numbers += elements(plan.heads, rows, width + plan.keys);
        return StepMemory{.kept = numbers * needs.real, .working = elements(rows) * needs.real};
    };
    component.declared_stages = {
        {"content_scores", "Scores of the content"},
        {"content_to_position", "Content to position"},
        {"position_to_content", "Position to content"},
        made_stage("scores", "Scores",
                   {"",
                    {{"content_scores"},
                     optional_stage("content_to_position", "+"),
                     optional_stage("position_to_content", "+")},
                    "="}),
        made_stage("scaled_scores", "Scaled scores", {"", {{"scores"}}, "scale\n→"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_deberta_steps(plan, pipeline); };
    component.define_scores = define_deberta;
    component.define_scale = define_scale_of_deberta;
    return component;
}

}  // namespace headlight
