#pragma once

#include "core/attention/spec.h"

#include <string>
#include <string_view>

namespace headlight {

/// A formula of resources/formulas as an SVG in which `stage`'s term has the colour `lit` and the rest
/// `plain`, both as "#rrggbb". A stage without a term of its own lights the term that it is a part of: the
/// exponentials light the softmax, masked scores the scores. A stage that the formula does not mention lights
/// nothing. `spec` is that of the formula's mechanism, for stages that several components have; null: any of
/// them is asked.
std::string light_formula(std::string svg, std::string_view stage, std::string_view lit,
                          std::string_view plain, const AttentionSpec* spec = nullptr);

/// The TeX that the SVG was rendered from: its <desc>. Empty when it has none.
std::string formula_source(std::string_view svg);

}  // namespace headlight
