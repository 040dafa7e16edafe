#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/pipeline.h"
#include "core/attention/positions/product_scores.h"
#include "core/attention/sigmoid.h"
#include "core/attention/vector_length.h"
#include "core/kernels/arithmetic.h"
#include "core/tensor/interruption.h"

namespace headlight {
namespace {

void check_path(const Plan& plan) {
    require_one_sequence(plan, "path positions", "the reflections stand between tokens of one sequence");
    require_products_of_one_width(plan, "path positions");
}

/// H_t = I - beta_t w_t w_t^T of every token, |w_t| = 1 and 0 < beta_t < 2: made once per run.
template <class Real>
class Reflections {
public:
    Reflections(const Plan& plan, Pipeline<Real>& pipeline)
        : plan_(plan), pipeline_(pipeline), width_(plan.head_query_width()),
          directions_(pipeline.operands.allocate(plan.heads * plan.keys * width_)),
          strengths_(pipeline.operands.allocate(plan.heads * plan.keys)) {}

    void prepare(Index head, const Recorder& record) const {
        const Tensor& matrix = plan_.parameter("W_path");
        const Tensor& gate = plan_.parameter("W_beta");
        const double factor = plan_.position().number("strength");
        const MatrixView<const Real> tokens = pipeline_.operands.key_tokens();
        const MatrixView<const double> columns =
            row_major(matrix.data(), matrix.rows(), matrix.cols()).column_range(head * width_, width_);
        std::vector<double> w(static_cast<std::size_t>(width_)), x(static_cast<std::size_t>(matrix.rows()));
        const auto& by = kernels::chosen_arithmetic<double>();
        for (Index token = 0; token < plan_.keys; ++token) {
            Interruption::check();
            std::copy_n(tokens.row(token), x.size(), x.begin());
            std::ranges::fill(w, 0.0);
            by.add_scaled_rows(x.data(), columns, w.data());
            double logit = 0;
            for (Index f = 0; f < matrix.rows(); ++f)
                logit += x[static_cast<std::size_t>(f)] * gate(f, head);
            Real* direction = directions_ + (head * plan_.keys + token) * width_;
            write_direction(w.data(), width_, direction);
            Real& strength = strengths_[head * plan_.keys + token];
            strength = static_cast<Real>(factor * 2 * sigmoid(logit));
            record.write("path_directions", (head * plan_.keys + token) * width_, direction, width_);
            record.write("path_strengths", head * plan_.keys + token, &strength, 1);
        }
    }

    /// S_ij = k_j . (the product of H between) q_i: the query walks away from its place and is reflected at
    /// every token on the way.
    void score(const ScoreRow<Real>& row) const {
        thread_local std::vector<Real> walker;
        const Real* query = pipeline_.operands.compared_query(row.head).row(row.query);
        const MatrixView<const Real> keys = pipeline_.operands.compared_key(plan_.kv_head(row.head));
        walker.assign(query, query + width_);
        for (Index key = std::min(row.query, row.size - 1); key >= 0; --key) {
            row.values[key] = by_.inner_product(keys.row(key), walker.data(), width_);
            reflect(row.head, key, walker.data());
        }
        walker.assign(query, query + width_);
        for (Index key = row.query + 1; key < row.size; ++key) {
            reflect(row.head, key, walker.data());
            row.values[key] = by_.inner_product(keys.row(key), walker.data(), width_);
        }
    }

private:
    void reflect(Index head, Index token, Real* q) const {
        const Real* w = directions_ + (head * plan_.keys + token) * width_;
        const Real along = strengths_[head * plan_.keys + token] * by_.inner_product(w, q, width_);
        by_.add_scaled(-along, w, width_, q);
    }

