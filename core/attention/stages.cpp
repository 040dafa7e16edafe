#include "core/attention/stages.h"

#include "core/attention/component.h"
#include "core/attention/position.h"
#include "core/attention/program_run.h"
#include "core/attention/trace_program.h"
#include "core/attention/widths.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace headlight {
namespace {

void copy_into(Trace& trace, std::string_view name, const Tensor& tensor) {
    std::ranges::copy(tensor.values(), stage_values(trace, name).begin());
}

using enum Axis;

void add_stages(const auto* component, const Plan& plan, StageList& list) {
    if (component && component->stages)
        component->stages(plan, list);
}

void add_stages_of_positions(const Plan& plan, StageList& list) {
    add_stages(component_of(plan.spec.position.type), plan, list);
    add_stages(component_of(plan.spec.position.second), plan, list);
}

/// From the scores to just before the weights, in the order of the formula.
void add_composed_stages(const Plan& plan, StageList& list) {
    const AttentionSpec& spec = plan.spec;
    if (const Index d_a = plan.attention_width) {
        if (plan.heads == 1)
            list.add("energy", {query, key, attention}, {plan.queries, plan.keys, d_a});
        else
            list.add("energy", {head, query, key, attention}, {plan.heads, plan.queries, plan.keys, d_a});
    }
    add_stages(component_of(spec.score.type), plan, list);
    add_stages_of_positions(plan, list);
    list.add_map("scores");
    if (spec.mask_order == MaskOrder::before_scale)
        list.add_map("masked_scores");
    list.add_map("scaled_scores");
    if (position_with(spec, &PositionComponent::has_bias))
        list.add_map("position_bias");
    list.add_map("biased_scores");
    add_stages(component_of(spec.selection.type), plan, list);
    if (spec.mask_order == MaskOrder::after_scale)
        list.add_map("masked_scores");
    if (spec.heads.type == HeadsType::talking)
        list.add_map("mixed_scores");
    add_stages(component_of(spec.normalizer.type), plan, list);
    if (spec.normalizer.type != NormalizerType::softmax && spec.normalizer.type != NormalizerType::hard)
        return;
    list.add_column("row_maximum");
    list.add_map("exponentials");
    list.add_column("row_sum");
    if (spec.normalizer.type == NormalizerType::hard || spec.heads.type == HeadsType::talking ||
        changes_weights(spec))
        list.add_map("soft_weights");
    if (spec.normalizer.type == NormalizerType::hard && spec.normalizer.mode == HardMode::sample) {
        list.add_column("draw");
        list.add_map("frequencies");
    }
}

}  // namespace

StageList recorded_stages(const Plan& plan, const TraceOptions& options) {
    return runs_by_program(plan.spec) ? recorded_stages(plan, outline_of(plan), options)
                                      : listed_stages(plan, options);
}

StageList recorded_stages(const Plan& plan, const Program& program, const TraceOptions& options) {
    StageList list = listed_stages(plan, options);
    list.replace(stages_of_program(plan, program, list.take(), options.has_maps));
    return list;
}

StageList listed_stages(const Plan& plan, const TraceOptions& options) {
    const AttentionSpec& spec = plan.spec;
    const Inputs& inputs = plan.inputs;
    StageList list(plan, options.stage_byte_limit, options.has_maps);
    const bool has_keys = spec.source.type == SourceType::cross;

    list.add("tokens", {query, feature}, inputs.query.shape());
    if (has_keys)
        list.add("key_tokens", {key, feature}, inputs.key_tokens().shape());
    if (inputs.value)
        list.add("value_tokens", {key, feature}, inputs.value->shape());
    if (adds_to_tokens(spec)) {
        list.add("position", {query, feature}, inputs.query.shape());
        if (has_keys)
            list.add("key_position", {key, feature}, inputs.key_tokens().shape());
    }
    list.add_vectors("query", query, plan.head_query_width());
    if (!makes_keys_and_values(spec)) {
        list.add_vectors("key", key, plan.head_key_width());
        list.add_vectors("value", key, plan.head_value_width());
    }
    if (spec.score.vector_norm != VectorNorm::none) {
        list.add_vectors("normalized_query", query, plan.head_query_width());
        list.add_vectors("normalized_key", key, plan.head_key_width());
    }
    if (is_composed(spec)) {
        add_composed_stages(plan, list);
        if (changes_weights(spec))
            add_stages(component_of(spec.algorithm.type), plan, list);
    } else {
        add_stages_of_positions(plan, list);
        add_stages(component_of(spec.algorithm.type), plan, list);
    }
    if (!list.has("weights"))  // an algorithm may say where they stand among its own
        list.add_map("weights");
    list.add_vectors("context", query, plan.head_value_width());
    if (spec.heads.gate != Gate::none) {
        const Index width = spec.heads.gate == Gate::headwise ? plan.heads : plan.context_width();
        list.add_rows("gate", query, width);
        list.add_vectors("gated_context", query, plan.head_value_width());
    }
    if (spec.heads.type != HeadsType::single)
        list.add_rows("concatenation", query, plan.context_width());
    if (is_composed(spec) && !changes_weights(spec))
        add_stages(component_of(spec.algorithm.type), plan, list);
    list.add_rows("output", query, plan.output_width);
    return list;
}

