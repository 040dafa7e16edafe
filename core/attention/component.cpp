#include "core/attention/component.h"

#include "core/attention/declared_components.h"
#include "core/attention/kernel_scores.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {
namespace {

template <class Component>
std::vector<Component> in_order(std::vector<Component> components) {
    std::ranges::sort(components, {}, &Component::type);
    return components;
}

/// Those of files end the enumeration, where they follow one another.
template <class Component, class Type>
const Component* find(std::span<const Component> components, Type type) {
    const auto at = static_cast<std::ptrdiff_t>(type) - static_cast<std::ptrdiff_t>(components.front().type);
    return at >= 0 && at < std::ssize(components) ? &components[static_cast<std::size_t>(at)] : nullptr;
}

Options completed(const auto* component, const Options& given, const std::string& part) {
    static const std::vector<Option> none;
    return complete_options(component ? component->options : none, given, part, part);
}

void complete_mask(Mask& mask) {
    if (auto* pattern = std::get_if<PatternMask>(&mask.rule))
        pattern->options = completed(component_of(pattern->type), pattern->options, "mask");
    if (auto* all = std::get_if<AllOf>(&mask.rule))
        std::ranges::for_each(all->masks, complete_mask);
    if (auto* any = std::get_if<AnyOf>(&mask.rule))
        std::ranges::for_each(any->masks, complete_mask);
    if (auto* inverse = std::get_if<Not>(&mask.rule))
        std::ranges::for_each(inverse->mask, complete_mask);
}

/// gives_prefixes() of each rule.
struct GivesPrefixes {
    bool operator()(const NoMask&) const { return true; }
    bool operator()(const CausalMask&) const { return true; }
    bool operator()(const PaddingMask&) const { return true; }
    bool operator()(const MatrixMask& matrix) const {
        std::ptrdiff_t before = 0;
        for (const std::vector<bool>& row : matrix.allowed) {
            const auto end = std::ranges::find(row, false);
            if (end - row.begin() < before || std::find(end, row.end(), true) != row.end())
                return false;
            before = end - row.begin();
        }
        return true;
    }
    bool operator()(const PatternMask& pattern) const { return component_of(pattern.type)->gives_prefixes; }
    // The shortest and the longest of several prefixes are prefixes, which grow where all of them do.
    bool operator()(const AllOf& all) const { return std::ranges::all_of(all.masks, gives_prefixes); }
    bool operator()(const AnyOf& any) const { return std::ranges::all_of(any.masks, gives_prefixes); }
    bool operator()(const Not&) const { return false; }
};

bool has_definition(const ScoreComponent& score) { return score.define; }
bool has_definition(const PositionComponent& position) {
    return position.define_term_of_tokens || position.define_turn || position.define_scores ||
           position.define_scale || position.define_bias || position.define_context;
}
bool has_definition(const SelectionComponent& selection) { return selection.define; }
bool has_definition(const NormalizerComponent& normalizer) { return normalizer.define; }
bool has_definition(const AlgorithmComponent& algorithm) {
    return algorithm.define || algorithm.define_weights || algorithm.define_context ||
           algorithm.define_output;
}

}  // namespace

std::span<const ScoreComponent> score_components() {
    static const auto all = in_order(declared_score_components());
    return all;
}
std::span<const PositionComponent> position_components() {
    static const auto all = in_order(declared_position_components());
    return all;
}
std::span<const MaskComponent> mask_components() {
    static const auto all = in_order(declared_mask_components());
    return all;
}
std::span<const SelectionComponent> selection_components() {
    static const auto all = in_order(declared_selection_components());
    return all;
}
std::span<const NormalizerComponent> normalizer_components() {
    static const auto all = in_order(declared_normalizer_components());
    return all;
}
std::span<const AlgorithmComponent> algorithm_components() {
    static const auto all = in_order(declared_algorithm_components());
    return all;
}

const ScoreComponent* component_of(ScoreType type) { return find(score_components(), type); }
const PositionComponent* component_of(PositionType type) { return find(position_components(), type); }
const MaskComponent* component_of(MaskPattern type) { return find(mask_components(), type); }
const SelectionComponent* component_of(SelectionType type) { return find(selection_components(), type); }
const NormalizerComponent* component_of(NormalizerType type) { return find(normalizer_components(), type); }
const AlgorithmComponent* component_of(AlgorithmType type) {
    // What is made of its parts has no component: the first picture need not wait until all are declared.
    return type == AlgorithmType::composed ? nullptr : find(algorithm_components(), type);
}

std::vector<Option> position_options(PositionType type, PositionType second) {
    std::vector<Option> options;
    for (const PositionType each : {type, second})
        if (const PositionComponent* component = component_of(each))
            for (const Option& option : component->options) {
                const auto same = std::ranges::find(options, option.name, &Option::name);
                if (same == options.end())
                    options.push_back(option);
                else if (same->label != option.label || same->standard != option.standard ||
                         same->minimum != option.minimum || same->maximum != option.maximum ||
                         same->choices != option.choices)
                    throw Error({"two positions at once", "position.second",
                                 "one without the option " + option.name +
                                     ", which the first has with another meaning",
                                 component->word});
            }
    return options;
}

