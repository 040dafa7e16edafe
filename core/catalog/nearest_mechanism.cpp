#include "core/catalog/nearest_mechanism.h"

#include <utility>

namespace headlight {
namespace {

/// Without which the formula would be another one.
bool has_same_core(const AttentionSpec& one, const AttentionSpec& other) {
    return one.score.type == other.score.type && one.score.vector_norm == other.score.vector_norm &&
           one.score.softcap.has_value() == other.score.softcap.has_value() &&
           one.normalizer.type == other.normalizer.type &&
           (one.normalizer.type != NormalizerType::hard || one.normalizer.mode == other.normalizer.mode) &&
           one.selection.type == other.selection.type && one.algorithm.type == other.algorithm.type &&
           one.heads.gate == other.heads.gate;
}

/// What a formula says less loudly, the most important first.
int differences(const AttentionSpec& one, const AttentionSpec& other) {
    int sum = 0;
    const auto count = [&sum](bool differs, int weight) { sum += differs ? weight : 0; };
    count(one.heads.type != other.heads.type, 16);
    count(one.position.type != other.position.type || one.position.second != other.position.second, 8);
    count(!(one.mask == other.mask), 4);
    count(one.heads.sharing != other.heads.sharing, 4);
    count(one.source.type != other.source.type, 2);
    count(!(one.normalizer == other.normalizer) || !(one.algorithm == other.algorithm), 1);
    return sum;
}

const std::vector<std::pair<const Mechanism*, AttentionSpec>>& default_specs() {
    static const auto all = [] {
        std::vector<std::pair<const Mechanism*, AttentionSpec>> made;
        for (const Mechanism& mechanism : mechanisms())
            made.emplace_back(&mechanism, build_spec(mechanism, {}));
        return made;
    }();
    return all;
}

}  // namespace

const Mechanism* nearest_mechanism(const AttentionSpec& spec) {
    const Mechanism* nearest = nullptr;
    int least = 0;
    for (const auto& [mechanism, theirs] : default_specs()) {
        if (theirs == spec)
            return mechanism;
        if (!has_same_core(spec, theirs))
            continue;
        const int differs = differences(spec, theirs);
        if (!nearest || differs < least) {
            nearest = mechanism;
            least = differs;
        }
    }
    return nearest;
}

}  // namespace headlight
