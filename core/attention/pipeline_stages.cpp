#include "core/attention/pipeline_stages.h"

#include "core/attention/component.h"

#include <algorithm>
#include <map>
#include <utility>

namespace headlight {
namespace {

using enum StageRole;

const DeclaredStage* find_in(std::span<const DeclaredStage> stages, std::string_view name) {
    const auto found = std::ranges::find(stages, name, &DeclaredStage::name);
    return found == stages.end() ? nullptr : &*found;
}

using ByName = std::map<std::string_view, const DeclaredStage*>;

ByName component_stages_by_name() {
    ByName by_name;
    const auto add_all = [&](const auto& components) {
        for (const auto& component : components)
            for (const DeclaredStage& stage : component.declared_stages)
                by_name.try_emplace(stage.name, &stage);
    };
    add_all(score_components());
    add_all(position_components());
    add_all(selection_components());
    add_all(normalizer_components());
    add_all(algorithm_components());
    return by_name;
}

}  // namespace

std::span<const DeclaredStage> pipeline_stages() {
    static const std::vector<DeclaredStage> stages{
        {"tokens", "Token vectors"},
        made_stage("key_tokens", "Token vectors (keys)", {}, {.colours_of = "tokens", .lights = "tokens"}),
        made_stage("value_tokens", "Token vectors (values)", {},
                   {.colours_of = "tokens", .lights = "tokens"}),
        made_stage("position", "Positions", {}, {.colours_of = "tokens", .lights = "tokens"}),
        made_stage("key_position", "Key positions", {}, {.colours_of = "tokens", .lights = "key_tokens"}),
        made_stage("query", "Query", {}, {.lights = "tokens"}),
        made_stage("key", "Key", {}, {.colours_of = "query", .lights = "tokens"}),
        made_stage("value", "Value", {}, {.lights = "tokens"}),
        made_stage("normalized_query", "Normalised queries", {}, {.form_of = "query"}),
        made_stage("normalized_key", "Normalised keys", {},
                   {.form_of = "key", .colours_of = "normalized_query"}),
        made_stage("energy", "Energy", {}, {.lights = "scores"}),
        made_stage("scores", "Scores", {}, {.role = scores}),
        made_stage("scaled_scores", "Scaled scores", {}, {.lights = "scores", .role = scores}),
        {"position_bias", "Position bias"},
        made_stage("biased_scores", "Scores with position bias", {},
                   {.colours_of = "scaled_scores", .lights = "scaled_scores", .role = scores}),
        made_stage("masked_scores", "Masked scores", {"forbidden cells are −∞"},
                   {.colours_of = "scaled_scores",
                    .lights = "biased_scores",
                    .role = scores,
                    .leaves_out_masked = true}),
        made_stage("mixed_scores", "Scores mixed over the heads", {}, {.role = scores}),
        made_stage("row_maximum", "Row maximum", {}, {.lights = "weights", .role = row}),
        made_stage("exponentials", "Exponentials", {"exp(score − row’s maximum)"},
                   {.lights = "weights", .role = weights, .is_share = true, .leaves_out_masked = true}),
        made_stage("row_sum", "Row sum", {}, {.lights = "weights", .role = row}),
        made_stage("soft_weights", "Soft weights", {"softmax of each row"},
                   {.colours_of = "weights",
                    .lights = "weights",
                    .role = weights,
                    .is_share = true,
                    .leaves_out_masked = true}),
        made_stage("draw", "Drawn keys", {}, {.lights = "weights", .role = row}),
        made_stage("frequencies", "Draw frequencies", {},
                   {.colours_of = "weights",
                    .lights = "weights",
                    .role = weights,
                    .is_share = true,
                    .leaves_out_masked = true}),
        made_stage("weights", "Weights", {},
                   {.lights = "output", .role = weights, .is_share = true, .leaves_out_masked = true}),
        made_stage("context", "Context", {}, {.colours_of = "value", .lights = "output"}),
        made_stage("gate", "Gate", {}, {.is_share = true}),
        {"gated_context", "Gated context"},
        made_stage("concatenation", "Concatenation", {}, {.colours_of = "value", .lights = "output"}),
        {"output", "Output"},
    };
    return stages;
}

namespace {

std::shared_ptr<const DeclaredStage> unowned(const DeclaredStage* stage) {
    return {std::shared_ptr<void>(), stage};
}

/// `stage` as another normaliser than the softmax makes it, where the algorithm takes one.
std::shared_ptr<const DeclaredStage> as_normalised(const AttentionSpec& spec,
                                                   std::shared_ptr<const DeclaredStage> stage) {
    const AlgorithmComponent* algorithm = component_of(spec.algorithm.type);
    const bool takes_other = algorithm && algorithm->takes_normalizer && !is_plain_softmax(spec.normalizer);
    constexpr std::string_view softmax = "softmax";
    const std::size_t at = stage && takes_other ? stage->operation.find(softmax) : std::string::npos;
    if (at == std::string::npos)
        return stage;
    auto changed = std::make_shared<DeclaredStage>(*stage);
    const NormalizerComponent* normalizer = component_of(spec.normalizer.type);
    changed->operation.replace(at, softmax.size(), "normalise");
    changed->is_share = !normalizer || normalizer->gives_shares;
    return changed;
}

}  // namespace

std::shared_ptr<const DeclaredStage> declared_by_component(const AttentionSpec& spec,
                                                           std::string_view stage) {
    std::shared_ptr<const DeclaredStage> last;
    for_each_component(spec, [&](const auto& component) {
        const auto stages = declared_stages_of(component, spec);
        if (const DeclaredStage* found = find_in(*stages, stage))
            last = {stages, found};
    });
    return as_normalised(spec, std::move(last));
}

std::shared_ptr<const DeclaredStage> declared_stage(const AttentionSpec& spec, std::string_view stage) {
    auto found = declared_by_component(spec, stage);
    return found ? found : unowned(find_in(pipeline_stages(), stage));
}

const DeclaredStage* declared_stage(std::string_view stage) {
    if (const DeclaredStage* of_every_trace = find_in(pipeline_stages(), stage))
        return of_every_trace;
    static const ByName by_name = component_stages_by_name();
    const auto found = by_name.find(stage);
    return found == by_name.end() ? nullptr : found->second;
}

std::shared_ptr<const DeclaredStage> declared_stage(const AttentionSpec* spec, std::string_view stage) {
    if (const DeclaredStage* of_every_trace = find_in(pipeline_stages(), stage))
        return unowned(of_every_trace);
    auto own = spec ? declared_by_component(*spec, stage) : nullptr;
    return own ? own : unowned(declared_stage(stage));
}

std::string last_form(const Trace& trace, std::string_view name, std::string_view site) {
    std::string last(name);
    const AttentionSpec* spec = trace.known_spec_at(site);
    for (const Stage& stage : trace.stages()) {
        const auto declared = stage.site == site ? declared_stage(spec, stage.name) : nullptr;
        if (declared && declared->form_of == name)
            last = stage.name;
    }
    return last;
}

}  // namespace headlight
