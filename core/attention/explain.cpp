#include "core/attention/explain.h"

#include "core/attention/arithmetic_text.h"
#include "core/attention/component.h"
#include "core/attention/explained_cell.h"
#include "core/attention/widths.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr const char* nothing_allowed = "0, for the mask forbids every key";

void explain_row_maximum(ExplainedCell& cell) {
    const std::string text = cell.nothing_counts() ? "−∞, for the mask forbids every key"
                                                   : maximum_of(cell.counted(final_scores(cell.plan.spec)));
    cell.add("row_maximum", "largest score of the row", text, cell.of_row("row_maximum"));
}

void explain_exponentials(ExplainedCell& cell) {
    const double score = cell.here(explain_final_scores(cell));
    explain_row_maximum(cell);
    const double temperature = cell.plan.spec.normalizer.temperature;
    std::string text = "−∞";
    if (cell.counts(cell.column))
        text = minus(score, cell.of_row("row_maximum"));
    if (cell.counts(cell.column) && temperature != 1)
        text = "(" + text + ") / " + format_number(temperature);
    cell.add("exponentials", "exponential", "exp(" + text + ")");
}

void explain_row_sum(ExplainedCell& cell) {
    cell.add("row_sum", "sum of the row",
             cell.nothing_counts() ? nothing_allowed : sum_of(cell.counted("exponentials")),
             cell.of_row("row_sum"));
}

std::string share_of_row(const ExplainedCell& cell) {
    if (cell.nothing_counts())
        return nothing_allowed;
    return cell.shown("exponentials") + " / " + format_number(cell.of_row("row_sum"));
}

void explain_soft_weights(ExplainedCell& cell) {
    explain_exponentials(cell);
    explain_row_sum(cell);
    cell.add("soft_weights", "softmax", share_of_row(cell));
}

void explain_draw(ExplainedCell& cell) {
    const double drawn = cell.of_row("draw");
    std::string text = nothing_allowed;
    if (drawn >= 0) {
        const auto key = static_cast<Index>(drawn);
        text = cell.key_name(key) + ", drawn with probability " +
               format_number(cell.at("soft_weights", cell.head, cell.row, key)) + "; keys count from 0";
    } else {
        text = "no key, for the mask forbids every one";
    }
    cell.add("draw", "drawn key", text, drawn);
}

void explain_frequencies(ExplainedCell& cell) {
    explain_soft_weights(cell);
    const auto draws = static_cast<double>(cell.plan.spec.normalizer.draws);
    cell.add("frequencies", "share of the draws",
             cell.nothing_counts() ? nothing_allowed
                                   : format_number(std::round(cell.here("frequencies") * draws)) + " / " +
                                         format_number(draws));
}

std::string chosen_text(const ExplainedCell& cell, Index chosen, const char* why) {
    return chosen == cell.column ? std::string("1, for this key ") + why
                                 : "0, for " + cell.key_name(chosen) + " " + why;
}

/// What the softmax gave, mixed over the heads; or, where a component went on changing it, what that one
/// says.
void explain_changed_softmax(ExplainedCell& cell) {
    const Plan& plan = cell.plan;
    if (plan.spec.heads.type == HeadsType::talking) {
        std::vector<Factors> terms;
        for (Index head = 0; head < plan.heads; ++head)
            terms.push_back({plan.parameter("P_weights")(cell.head, head),
                             cell.at("soft_weights", head, cell.row, cell.column)});
        cell.add("weights", "weight", "P_weights · the heads’ softmax = " + sum_of_products(terms));
        return;
    }
    std::string text;
    for_each_component(plan.spec, [&](const auto& component) {
        if (text.empty() && component.explain)
            text = component.explain(cell, "weights");
    });
    cell.add("weights", "weight",
             text.empty() ? share_of_row(cell) + ", and what follows the softmax" : text);
}

