#pragma once

#include "core/attention/spec.h"

#include <span>
#include <string>

namespace headlight {

class Composer;
class Expression;

/// A score that the kernels compute themselves, declared as components declare theirs.
struct KernelScore {
    ScoreType type = {};
    std::string word;                ///< "scaled_dot", as files write it
    std::string meaning;             ///< "q · k / √d_k"
    std::string title;               ///< in the name of a mechanism: "scaled dot-product"
    std::string subtitle;            ///< of the stage of scores: "query × keyᵀ"
    std::string between = "×";       ///< what stands between query and keyᵀ
    std::string scale = {};          ///< what is done to the scores: "÷ √d"; empty for no scale of its own
    bool compares_widths = false;    ///< queries and keys must have one width per head
    bool takes_vector_norm = false;  ///< of queries and keys, before they are multiplied
    bool has_energy = false;         ///< v · energy, which passes through the spec's activation
    /// Its formula, as ScoreComponent::define has that of a component.
    Expression (*define)(Composer& composer) = nullptr;
    Expression (*define_scale)(Composer& composer) = nullptr;  ///< null: 1
};
std::span<const KernelScore> kernel_scores();

/// nullptr for components.
const KernelScore* kernel_score(ScoreType type);

/// What the scores are multiplied by that need no parameter for it, `width` that of one head's keys: for runs
/// and for training alike.
double kernel_scale(ScoreType type, Index width);

}  // namespace headlight
