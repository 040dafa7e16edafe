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
    const Arithmetic text = cell.nothing_counts() ? "−∞, for the mask forbids every key"
                                                  : maximum_of(cell.counted(final_scores(cell.plan.spec)));
    cell.add("row_maximum", "largest score of the row", text, cell.of_row("row_maximum"));
}

void explain_exponentials(ExplainedCell& cell) {
    const double score = cell.here(explain_final_scores(cell));
    explain_row_maximum(cell);
    const double temperature = cell.plan.spec.normalizer.temperature;
    Arithmetic text = "−∞";
    if (cell.counts(cell.column))
        text = minus(score, cell.of_row("row_maximum"));
    if (cell.counts(cell.column) && temperature != 1)
        text = "(" + text + ") / " + written(temperature);
    cell.add("exponentials", "exponential", "exp(" + text + ")");
}

void explain_row_sum(ExplainedCell& cell) {
    cell.add("row_sum", "sum of the row",
             cell.nothing_counts() ? nothing_allowed : sum_of(cell.counted("exponentials")),
             cell.of_row("row_sum"));
}

Arithmetic share_of_row(const ExplainedCell& cell) {
    if (cell.nothing_counts())
        return nothing_allowed;
    return cell.shown("exponentials") + " / " + written(cell.of_row("row_sum"));
}

void explain_soft_weights(ExplainedCell& cell) {
    explain_exponentials(cell);
    explain_row_sum(cell);
    cell.add("soft_weights", "softmax", share_of_row(cell));
}

void explain_draw(ExplainedCell& cell) {
    const double drawn = cell.of_row("draw");
    if (drawn < 0)
        return cell.add_named("draw", "drawn key", "no key, for the mask forbids every one", drawn, "none");
    const auto key = static_cast<Index>(drawn);
    cell.add_named("draw", "drawn key",
                   cell.key_name(key) + ", drawn with probability " +
                       format_number(cell.at("soft_weights", cell.head, cell.row, key)),
                   drawn, "key " + std::to_string(key + 1));
}

void explain_frequencies(ExplainedCell& cell) {
    explain_soft_weights(cell);
    const auto draws = static_cast<double>(cell.plan.spec.normalizer.draws);
    cell.add("frequencies", "share of the draws",
             cell.nothing_counts()
                 ? nothing_allowed
                 : written(std::round(cell.here("frequencies") * draws)) + " / " + written(draws));
}

Arithmetic chosen_text(const ExplainedCell& cell, Index chosen, const char* why) {
    return chosen == cell.column ? std::string("1, for this key ") + why
                                 : "0, for " + cell.key_name(chosen) + " " + why;
}

/// What the normaliser gave, mixed over the heads; or, where a component goes on from it, what that one says.
void explain_changed_weights(ExplainedCell& cell) {
    const Plan& plan = cell.plan;
    if (plan.spec.heads.type == HeadsType::talking) {
        const Arithmetic text = defined_arithmetic(cell, "weights");
        cell.add("weights", "weight", text.empty() ? "P_weights · the heads’ softmax" : text);
        return;
    }
    Arithmetic text;
    for_each_component(plan.spec, [&](const auto& component) {
        if (std::ranges::count(*declared_stages_of(component, plan.spec), "weights", &DeclaredStage::name) >
            0)
            text = text_of(&component, cell, "weights", component.meaning);
    });
    cell.add("weights", "weight", text);
}

