// Queries and keys on their way to the scores that the softmax gets.
#include "core/attention/arithmetic_text.h"
#include "core/attention/explained_cell.h"

#include <cmath>

namespace headlight {
namespace {

double dot(std::span<const double> left, const Tensor& matrix, Index first_row, Index column) {
    double sum = 0;
    for (std::size_t i = 0; i < left.size(); ++i)
        sum += left[i] * matrix(first_row + static_cast<Index>(i), column);
    return sum;
}

struct ActivationWords {
    std::string_view name;
    double (*function)(double);
};

ActivationWords activation_of(const Plan& plan) {
    switch (plan.spec.score.activation) {
    case Activation::tanh:
        return {"tanh", [](double x) { return std::tanh(x); }};
    case Activation::relu:
        return {"max(0, ", [](double x) { return std::max(x, 0.0); }};
    case Activation::sigmoid:
        return {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }};
    case Activation::identity:
        break;
    }
    return {"", [](double x) { return x; }};
}

/// What a pair's energy is the activation of: the query's part, the key's part and the bias, at one feature.
struct EnergyParts {
    double query, key, bias;
    double sum() const { return query + key + bias; }
};

EnergyParts energy_parts(const ExplainedCell& cell, Index feature) {
    const Plan& plan = cell.plan;
    const bool concat = plan.spec.score.type == ScoreType::concat;
    const auto q = cell.row_of("query", cell.head, cell.row);
    const auto k = cell.row_of("key", cell.head, cell.column);
    return {dot(q, plan.parameter(concat ? "W" : "W_1"), 0, feature),
            dot(k, plan.parameter(concat ? "W" : "W_2"), concat ? std::ssize(q) : 0, feature),
            plan.spec.score.bias ? plan.parameter("b")[feature] : 0};
}

std::string energy_text(const ExplainedCell& cell, Index feature) {
    const Score& score = cell.plan.spec.score;
    const EnergyParts parts = energy_parts(cell, feature);
    std::string symbols = score.type == ScoreType::concat ? "[q; k] W" : "q W_1 + k W_2";
    std::string numbers = plus(parts.query, parts.key);
    if (score.bias) {
        symbols += " + b";
        numbers = plus(numbers, parts.bias);
    }
    const std::string_view name = activation_of(cell.plan).name;
    if (name.empty())
        return symbols + " = " + numbers;
    const std::string opening = std::string(name) + (name.ends_with(' ') ? "" : "(");
    return opening + symbols + ") = " + opening + numbers + ")";
}

std::string weighted_energies(const ExplainedCell& cell) {
    const Tensor& v = cell.plan.parameter("v");
    std::vector<Factors> terms;
    for (Index feature = 0; feature < v.size(); ++feature)
        terms.push_back({v[feature], activation_of(cell.plan).function(energy_parts(cell, feature).sum())});
    return "v · energy = " + sum_of_products(terms);
}

std::string general_product(const ExplainedCell& cell) {
    const auto q = cell.row_of("query", cell.head, cell.row);
    const auto k = cell.row_of("key", cell.head, cell.column);
    const Tensor& matrix = cell.plan.parameter("W");
    std::vector<Factors> terms;
    for (Index c = 0; c < std::ssize(k); ++c)
        terms.push_back({dot(q, matrix, 0, c), k[static_cast<std::size_t>(c)]});
    return "q W · k = " + sum_of_products(terms);
}

std::string dot_product(const ExplainedCell& cell) {
    const auto q = cell.row_of("query", cell.head, cell.row);
    const auto k = cell.row_of("key", cell.head, cell.column);
    std::vector<Factors> terms;
    for (std::size_t i = 0; i < q.size(); ++i)
        terms.push_back({q[i], k[i]});
    return "q · k = " + sum_of_products(terms);
}

/// The stage before the scale: the scores, or with the mask inside the scale the masked ones.
std::string_view unscaled_scores(const AttentionSpec& spec) {
    return spec.mask_order == MaskOrder::before_scale ? "masked_scores" : "scores";
}

bool has_scale(const Score& score) {
    return score.type == ScoreType::scaled_dot || score.type == ScoreType::learned_scale;
}

std::string scaled_text(const ExplainedCell& cell) {
    const std::string number = cell.shown(unscaled_scores(cell.plan.spec));
    if (std::isinf(cell.here("scaled_scores")))
        return number + ", whatever the scale: the mask forbids this pair";
    switch (cell.plan.spec.score.type) {
    case ScoreType::scaled_dot:
        return number + " / √" + std::to_string(cell.plan.head_key_width());
    case ScoreType::learned_scale:
        return "g × score = " + format_number(cell.plan.scale) + " × " + number;
    default:
        return number + ", for this score has no scale";
    }
}

}  // namespace

void explain_energy(ExplainedCell& cell) {
    const Index width = cell.plan.attention_width;
    const Index pair = cell.row * cell.plan.keys + cell.column;
    const std::string title =
        width == 1 ? "energy" : "energy " + std::to_string(cell.feature + 1) + " of " + std::to_string(width);
    cell.add("energy", title, energy_text(cell, cell.feature),
             cell.at("energy", cell.head, pair, cell.feature));
}

void explain_scores(ExplainedCell& cell) {
    if (cell.is_recorded("energy"))
        explain_energy(cell);
    const auto text = cell.plan.attention_width > 0                     ? weighted_energies
                      : cell.plan.spec.score.type == ScoreType::general ? general_product
                                                                        : dot_product;
    cell.add("scores", "score", text(cell));
}

void explain_scaled_scores(ExplainedCell& cell) {
    if (unscaled_scores(cell.plan.spec) == "scores")
        explain_scores(cell);
    else
        explain_masked_scores(cell);
    if (has_scale(cell.plan.spec.score) || cell.is_asked("scaled_scores"))
        cell.add("scaled_scores", "scaled score", scaled_text(cell));
}

void explain_biased_scores(ExplainedCell& cell) {
    explain_scaled_scores(cell);
    if (cell.is_asked("biased_scores"))
        cell.add("biased_scores", "biased score", cell.shown("scaled_scores") + " + 0: no position bias");
}

void explain_masked_scores(ExplainedCell& cell) {
    const bool first = cell.plan.spec.mask_order == MaskOrder::before_scale;
    if (first)
        explain_scores(cell);
    else
        explain_biased_scores(cell);
    if (cell.plan.allowed.all_allowed() && !cell.is_asked("masked_scores"))
        return;
    const double added = cell.plan.allowed.allowed(cell.row, cell.column)
                             ? 0
                             : cell.plan.spec.mask_value.value_or(-std::numeric_limits<double>::infinity());
    cell.add("masked_scores", "masked score", plus(cell.here(first ? "scores" : "scaled_scores"), added));
}

std::string_view final_scores(const AttentionSpec& spec) {
    return spec.mask_order == MaskOrder::before_scale ? "scaled_scores" : "masked_scores";
}

std::string_view explain_final_scores(ExplainedCell& cell) {
    if (cell.plan.spec.mask_order == MaskOrder::before_scale)
        explain_biased_scores(cell);
    else
        explain_masked_scores(cell);
    return final_scores(cell.plan.spec);
}

}  // namespace headlight
