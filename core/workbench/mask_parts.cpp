#include "core/workbench/mask_parts.h"

#include "core/attention/component.h"
#include "core/attention/spec_words.h"
#include "core/catalog/knob.h"

#include <algorithm>

namespace headlight {
namespace {

bool is_leaf(const Mask& mask) {
    return !std::holds_alternative<AllOf>(mask.rule) && !std::holds_alternative<AnyOf>(mask.rule) &&
           !std::holds_alternative<Not>(mask.rule);
}

std::optional<MaskPart> mask_part(const Mask& mask) {
    if (const auto* inverse = std::get_if<Not>(&mask.rule);
        inverse && inverse->mask.size() == 1 && is_leaf(inverse->mask.front()))
        return MaskPart{true, inverse->mask.front()};
    return is_leaf(mask) ? std::optional(MaskPart{false, mask}) : std::nullopt;
}

MaskSetting alignment_setting(const CausalMask& causal) {
    return {{.name = "align",
             .label = "Diagonal",
             .standard = to_word(CausalAlignment::top_left),
             .choices = spellings<CausalAlignment>(),
             .help = "Which corner the diagonal starts from when there are more keys than queries."},
            to_word(causal.alignment),
            [](const OptionValue& value) {
                return Mask{CausalMask{value_of<CausalAlignment>(std::get<std::string>(value)).value()}};
            }};
}

MaskSetting length_setting(const PaddingMask& padding) {
    return {as_option(key_lengths_knob().parameter), padding.key_lengths.value_or(0),
            [](const OptionValue& value) {
                const Index length = std::get<Index>(value);
                return Mask{PaddingMask{length > 0 ? std::optional(length) : std::nullopt}};
            }};
}

}  // namespace

std::optional<MaskParts> mask_parts(const Mask& mask) {
    MaskParts composed;
    if (std::holds_alternative<NoMask>(mask.rule))
        return composed;
    std::vector<Mask> list{mask};
    if (const auto* all = std::get_if<AllOf>(&mask.rule)) {
        list = all->masks;
    } else if (const auto* any = std::get_if<AnyOf>(&mask.rule)) {
        list = any->masks;
        composed.any = true;
    }
    if (list.size() > most_mask_parts || list.empty())
        return std::nullopt;
    for (const Mask& each : list) {
        const auto part = mask_part(each);
        if (!part)
            return std::nullopt;
        composed.parts.push_back(*part);
    }
    return composed;
}

Mask mask_of(const MaskParts& composed) {
    std::vector<Mask> list;
    for (const MaskPart& part : composed.parts)
        list.push_back(part.inverted ? Mask{Not{{part.leaf}}} : part.leaf);
    if (list.empty())
        return {};
    if (list.size() == 1)
        return list.front();
    return composed.any ? Mask{AnyOf{std::move(list)}} : Mask{AllOf{std::move(list)}};
}

std::span<const AxisWord> mask_words() {
    static const std::vector<AxisWord> list = [] {
        std::vector<AxisWord> leaves;
        for (const Word<MaskLeaf>& word : words<MaskLeaf>())
            if (word.value == MaskLeaf::causal || word.value == MaskLeaf::padding)
                leaves.push_back({std::string(word.word), std::string(word.meaning)});
        for (const MaskComponent& component : mask_components())
            leaves.push_back({component.word, component.meaning});
        return leaves;
    }();
    return list;
}

std::string mask_word(const Mask& leaf) {
    if (const auto* pattern = std::get_if<PatternMask>(&leaf.rule))
        return to_word(pattern->type);
    if (std::holds_alternative<CausalMask>(leaf.rule))
        return to_word(MaskLeaf::causal);
    if (std::holds_alternative<PaddingMask>(leaf.rule))
        return to_word(MaskLeaf::padding);
    return to_word(std::holds_alternative<MatrixMask>(leaf.rule) ? MaskLeaf::matrix : MaskLeaf::none);
}

Mask mask_leaf(const std::string& word) {
    if (word == to_word(MaskLeaf::causal))
        return {CausalMask{}};
    if (word == to_word(MaskLeaf::padding))
        return {PaddingMask{}};
    const auto found = std::ranges::find(mask_components(), word, &MaskComponent::word);
    return found == mask_components().end() ? Mask{} : Mask{PatternMask{found->type, {}}};
}

std::vector<MaskSetting> mask_settings(const Mask& leaf) {
    if (const auto* causal = std::get_if<CausalMask>(&leaf.rule))
        return {alignment_setting(*causal)};
    if (const auto* padding = std::get_if<PaddingMask>(&leaf.rule))
        return {length_setting(*padding)};
    std::vector<MaskSetting> settings;
    if (const auto* pattern = std::get_if<PatternMask>(&leaf.rule))
        for (const Option& option : component_of(pattern->type)->options) {
            const auto found = pattern->options.find(option.name);
            settings.push_back({option, found == pattern->options.end() ? option.standard : found->second,
                                [pattern = *pattern, name = option.name](const OptionValue& value) {
                                    PatternMask changed = pattern;
                                    changed.options[name] = value;
                                    return Mask{std::move(changed)};
                                }});
        }
    return settings;
}

}  // namespace headlight