Trace empty_trace(const Plan& plan, const TraceOptions& options) {
    StageList list = recorded_stages(plan, options);
    Trace trace(list.take());
    trace.spec = plan.spec;
    trace.tokens = plan.inputs.tokens;
    trace.seed = plan.seed;
    trace.omitted = list.take_omitted();
    if (!plan.spec.mask_value)
        trace.fully_masked_queries = plan.allowed.fully_masked_queries();
    return trace;
}

std::span<double> stage_values(Trace& trace, std::string_view name) {
    const Stage* stage = trace.find(name);
    return stage && !stage->is_lazy ? trace.values(*stage) : std::span<double>();
}

void record_tokens(const Plan& plan, Trace& trace) {
    const Inputs& inputs = plan.inputs;
    copy_into(trace, "tokens", inputs.query);
    if (trace.find("key_tokens"))
        copy_into(trace, "key_tokens", inputs.key_tokens());
    if (trace.find("value_tokens"))
        copy_into(trace, "value_tokens", inputs.value_tokens());
    if (term_is_of_tokens(plan.spec))
        return;  // the run writes it
    if (trace.find("position"))
        copy_into(trace, "position", token_term(plan, plan.queries, inputs.query.cols()));
    if (trace.find("key_position"))
        copy_into(trace, "key_position", token_term(plan, plan.keys, inputs.key_tokens().cols()));
}

namespace {

struct SlotName {
    const char* name;
    double* kernels::StageSlots::*slot;
};

constexpr std::array slot_maps{
    SlotName{"scores", &kernels::StageSlots::scores},
    SlotName{"scaled_scores", &kernels::StageSlots::scaled_scores},
    SlotName{"biased_scores", &kernels::StageSlots::biased_scores},
    SlotName{"masked_scores", &kernels::StageSlots::masked_scores},
    SlotName{"exponentials", &kernels::StageSlots::exponentials},
    SlotName{"soft_weights", &kernels::StageSlots::soft_weights},
    SlotName{"frequencies", &kernels::StageSlots::frequencies},
    SlotName{"weights", &kernels::StageSlots::weights},
};
constexpr std::array slot_columns{
    SlotName{"row_maximum", &kernels::StageSlots::row_maximum},
    SlotName{"row_sum", &kernels::StageSlots::row_sum},
    SlotName{"draw", &kernels::StageSlots::draw},
};

}  // namespace

bool is_map_of_kernels(std::string_view stage) {
    return std::ranges::find(slot_maps, stage, &SlotName::name) != slot_maps.end();
}

kernels::StageSlots slot_of(std::string_view stage, double* rows) {
    kernels::StageSlots slots;
    if (const auto found = std::ranges::find(slot_maps, stage, &SlotName::name); found != slot_maps.end())
        slots.*found->slot = rows;
    return slots;
}

BlockSlots::BlockSlots(const Plan& plan, Trace& trace)
    : queries_(plan.queries), keys_(plan.keys), attention_width_(plan.attention_width) {
    const auto place = [&](const SlotName& entry) {
        const auto values = stage_values(trace, entry.name);
        start_.*entry.slot = values.empty() ? nullptr : values.data();
    };
    std::ranges::for_each(slot_maps, place);
    std::ranges::for_each(slot_columns, place);
    place({"energy", &kernels::StageSlots::energy});
    std::ranges::fill(stage_values(trace, "frequencies"), 0.0);  // counted into, not written
}

kernels::StageSlots BlockSlots::at(Index head, Index first_query) const {
    kernels::StageSlots slots = start_;
    const Index row = head * queries_ + first_query;
    for (const SlotName& entry : slot_maps)
        if (slots.*entry.slot)
            slots.*entry.slot += row * keys_;
    for (const SlotName& entry : slot_columns)
        if (slots.*entry.slot)
            slots.*entry.slot += row;
    if (slots.energy)
        slots.energy += row * keys_ * attention_width_;
    return slots;
}

}  // namespace headlight