void explain_weights(ExplainedCell& cell) {
    const Normalizer& normalizer = cell.plan.spec.normalizer;
    if (const NormalizerComponent* component = component_of(normalizer.type)) {
        explain_final_scores(cell);
        cell.add("weights", "weight", text_of(component, cell, "weights", component->meaning));
        return;
    }
    if (normalizer.type == NormalizerType::softmax) {
        explain_exponentials(cell);
        explain_row_sum(cell);
        const double sum = cell.of_row("row_sum"), share = sum > 0 ? cell.here("exponentials") / sum : 0;
        const bool is_talking = cell.plan.spec.heads.type == HeadsType::talking;
        constexpr double rounding = 1e-6;  // of a model's weights, which are floats
        if (!is_talking && std::abs(share - cell.here("weights")) < rounding) {
            cell.add("weights", "weight", share_of_row(cell));
            return;
        }
        cell.add("soft_weights", "softmax", share_of_row(cell), share);
        explain_changed_softmax(cell);
        return;
    }
    explain_soft_weights(cell);
    if (cell.plan.spec.heads.type == HeadsType::talking)
        return explain_changed_softmax(cell);
    std::string text = nothing_allowed;
    if (!cell.nothing_counts()) {
        const auto row = cell.row_of("weights", cell.head, cell.row);
        const auto chosen = std::ranges::max_element(row) - row.begin();
        const bool is_drawn = normalizer.mode == HardMode::sample;
        text = chosen_text(cell, chosen, is_drawn ? "was drawn" : "has the largest score");
    }
    cell.add("weights", "weight", text);
}

/// Weights of one query times one feature of the values, without the keys that the mask forbids.
std::string mixed_values(const ExplainedCell& cell, Index head, Index feature) {
    std::vector<Factors> terms;
    double sum = 0;
    for (Index key = 0; key < cell.plan.keys; ++key)
        if (cell.counts(key)) {
            terms.push_back({cell.at("weights", head, cell.row, key),
                             cell.at("value", cell.plan.kv_head(head), key, feature)});
            sum += terms.back().left * terms.back().right;
        }
    if (cell.nothing_counts())
        return nothing_allowed;
    const std::string text = "weights · values = " + sum_of_products(terms);
    const double added = cell.at("context", head, cell.row, feature) - sum;
    return std::abs(added) > 1e-9 * std::max(1.0, std::abs(sum))
               ? plus(text, added) + ", the last from the position"
               : text;
}

void add_context(ExplainedCell& cell, Index head, Index feature) {
    if (!is_composed(cell.plan.spec))
        return;  // says it of its own stage
    cell.add("context", "context", mixed_values(cell, head, feature),
             cell.at("context", head, cell.row, feature));
}

void explain_context(ExplainedCell& cell) { add_context(cell, cell.head, cell.column); }

/// Context times gate, where there is one.
void add_gated_context(ExplainedCell& cell, Index head, Index feature) {
    add_context(cell, head, feature);
    if (cell.plan.spec.heads.gate == Gate::none)
        return;
    const bool is_headwise = cell.plan.spec.heads.gate == Gate::headwise;
    const double gate =
        cell.at("gate", 0, cell.row, is_headwise ? head : head * cell.plan.head_value_width() + feature);
    cell.add("gated_context", "gated context",
             "context × gate = " + format_number(cell.at("context", head, cell.row, feature)) + " × " +
                 format_number(gate),
             cell.at("gated_context", head, cell.row, feature));
}

void explain_gated_context(ExplainedCell& cell) { add_gated_context(cell, cell.head, cell.column); }

std::string place_in_heads(const ExplainedCell& cell) {
    const Index width = cell.plan.head_value_width();
    return "number " + std::to_string(cell.column % width + 1) + " of head " +
           std::to_string(cell.column / width + 1) + "’s context";
}

void explain_concatenation(ExplainedCell& cell) {
    const Index width = cell.plan.head_value_width();
    add_gated_context(cell, cell.column / width, cell.column % width);
    cell.add("concatenation", "concatenation", place_in_heads(cell));
}

void explain_output(ExplainedCell& cell) {
    const Plan& plan = cell.plan;
    if (!projects_output(plan.spec)) {
        const Index width = plan.head_value_width();
        add_gated_context(cell, cell.column / width, cell.column % width);
    }
    const AlgorithmComponent* algorithm = component_of(plan.spec.algorithm.type);
    std::string text;
    if (algorithm && algorithm->is_composed && !algorithm->changes_weights)
        text = text_of(algorithm, cell, "output", algorithm->meaning);
    else if (!projects_output(plan.spec))
        text = plan.heads == 1 ? "the context" : place_in_heads(cell);
    else
        text = (plan.spec.projections.bias ? "concatenation W_o + b_o = " : "concatenation W_o = ") +
               cell.joined_contexts();
    cell.add("output", "output", text);
}

