#include "core/model/intervention_text.h"

#include "core/tensor/number_text.h"
#include "core/tensor/visible_text.h"

#include <cmath>

namespace headlight {

namespace {

/// What the axis calls number `index`, from 1 where it has no words.
std::string label(const std::vector<std::string>& labels, Index index) {
    const auto at = static_cast<std::size_t>(index);
    return at < labels.size() ? in_quotes(labels[at]) : std::to_string(index + 1);
}

/// To three decimals, as pictures have them at most.
std::string weight_text(double weight) { return number_text(std::round(1000 * weight) / 1000); }

}  // namespace

std::string intervention_effect(const Intervention& intervention, const TokenLabels& tokens) {
    using Kind = Intervention::Kind;
    const std::string key = label(tokens.key.empty() ? tokens.query : tokens.key, intervention.key);
    switch (intervention.kind) {
    case Kind::set_weight:
        return key + " gets the weight " + weight_text(intervention.weight);
    case Kind::zero_column:
        return key + " gets no weight" +
               (intervention.renormalizes ? " (rows renormalised)" : " (rows not renormalised)");
    case Kind::forbid_key:
        return key + " is forbidden";
    case Kind::uniform_row:
        return "every key alike";
    case Kind::copy_head:
        return "weights of head " + std::to_string(intervention.from_head + 1);
    case Kind::mute_head:
        return "no weight at all";
    }
    return {};
}

std::string intervention_rows(const Intervention& intervention, Index heads) {
    std::string text;
    if (intervention.head && heads > 1)
        text += ", head " + std::to_string(*intervention.head + 1);
    if (intervention.step)
        text += ", step " + std::to_string(*intervention.step + 1);
    return text;
}

}  // namespace headlight
