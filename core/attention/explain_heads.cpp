// What norms, talking heads and gates do to vectors and scores.
#include "core/attention/arithmetic_text.h"
#include "core/attention/explained_cell.h"

#include <cmath>
#include <numeric>

namespace headlight {
namespace {

/// " / 2.3": what a norm divides by.
Arithmetic divided_by(double length) { return " / " + written(length); }

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
    const Arithmetic text = defined_arithmetic(cell, "mixed_scores");
    cell.add("mixed_scores", "mixed score", text.empty() ? "P_scores · the heads’ scores" : text);
}

void explain_gate(ExplainedCell& cell) {
    const Arithmetic text = defined_arithmetic(cell, "gate");
    cell.add("gate", "gate", text.empty() ? "sigmoid(x W_gate + b_gate)" : text);
}

}  // namespace headlight
