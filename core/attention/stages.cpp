#include "core/attention/stages.h"

#include "core/attention/position.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace headlight {
namespace {

std::string size_text(double bytes) {
    const bool large = bytes >= 1e9;
    char text[32];
    std::snprintf(text, sizeof text, large ? "%.1f GB" : "%.0f MB", bytes / (large ? 1e9 : 1e6));
    return text;
}

void copy_into(Trace& trace, std::string_view name, const Tensor& tensor) {
    std::ranges::copy(tensor.values(), stage_values(trace, name).begin());
}

using enum Axis;

}  // namespace

Trace empty_trace(const Plan& plan, const TraceOptions& options) {
    const AttentionSpec& spec = plan.spec;
    const Inputs& inputs = plan.inputs;
    const Index h = plan.heads, n = plan.queries, m = plan.keys;
    std::vector<Stage> stages;
    const auto add = [&](const char* name, std::vector<Axis> axes, Shape shape) {
        stages.push_back(
            {.site = {}, .name = name, .axes = std::move(axes), .shape = std::move(shape), .offset = 0});
    };
    const auto add_map = [&](const char* name) { add(name, {head, query, key}, {h, n, m}); };
    const auto add_column = [&](const char* name) { add(name, {head, query}, {h, n}); };
    const bool has_keys = spec.source.type == SourceType::cross;

    add("tokens", {query, feature}, inputs.query.shape());
    if (has_keys)
        add("key_tokens", {key, feature}, inputs.key_tokens().shape());
    if (inputs.value)
        add("value_tokens", {key, feature}, inputs.value->shape());
    if (spec.position.type == PositionType::sinusoidal) {
        add("position", {query, feature}, inputs.query.shape());
        if (has_keys)
            add("key_position", {key, feature}, inputs.key_tokens().shape());
    }
    add("query", {head, query, feature}, {h, n, plan.head_query_width()});
    add("key", {head, key, feature}, {h, m, plan.head_key_width()});
    add("value", {head, key, feature}, {h, m, plan.head_value_width()});

    std::vector<std::string> omitted;
    if (const Index d_a = plan.attention_width) {
        const double bytes = 8.0 * static_cast<double>(h) * static_cast<double>(n) * static_cast<double>(m) *
                             static_cast<double>(d_a);
        const auto limit = static_cast<double>(options.stage_byte_limit);
        if (bytes > limit)
            omitted.push_back("energy: " + size_text(bytes) + ", over the limit of " + size_text(limit));
        else if (h == 1)
            add("energy", {query, key, attention}, {n, m, d_a});
        else
            add("energy", {head, query, key, attention}, {h, n, m, d_a});
    }
    add_map("scores");
    if (spec.mask_order == MaskOrder::before_scale)
        add_map("masked_scores");
    add_map("scaled_scores");
    add_map("biased_scores");
    if (spec.mask_order == MaskOrder::after_scale)
        add_map("masked_scores");
    add_column("row_maximum");
    add_map("exponentials");
    add_column("row_sum");
    if (spec.normalizer.type == NormalizerType::hard) {
        add_map("soft_weights");
        if (spec.normalizer.mode == HardMode::sample) {
            add_column("draw");
            add_map("frequencies");
        }
    }
    add_map("weights");
    add("context", {head, query, feature}, {h, n, plan.head_value_width()});
    if (spec.heads.type == HeadsType::multi)
        add("concatenation", {query, feature}, {n, plan.value_width});
    add("output", {query, feature}, {n, plan.output_width});

    Trace trace(std::move(stages));
    trace.spec = spec;
    trace.tokens = inputs.tokens;
    trace.seed = plan.seed;
    trace.omitted = std::move(omitted);
    if (!spec.mask_value)
        trace.fully_masked_queries = plan.allowed.fully_masked_queries();
    return trace;
}

std::span<double> stage_values(Trace& trace, std::string_view name) {
    const Stage* stage = trace.find(name);
    return stage ? trace.values(*stage) : std::span<double>();
}

void record_tokens(const Plan& plan, Trace& trace) {
    const Inputs& inputs = plan.inputs;
    copy_into(trace, "tokens", inputs.query);
    if (trace.find("key_tokens"))
        copy_into(trace, "key_tokens", inputs.key_tokens());
    if (trace.find("value_tokens"))
        copy_into(trace, "value_tokens", inputs.value_tokens());
    if (trace.find("position"))
        copy_into(trace, "position", sinusoidal_positions(plan.queries, inputs.query.cols()));
    if (trace.find("key_position"))
        copy_into(trace, "key_position", sinusoidal_positions(plan.keys, inputs.key_tokens().cols()));
}

namespace {

struct SlotName {
    const char* name;
    double* kernels::StageSlots::*slot;
};

constexpr std::array maps{
    SlotName{"scores", &kernels::StageSlots::scores},
    SlotName{"scaled_scores", &kernels::StageSlots::scaled_scores},
    SlotName{"biased_scores", &kernels::StageSlots::biased_scores},
    SlotName{"masked_scores", &kernels::StageSlots::masked_scores},
    SlotName{"exponentials", &kernels::StageSlots::exponentials},
    SlotName{"soft_weights", &kernels::StageSlots::soft_weights},
    SlotName{"frequencies", &kernels::StageSlots::frequencies},
    SlotName{"weights", &kernels::StageSlots::weights},
};
constexpr std::array columns{
    SlotName{"row_maximum", &kernels::StageSlots::row_maximum},
    SlotName{"row_sum", &kernels::StageSlots::row_sum},
    SlotName{"draw", &kernels::StageSlots::draw},
};

}  // namespace

BlockSlots::BlockSlots(const Plan& plan, Trace& trace)
    : queries_(plan.queries), keys_(plan.keys), attention_width_(plan.attention_width) {
    const auto place = [&](const SlotName& entry) {
        const auto values = stage_values(trace, entry.name);
        start_.*entry.slot = values.empty() ? nullptr : values.data();
    };
    std::ranges::for_each(maps, place);
    std::ranges::for_each(columns, place);
    place({"energy", &kernels::StageSlots::energy});
    std::ranges::fill(stage_values(trace, "frequencies"), 0.0);  // counted into, not written
}

kernels::StageSlots BlockSlots::at(Index head, Index first_query) const {
    kernels::StageSlots slots = start_;
    const Index row = head * queries_ + first_query;
    for (const SlotName& entry : maps)
        if (slots.*entry.slot)
            slots.*entry.slot += row * keys_;
    for (const SlotName& entry : columns)
        if (slots.*entry.slot)
            slots.*entry.slot += row;
    if (slots.energy)
        slots.energy += row * keys_ * attention_width_;
    return slots;
}

}  // namespace headlight
