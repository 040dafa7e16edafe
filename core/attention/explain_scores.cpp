// Queries and keys on their way to the scores that the softmax gets.
#include "core/attention/arithmetic_text.h"
#include "core/attention/component.h"
#include "core/attention/explained_cell.h"
#include "core/attention/kernel_scores.h"

#include <cmath>

namespace headlight {
namespace {

Arithmetic dot_product(const ExplainedCell& cell) {
    return "q · k = " + cell.product(cell.compared_query(), cell.head, cell.compared_key(),
                                     cell.plan.kv_head(cell.head), cell.plan.head_key_width());
}

/// What the recorded score has beside the product: a position may score pairs in its own way. 0 for rounding.
double beside_product(const ExplainedCell& cell) {
    const auto q = cell.row_of(cell.compared_query(), cell.head, cell.row);
    const auto k = cell.row_of(cell.compared_key(), cell.plan.kv_head(cell.head), cell.column);
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < std::min(q.size(), k.size()); ++i) {
        sum += q[i] * k[i];
        size = std::max(size, std::abs(q[i] * k[i]));
    }
    const double added = cell.here("scores") - sum;
    return std::abs(added) > 1e-9 * size ? added : 0;
}

template <class Hook>
const PositionComponent* position_with_or_first(const AttentionSpec& spec, Hook PositionComponent::*hook) {
    const PositionComponent* position = position_with(spec, hook);
    return position ? position : component_of(spec.position.type);
}

Arithmetic score_text(const ExplainedCell& cell) {
    const AttentionSpec& spec = cell.plan.spec;
    if (const ScoreComponent* component = component_of(spec.score.type))
        return text_of(component, cell, "scores", component->meaning);
    if (cell.plan.attention_width > 0 || spec.score.type == ScoreType::general) {
        const Arithmetic text = defined_arithmetic(cell, "scores");
        return text.empty() ? kernel_score(spec.score.type)->meaning : text;
    }
    const double added = beside_product(cell);
    if (added == 0)
        return dot_product(cell);
    const PositionComponent* position = position_with_or_first(spec, &PositionComponent::acts_on_scores);
    return text_of(position, cell, "scores", plus(dot_product(cell), added) + ", the last from the position");
}

/// The stage before the scale: the scores, or with the mask inside the scale the masked ones.
std::string_view unscaled_scores(const AttentionSpec& spec) {
    return spec.mask_order == MaskOrder::before_scale ? "masked_scores" : "scores";
}

bool has_scale(const Plan& plan) {
    return plan.spec.score.type == ScoreType::scaled_dot ||
           plan.spec.score.type == ScoreType::learned_scale || plan.scale != 1 || plan.spec.score.softcap;
}

/// The unscaled score times the scale.
Arithmetic product_with_scale(const ExplainedCell& cell, const Arithmetic& number) {
    switch (cell.plan.spec.score.type) {
    case ScoreType::scaled_dot:
        return number + " / √" + std::to_string(cell.plan.head_key_width());
    case ScoreType::learned_scale:
        return "g × score = " + written(cell.plan.scale) + " × " + number;
    default:
        return cell.plan.scale == 1 ? number : written(cell.plan.scale) + " × " + number;
    }
}

Arithmetic scaled_text(const ExplainedCell& cell) {
    const auto& softcap = cell.plan.spec.score.softcap;
    const double unscaled = cell.here(unscaled_scores(cell.plan.spec)), scaled = cell.here("scaled_scores");
    const Arithmetic number = written(unscaled);
    if (std::isinf(scaled))
        return number + ", whatever the scale: " + cell.why_not();
    const double product = unscaled * cell.plan.scale;
    const double expected = softcap ? *softcap * std::tanh(product / *softcap) : product;
    if (std::abs(expected - scaled) > 1e-9 * std::abs(scaled))
        return text_of(component_of(cell.plan.spec.score.type), cell, "scaled_scores",
                       text_of(position_with_or_first(cell.plan.spec, &PositionComponent::define_scale), cell,
                               "scaled_scores", "what the score makes of " + number));
    if (softcap)
        return "c tanh(s / c) = " + written(*softcap) + " × tanh(" + written(product) + " / " +
               written(*softcap) + ")";
    if (!has_scale(cell.plan))
        return number + ", for this score has no scale";
    return product_with_scale(cell, number);
}

/// What a key was left out by, other than the mask.
bool is_left_out(const ExplainedCell& cell) {
    return std::isinf(cell.here("masked_scores")) && cell.plan.allowed.allowed(cell.row, cell.column) &&
           cell.plan.spec.selection.type != SelectionType::none;
}

}  // namespace