    const Plan& plan_;
    Pipeline<Real>& pipeline_;
    const kernels::Arithmetic<Real>& by_ = pipeline_.operands.arithmetic();
    Index width_;
    Real* directions_;  ///< [h, m, d]
    Real* strengths_;   ///< [h, m]
};

template <class Real>
void add_path_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const auto reflections = std::make_shared<const Reflections<Real>>(plan, pipeline);
    pipeline.prepare.push_back(
        [reflections](Index head, const Recorder& record) { reflections->prepare(head, record); });
    pipeline.score = [reflections](const ScoreRow<Real>& row, const Recorder&) { reflections->score(row); };
}

/// k · q, the query reflected at every token on the way. With a_s the part along w_s of the query that
/// arrives at token s, H takes β_s a_s w_s away from it: a_t = w_t · q − Σ β_s (w_s · w_t) a_s over the
/// tokens s on the way from the query to t, which forward substitution solves for all queries at once (Yang
/// et al. 2025, section 3.3).
Expression define_path(Composer& composer, const Expression& products) {
    const double factor = composer.plan.position().number("strength");
    const Expression path = composer.let("path", composer.projected_by_heads(composer.key_tokens, "W_path"),
                                         "directions of the reflections");
    const Expression length = composer.let("path_length", root_of(sum_of_columns(path * path)));
    const Expression w = composer.let("path_directions", path / choose(is_above(length, 0), length, 1),
                                      "each row divided by its length");
    const Expression beta = composer.let(
        "path_strengths", factor * 2 * sigmoid_of(composer.projected_by_heads(composer.key_tokens, "W_beta")),
        "strengths of the reflections");
    const Expression taken = composer.let("path_taken", beta * w, "β w: what a reflection takes away");
    const Expression of_queries =
        composer.let("path_of_queries", product_transposed(composer.query, w), "queries along w");
    const Expression overlaps =
        composer.let("path_overlaps", product_transposed(taken, w), "what a reflection takes along others");
    const Expression of_keys = composer.let("path_of_keys", product_transposed(taken, composer.key),
                                            "what a reflection takes from the products with keys");
    const Expression not_later = pairs_not_later(composer), earlier = pairs_with_earlier(composer),
                     own = as_number(pairs_with_itself(composer));
    const Expression back =
        composer.let("path_back",
                     product(choose(not_later, of_queries, 0),
                             choose(not_later, inverse_of(choose(earlier, overlaps, 0) + own), 0)),
                     "queries along each w on their way to the tokens before");
    const Expression ahead =
        composer.let("path_ahead",
                     product(choose(not_later, 0, of_queries),
                             choose(earlier, 0, inverse_of(choose(not_later, 0, overlaps) + own))),
                     "queries along each w on their way to the tokens behind");
    // Back from the query to a key, all w but the key's own are met; ahead, all but the query's own.
    return products - choose(not_later, product(back, choose(earlier, of_keys, 0)),
                             product(ahead, choose(earlier, 0, of_keys)));
}

}  // namespace

PositionComponent declare_positions_path() {
    PositionComponent component;
    component.meaning =
        "k_j · H_(j+1) … H_i q_i with H_t = I − β_t w_t w_tᵀ: every token on the way from query to key "
        "reflects the query (Yang et al. 2025)";
    component.options = {number_option("strength", "Strength", 1.0, {0, 1},
                                       "What every β is multiplied by: at 0 no token changes anything.")};
    component.known_parameters = {
        {"W_path", "[d, h d_k]", "projects a token vector to the direction of its reflection in each head"},
        {"W_beta", "[d, h]", "projects a token vector to the strength of its reflection, 2 sigmoid of it"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_path", {plan.tokens.key_width, plan.heads * plan.head_query_width()});
        list.add("W_beta", {plan.tokens.key_width, plan.heads});
    };
    component.check = check_path;
    component.acts_on_scores = true;
    component.reads_between = true;
    component.stages = [](const Plan& plan, StageList& list) {
        list.add("path_directions", {Axis::head, Axis::key, Axis::feature},
                 {plan.heads, plan.keys, plan.head_query_width()});
        list.add("path_strengths", {Axis::head, Axis::key}, {plan.heads, plan.keys});
    };
    component.copies_parameters = false;
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        return StepMemory{.kept = elements(plan.heads, plan.keys, plan.head_query_width() + 1) * needs.real};
    };
    component.declared_stages = {
        {"path_directions", "Directions of the reflections"},
        {"path_strengths", "Strengths of the reflections"},
        made_stage(
            "scores", "Scores",
            {"",
             {{"query"}, {.stage = "key", .operator_before = "and", .transposed = true, .as_keys = true}},
             "reflect\n→"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_path_steps(plan, pipeline); };
    component.define_scores = define_path;
    return component;
}

}  // namespace headlight