/// What the normaliser gives, as the stage of this name.
void explain_normalised(ExplainedCell& cell, const std::string& stage) {
    const Normalizer& normalizer = cell.plan.spec.normalizer;
    const std::string title = stage == "weights" ? "weight" : "normalised score";
    if (const NormalizerComponent* component = component_of(normalizer.type)) {
        explain_final_scores(cell);
        cell.add(stage, title, text_of(component, cell, "weights", component->meaning));
        return;
    }
    if (normalizer.type == NormalizerType::softmax) {
        explain_exponentials(cell);
        explain_row_sum(cell);
        const double sum = cell.of_row("row_sum"), share = sum > 0 ? cell.here("exponentials") / sum : 0;
        constexpr double rounding = 1e-6;  // of a model's weights, which are floats
        if (std::abs(share - cell.here(stage)) < rounding)
            return cell.add(stage, title, share_of_row(cell));
        cell.add("soft_weights", "softmax", share_of_row(cell), share);
        return cell.add(stage, title, "changed after the softmax");
    }
    explain_soft_weights(cell);
    if (cell.nothing_counts())
        return cell.add(stage, title, nothing_allowed);
    const auto row = cell.row_of(stage, cell.head, cell.row);
    const auto chosen = std::ranges::max_element(row) - row.begin();
    const bool is_drawn = normalizer.mode == HardMode::sample;
    cell.add(stage, title, chosen_text(cell, chosen, is_drawn ? "was drawn" : "has the largest score"));
}

void explain_normalised_stage(ExplainedCell& cell) { explain_normalised(cell, cell.normalised_stage()); }

void explain_weights(ExplainedCell& cell) {
    const AttentionSpec& spec = cell.plan.spec;
    const std::string normalised = cell.normalised_stage();
    if (spec.heads.type == HeadsType::talking || changes_weights(spec)) {
        explain_soft_weights(cell);
        return explain_changed_weights(cell);
    }
    explain_normalised(cell, normalised);
    if (normalised != "weights")
        explain_changed_weights(cell);
}

/// Weights of one query times one feature of the values, without the keys that the mask forbids.
Arithmetic mixed_values(const ExplainedCell& cell, Index head, Index feature) {
    std::vector<Factors> terms;
    double sum = 0, size = 0;
    for (Index key = 0; key < cell.plan.keys; ++key)
        if (cell.counts(key)) {
            terms.push_back({cell.at("weights", head, cell.row, key),
                             cell.at("value", cell.plan.kv_head(head), key, feature)});
            const double term = terms.back().left * terms.back().right;
            sum += term;
            size = std::max(size, std::abs(term));
        }
    if (cell.nothing_counts())
        return nothing_allowed;
    const Arithmetic text = "weights · values = " + sum_of_products(terms);
    const double added = cell.at("context", head, cell.row, feature) - sum;
    return std::abs(added) > 1e-9 * size ? plus(text, added) + ", the last from the position" : text;
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
             "context × gate = " + written(cell.at("context", head, cell.row, feature)) + " × " +
                 written(gate),
             cell.at("gated_context", head, cell.row, feature));
}

void explain_gated_context(ExplainedCell& cell) { add_gated_context(cell, cell.head, cell.column); }

Arithmetic place_in_heads(const ExplainedCell& cell) {
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
    Arithmetic text;
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

/// A stage of the softmax that the normaliser records for a formula of its own.
bool is_of_normalizer(const Plan& plan, std::string_view stage) {
    return stage != "weights" && records(component_of(plan.spec.normalizer.type), plan, stage);
}

/// A line of a formula that a person typed, who may call it as stages of components are called.
bool is_typed(const Plan& plan, std::string_view stage) {
    const AlgorithmComponent* algorithm = component_of(plan.spec.algorithm.type);
    return plan.spec.algorithm.type == AlgorithmType::formula && records(algorithm, plan, stage);
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
    const Explain explain = cell.normalised_stage() == stage && is_composed(plan.spec)
                                ? (stage == "weights" ? explain_weights : explain_normalised_stage)
                                : explain_stage(stage);
    const bool is_of_algorithm =
        !is_composed(plan.spec) &&
        (!explain || stage == "weights" || stage == "context" ||
         (stage == "value" && makes_keys_and_values(plan.spec)) || is_score_stage(stage) ||
         (stage == "row_sum" && !trace.find("exponentials")) || is_typed(plan, stage));
    if (!is_of_algorithm && explain && !is_of_normalizer(plan, stage))
        explain(cell);
    else if (!explain_by_component(cell))
        throw Error({"explain a cell", "stage", "a stage of the plan", excerpt(std::string(stage))});
    return cell.steps();
}

}  // namespace headlight