using Explain = void (*)(ExplainedCell&);

Explain explain_stage(std::string_view name) {
    struct Entry {
        std::string_view stage;
        Explain explain;
    };
    static constexpr Entry entries[] = {
        {"tokens", explain_tokens},
        {"key_tokens", explain_tokens},
        {"value_tokens", explain_tokens},
        {"position", explain_position},
        {"key_position", explain_position},
        {"query", explain_query},
        {"normalized_query", explain_normalized},
        {"normalized_key", explain_normalized},
        {"key", explain_key},
        {"value", explain_value},
        {"energy", explain_energy},
        {"scores", explain_scores},
        {"scaled_scores", explain_scaled_scores},
        {"position_bias", explain_position_bias},
        {"biased_scores", explain_biased_scores},
        {"masked_scores", explain_masked_scores},
        {"mixed_scores", explain_mixed_scores},
        {"row_maximum", explain_row_maximum},
        {"exponentials", explain_exponentials},
        {"row_sum", explain_row_sum},
        {"soft_weights", explain_soft_weights},
        {"draw", explain_draw},
        {"frequencies", explain_frequencies},
        {"weights", explain_weights},
        {"context", explain_context},
        {"gate", explain_gate},
        {"gated_context", explain_gated_context},
        {"concatenation", explain_concatenation},
        {"output", explain_output},
    };
    const auto entry = std::ranges::find(entries, name, &Entry::stage);
    return entry == std::end(entries) ? nullptr : entry->explain;
}

Index rows_of(const Stage& stage, Index columns) {
    const Index heads = stage.shape.size() > 2 && stage.axes.front() == Axis::head ? stage.shape.front() : 1;
    return columns > 0 && heads > 0 ? stage.size() / columns / heads : 0;
}

/// Stages of the softmax that a component records for its own formula.
bool is_of_normalizer(const AttentionSpec& spec, std::string_view stage) {
    constexpr std::string_view stages[] = {"row_maximum", "exponentials", "row_sum", "soft_weights"};
    return component_of(spec.normalizer.type) && std::ranges::find(stages, stage) != std::end(stages);
}

bool is_score_stage(std::string_view stage) { return stage.ends_with("scores"); }

void require_below(const std::string& stage, const char* what, Index index, Index extent) {
    if (index < 0 || index >= extent)
        throw Error({"explain a cell", stage, std::string(what) + " below " + std::to_string(extent),
                     std::to_string(index)});
}

}  // namespace

std::vector<ArithmeticStep> explain_cell(const Plan& plan, const Trace& trace, std::string_view stage,
                                         Index head, Index row, Index column) {
    const Stage* found = trace.find(stage);
    if (!found)
        throw Error({"explain a cell", "stage", "a stage of the trace", excerpt(std::string(stage))});
    const Index columns = found->shape.back();
    require_below(found->name, "a row", row, rows_of(*found, columns));
    require_below(found->name, "a column", column, columns);
    if (found->shape.size() > 2 && found->axes.front() == Axis::head)
        require_below(found->name, "a head", head, found->shape.front());

    ExplainedCell cell(plan, trace, *found, head, row, column);
    const Explain explain = explain_stage(stage);
    const bool is_of_algorithm =
        !is_composed(plan.spec) &&
        (!explain || stage == "weights" || stage == "context" ||
         (stage == "value" && makes_keys_and_values(plan.spec)) || is_score_stage(stage) ||
         (stage == "row_sum" && !trace.find("exponentials")));
    if (!is_of_algorithm && explain && !is_of_normalizer(plan.spec, stage))
        explain(cell);
    else if (!explain_by_component(cell))
        throw Error({"explain a cell", "stage", "a stage of the plan", excerpt(std::string(stage))});
    return std::move(cell.steps);
}

}  // namespace headlight