void require_pairs(const PairedFeatures& features, const std::string& what, const Plan& plan) {
    const Index count = features.count(plan);
    if (count % 2 != 0)
        throw Error({what, features.of, "an even number, for " + features.why + ": " + features.way_out,
                     std::to_string(count)});
}

bool is_composed(const AttentionSpec& spec) {
    const AlgorithmComponent* algorithm = component_of(spec.algorithm.type);
    return !algorithm || algorithm->is_composed ||
           (algorithm->leaves_other_parts && !has_standard_parts(spec));
}

bool gives_prefixes(const Mask& mask) { return std::visit(GivesPrefixes(), mask.rule); }

Index newest_keys(const AttentionSpec& spec) {
    const AlgorithmComponent* algorithm = component_of(spec.algorithm.type);
    return algorithm && algorithm->newest_keys ? algorithm->newest_keys(spec) : 0;
}

bool acts_on_vectors_alone(const Position& position) {
    const auto acts_before = [](PositionType type) {
        const PositionComponent* component = component_of(type);
        if (!component)
            return true;
        const bool acts_later = component->acts_on_scores || component->has_bias || component->define_context;
        return !acts_later &&
               (component->token_term || component->define_term_of_tokens || component->turns_vectors);
    };
    return acts_before(position.type) && acts_before(position.second);
}

bool is_plain_product(const Score& score) {
    return score.type == ScoreType::scaled_dot && score.vector_norm == VectorNorm::none && !score.softcap;
}

bool is_plain_softmax(const Normalizer& normalizer) {
    return normalizer.type == NormalizerType::softmax && normalizer.temperature == 1;
}

bool has_standard_parts(const AttentionSpec& spec) {
    return is_plain_product(spec.score) && acts_on_vectors_alone(spec.position) &&
           spec.selection.type == SelectionType::none && is_plain_softmax(spec.normalizer) &&
           spec.heads.type != HeadsType::talking;
}

bool runs_by_program(const AttentionSpec& spec) {
    bool has_no_kernel = false;
    for_each_component(spec, [&](const auto& component) {
        has_no_kernel |= !has_kernel(component, spec) && has_definition(component);
    });
    const AlgorithmComponent* algorithm = component_of(spec.algorithm.type);
    const bool has_other_rows =
        algorithm && ((algorithm->takes_normalizer && !is_plain_softmax(spec.normalizer)) ||
                      (algorithm->takes_selection && spec.selection.type != SelectionType::none));
    return has_no_kernel || has_other_rows;
}

bool has_product_scores(ScoreType type) {
    const ScoreComponent* component = component_of(type);
    return component ? component->is_product : type != ScoreType::concat && type != ScoreType::additive;
}

bool orders_scores(const Plan& plan) {
    const AttentionSpec& spec = plan.spec;
    if (!is_composed(spec))
        return false;
    const NormalizerComponent* normalizer = component_of(spec.normalizer.type);
    const SelectionComponent* selection = component_of(spec.selection.type);
    return spec.normalizer.type == NormalizerType::hard || (selection && selection->orders_scores) ||
           (normalizer && normalizer->orders_scores && normalizer->orders_scores(plan));
}

bool has_activation(ScoreType type) {
    const ScoreComponent* component = component_of(type);
    return component ? component->has_activation : kernel_score(type)->has_energy;
}

bool changes_weights(const AttentionSpec& spec) {
    const AlgorithmComponent* algorithm = component_of(spec.algorithm.type);
    return algorithm && algorithm->changes_weights;
}

std::string changes_of_context(const AttentionSpec& spec) {
    const AttentionSpec whole = complete_spec(spec);
    std::string words = whole.heads.gate == Gate::none ? "" : "the output gate";
    for_each_component(whole, [&](const auto& component) {
        if (component.changes_context && component.changes_context(whole))
            words = component.word;
    });
    return words;
}

bool weights_are_shares(const AttentionSpec& spec) {
    const NormalizerComponent* normalizer = component_of(spec.normalizer.type);
    return is_composed(spec) && !changes_weights(spec) && spec.heads.type != HeadsType::talking &&
           (!normalizer || normalizer->gives_shares);
}

AttentionSpec complete_spec(AttentionSpec spec) {
    spec.score.options = completed(component_of(spec.score.type), spec.score.options, "score");
    spec.position.options = complete_options(position_options(spec.position.type, spec.position.second),
                                             spec.position.options, "position", "position");
    spec.selection.options =
        completed(component_of(spec.selection.type), spec.selection.options, "selection");
    spec.normalizer.options =
        completed(component_of(spec.normalizer.type), spec.normalizer.options, "normalizer");
    spec.algorithm.options =
        completed(component_of(spec.algorithm.type), spec.algorithm.options, "algorithm");
    complete_mask(spec.mask);
    return spec;
}

}  // namespace headlight