void explain_energy(ExplainedCell& cell) {
    const Index width = cell.plan.attention_width;
    const Index pair = cell.row * cell.plan.keys + cell.column;
    const std::string title =
        width == 1 ? "energy" : "energy " + std::to_string(cell.feature + 1) + " of " + std::to_string(width);
    const ScoreType type = cell.plan.spec.score.type;
    const ScoreComponent* component = component_of(type);
    const Arithmetic meaning = component ? component->meaning : kernel_score(type)->meaning;
    const Arithmetic text = defined_arithmetic(cell, "energy");
    cell.add("energy", title, text.empty() ? meaning : text,
             cell.at("energy", cell.head, pair, cell.feature));
}

void explain_scores(ExplainedCell& cell) {
    if (cell.is_recorded("energy"))
        explain_energy(cell);
    cell.add("scores", "score", score_text(cell));
}

void explain_scaled_scores(ExplainedCell& cell) {
    if (unscaled_scores(cell.plan.spec) == "scores")
        explain_scores(cell);
    else
        explain_masked_scores(cell);
    if (has_scale(cell.plan) || cell.is_asked("scaled_scores") ||
        cell.here("scaled_scores") != cell.here(unscaled_scores(cell.plan.spec)))
        cell.add("scaled_scores", "scaled score", scaled_text(cell));
}

void explain_position_bias(ExplainedCell& cell) {
    const PositionComponent* position = position_with(cell.plan.spec, &PositionComponent::has_bias);
    cell.add("position_bias", "position bias", text_of(position, cell, "position_bias", position->meaning));
}

void explain_biased_scores(ExplainedCell& cell) {
    explain_scaled_scores(cell);
    const PositionComponent* position = position_with(cell.plan.spec, &PositionComponent::has_bias);
    if (cell.is_recorded("position_bias")) {
        explain_position_bias(cell);
        cell.add("biased_scores", "biased score",
                 plus(cell.here("scaled_scores"), cell.here("position_bias")));
    } else if (cell.here("biased_scores") != cell.here("scaled_scores")) {
        const double added = cell.here("biased_scores") - cell.here("scaled_scores");
        cell.add("biased_scores", "biased score",
                 text_of(position, cell, "biased_scores",
                         plus(cell.shown("scaled_scores"), added) + ", the last from the position"));
    } else if (cell.is_asked("biased_scores")) {
        cell.add("biased_scores", "biased score", cell.shown("scaled_scores") + " + 0: no position bias");
    }
}

void explain_masked_scores(ExplainedCell& cell) {
    const bool first = cell.plan.spec.mask_order == MaskOrder::before_scale;
    if (first)
        explain_scores(cell);
    else
        explain_biased_scores(cell);
    if (is_left_out(cell)) {
        cell.add("masked_scores", "masked score",
                 text_of(component_of(cell.plan.spec.selection.type), cell, "masked_scores",
                         "−∞, for the selection leaves this key out"));
        return;
    }
    constexpr double forbidden = -std::numeric_limits<double>::infinity();
    const double before = cell.here(first ? "scores" : "biased_scores");
    // Inside a model a person may have forbidden what its mask allows.
    const bool is_by_hand = cell.here("masked_scores") == forbidden && before != forbidden &&
                            cell.plan.allowed.allowed(cell.row, cell.column);
    if (cell.plan.allowed.all_allowed() && !is_by_hand && !cell.is_asked("masked_scores"))
        return;
    const bool is_allowed = !is_by_hand && cell.plan.allowed.allowed(cell.row, cell.column);
    const double added = is_allowed   ? 0
                         : is_by_hand ? forbidden
                                      : cell.plan.spec.mask_value.value_or(forbidden);
    cell.add("masked_scores", "masked score", plus(before, added));
}

std::string_view final_scores(const AttentionSpec& spec) {
    if (spec.heads.type == HeadsType::talking)
        return "mixed_scores";
    const bool is_masked_first = spec.mask_order == MaskOrder::before_scale && is_composed(spec);
    return is_masked_first ? "biased_scores" : "masked_scores";
}

std::string_view explain_final_scores(ExplainedCell& cell) {
    if (cell.plan.spec.mask_order == MaskOrder::before_scale)
        explain_biased_scores(cell);
    else
        explain_masked_scores(cell);
    if (cell.plan.spec.heads.type == HeadsType::talking)
        explain_mixed_scores(cell);
    return final_scores(cell.plan.spec);
}

}  // namespace headlight
