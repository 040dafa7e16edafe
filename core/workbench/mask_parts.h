#pragma once

#include "core/workbench/spec_axes.h"

#include <optional>

namespace headlight {

/// A mask as a person composes it in "Build your own": up to three patterns, each as it is or inverted, of
/// which all or any must allow a pair.
struct MaskPart {
    bool inverted = false;
    Mask leaf;
    bool operator==(const MaskPart&) const = default;
};
struct MaskParts {
    bool any = false;
    std::vector<MaskPart> parts;
    bool operator==(const MaskParts&) const = default;
};
inline constexpr std::size_t most_mask_parts = 3;

/// Nothing when the mask is composed of more, or more deeply.
std::optional<MaskParts> mask_parts(const Mask& mask);
Mask mask_of(const MaskParts& parts);

/// The words of masks that are not composed: causal, padding, the patterns. "none" and drawn matrices are no
/// choices.
std::span<const AxisWord> mask_words();
/// "matrix" for one that was drawn.
std::string mask_word(const Mask& leaf);
/// With the standard settings.
Mask mask_leaf(const std::string& word);

/// A setting of a leaf. `set` gives the leaf with it.
struct MaskSetting {
    Option option;
    OptionValue value;
    std::function<Mask(const OptionValue&)> with;
};
std::vector<MaskSetting> mask_settings(const Mask& leaf);

}  // namespace headlight
