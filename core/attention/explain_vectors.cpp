// Token vectors on their way to queries, keys and values.
#include "core/attention/arithmetic_text.h"
#include "core/attention/component.h"
#include "core/attention/explained_cell.h"
#include "core/attention/position.h"
#include "core/attention/widths.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace headlight {
namespace {

struct Projection {
    const char* stage;
    const Tensor& tokens;
    bool has_matrix;
    const char* matrix;
    const char* bias;
    bool is_placed;  ///< its tokens have a position term
};

bool has_position(const Plan& plan) { return adds_to_tokens(plan.spec); }

/// What is projected: the token's vector plus its position term. Padding that holds no numbers counts as
/// zeros.
std::vector<double> input_row(const ExplainedCell& cell, const Projection& projection, Index row) {
    const Plan& plan = cell.plan;
    const auto token = projection.tokens.row(row);
    std::vector<double> x(token.begin(), token.end());
    const bool is_finite = std::ranges::all_of(x, [](double number) { return std::isfinite(number); });
    if (!is_finite)
        std::ranges::fill(x, 0.0);
    if (!projection.is_placed)
        return x;
    if (term_is_of_tokens(plan.spec)) {
        std::ranges::transform(x, cell.row_of("position", 0, row), x.begin(), std::plus());
    } else if (is_finite) {
        const Tensor terms = token_term(plan, projection.tokens.rows(), std::ssize(x));
        std::ranges::transform(x, terms.row(row), x.begin(), std::plus());
    }
    return x;
}

/// Without a matrix, and with the identity: one number of the token's vector, plus its position.
Arithmetic copied(const ExplainedCell& cell, const Projection& projection, double number, Index column) {
    const bool identity = cell.plan.spec.projections.type == ProjectionType::identity;
    if (!projection.is_placed)
        return (identity ? "x I = " : "x = ") + written(number);
    const double token = term_is_of_tokens(cell.plan.spec) ? number - cell.at("position", 0, cell.row, column)
                                                           : projection.tokens(cell.row, column);
    return (identity ? "(x + p) I = " : "x + p = ") + plus(token, number - token);
}

Arithmetic projected(const ExplainedCell& cell, const Projection& projection, const std::vector<double>& x,
                     Index column) {
    const Tensor& matrix = cell.plan.parameter(projection.matrix);
    std::vector<Factors> terms;
    for (Index f = 0; f < matrix.rows(); ++f)
        terms.push_back({x[static_cast<std::size_t>(f)], matrix(f, column)});
    const std::string symbols = std::string(projection.is_placed ? "(x + p) " : "x ") + projection.matrix;
    if (!cell.plan.spec.projections.bias)
        return symbols + " = " + sum_of_products(terms);
    return symbols + " + " + projection.bias + " = " +
           plus(sum_of_products(terms), cell.plan.parameter(projection.bias)[column]);
}

void explain_projection(ExplainedCell& cell, const Projection& projection) {
    const Index column = cell.head * cell.trace.find(projection.stage)->shape.back() + cell.column;
    const std::vector<double> x = input_row(cell, projection, cell.row);
    cell.add(projection.stage, projection.stage,
             projection.has_matrix ? projected(cell, projection, x, column)
                                   : copied(cell, projection, x[static_cast<std::size_t>(column)], column));
}

}  // namespace

void explain_tokens(ExplainedCell& cell) {
    cell.add(cell.stage.name, "token vector",
             "number " + std::to_string(cell.column + 1) + " of " + std::to_string(cell.stage.shape.back()) +
                 ", as given");
}

void explain_position(ExplainedCell& cell) {
    if (term_is_of_tokens(cell.plan.spec)) {
        explain_by_component(cell);
        return;
    }
    if (!uses_position(cell.plan.spec, PositionType::sinusoidal)) {
        const Options& options = cell.plan.position();
        const bool has_segments = !options.list("segments").empty();
        const Index rows = options.count("trained");
        const bool is_mixed = rows > 0 && cell.stage.shape.front() > rows;
        cell.add(cell.stage.name, "position",
                 "number " + std::to_string(cell.column + 1) +
                     (is_mixed ? " of the mixture of learned vectors at place "
                               : " of the learned vector of place ") +
                     std::to_string(cell.row + 1) + (has_segments ? ", plus that of its segment" : ""));
        return;
    }
    const Index pair_start = cell.column - cell.column % 2;
    cell.add(cell.stage.name, "position",
             (cell.column % 2 == 0 ? "sin(" : "cos(") + std::to_string(cell.row) + " / 10000^(" +
                 std::to_string(pair_start) + " / " + std::to_string(cell.stage.shape.back()) +
                 ")): the first token stands at 0");
}

void explain_query(ExplainedCell& cell) {
    explain_projection(cell, {"query", cell.plan.inputs.query, projects_queries(cell.plan.spec), "W_q", "b_q",
                              has_position(cell.plan)});
}
void explain_key(ExplainedCell& cell) {
    const bool is_query = cell.plan.spec.heads.sharing == Sharing::query_key;
    explain_projection(cell, {"key", cell.plan.inputs.key_tokens(), projects_queries(cell.plan.spec),
                              is_query ? "W_q" : "W_k", is_query ? "b_q" : "b_k", has_position(cell.plan)});
}
void explain_value(ExplainedCell& cell) {
    if (cell.plan.spec.heads.sharing == Sharing::key_value)
        return cell.add("value", "value", "v = k = " + cell.shown("key"));
    explain_projection(cell, {"value", cell.plan.inputs.value_tokens(), projects_values(cell.plan.spec),
                              "W_v", "b_v", has_position(cell.plan) && !values_are_unplaced(cell.plan)});
}

}  // namespace headlight
