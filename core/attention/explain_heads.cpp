// What norms, talking heads and gates do to vectors and scores.
#include "core/attention/arithmetic_text.h"
#include "core/attention/explained_cell.h"
#include "core/attention/position.h"

#include <cmath>
#include <numeric>

namespace headlight {
namespace {

/// " / 2.3": what a norm divides by.
Arithmetic divided_by(double length) { return " / " + written(length); }

/// What is projected: a query's token vector, with its position term.
std::vector<double> token_of(const ExplainedCell& cell) {
    const auto token = cell.row_of("tokens", 0, cell.row);
    std::vector<double> x(token.begin(), token.end());
    if (adds_to_tokens(cell.plan.spec))
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] += cell.row_of("position", 0, cell.row)[i];
    return x;
}

}  // namespace

void explain_normalized(ExplainedCell& cell) {
    const bool is_key = cell.stage.name == "normalized_key";
    const VectorNorm norm = cell.plan.spec.score.vector_norm;
    const auto x = cell.row_of(is_key ? "key" : "query", cell.head, cell.row);
    const double count = static_cast<double>(x.size());
    const double number = x[static_cast<std::size_t>(cell.column)];
    const double squares = std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / count;
    Arithmetic text;
    switch (norm) {
    case VectorNorm::none:
        break;
    case VectorNorm::l2:
        text = "x / |x| = " + written(number) + divided_by(std::sqrt(squares));
        break;
    case VectorNorm::rms:
        text =
            "x / root mean square × g = " + written(number) + divided_by(std::sqrt(squares / count + 1e-6));
        break;
    case VectorNorm::layer: {
        double variance = 0;
        for (const double each : x)
            variance += (each - mean) * (each - mean) / count;
        text = "(x − mean) / standard deviation × g = (" + minus(number, mean) + ")" +
               divided_by(std::sqrt(variance + 1e-6));
        break;
    }
    }
    if (norm == VectorNorm::rms || norm == VectorNorm::layer)
        text += " × " + written(cell.plan.parameter(is_key ? "g_k" : "g_q")[cell.column]);
    cell.add(cell.stage.name, is_key ? "normalised key" : "normalised query", text);
}

void explain_mixed_scores(ExplainedCell& cell) {
    const bool is_scaled_last = cell.plan.spec.mask_order == MaskOrder::before_scale;
    const std::string_view from = is_scaled_last ? "biased_scores" : "masked_scores";
    if (std::isinf(cell.here(from))) {
        cell.add("mixed_scores", "mixed score", "−∞, for the mask forbids this pair in every head");
        return;
    }
    std::vector<Factors> terms;
    for (Index head = 0; head < cell.plan.heads; ++head)
        terms.push_back(
            {cell.plan.parameter("P_scores")(cell.head, head), cell.at(from, head, cell.row, cell.column)});
    cell.add("mixed_scores", "mixed score", "P_scores · the heads’ scores = " + sum_of_products(terms));
}

void explain_gate(ExplainedCell& cell) {
    const std::vector<double> x = token_of(cell);
    const Tensor& matrix = cell.plan.parameter("W_gate");
    std::vector<Factors> terms;
    for (std::size_t i = 0; i < x.size(); ++i)
        terms.push_back({x[i], matrix(static_cast<Index>(i), cell.column)});
    cell.add("gate", "gate",
             "sigmoid(x W_gate + b_gate) = sigmoid(" +
                 plus(sum_of_products(terms), cell.plan.parameter("b_gate")[cell.column]) + ")");
}

}  // namespace headlight
