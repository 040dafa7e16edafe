#pragma once

#include "core/attention/spec.h"
#include "core/tensor/words.h"

namespace headlight {

template <>
std::span<const Word<SourceType>> words();
template <>
std::span<const Word<ProjectionType>> words();
template <>
std::span<const Word<ScoreType>> words();
template <>
std::span<const Word<Activation>> words();
template <>
std::span<const Word<PositionType>> words();
template <>
std::span<const Word<CausalAlignment>> words();
template <>
std::span<const Word<MaskOrder>> words();
template <>
std::span<const Word<NormalizerType>> words();
template <>
std::span<const Word<HardMode>> words();
template <>
std::span<const Word<HeadsType>> words();
template <>
std::span<const Word<Sharing>> words();
template <>
std::span<const Word<Gate>> words();
template <>
std::span<const Word<VectorNorm>> words();
template <>
std::span<const Word<MaskPattern>> words();
template <>
std::span<const Word<SelectionType>> words();
template <>
std::span<const Word<AlgorithmType>> words();

/// The leaves of a mask by their "type", beside the patterns.
enum class MaskLeaf { none, causal, padding, matrix };
template <>
std::span<const Word<MaskLeaf>> words();

/// What a field of the spec needs to be read: one of the other fields `paths` is one of these words.
struct ReadWith {
    std::vector<std::string> paths;  ///< "heads.type"; of an option of a position also "position.second"
    std::vector<std::string> words;
    bool operator==(const ReadWith&) const = default;
};

/// One field of the spec, for `headlight list`, docs/spec.md and `--set`.
struct SpecField {
    std::string path;  ///< "score.activation"
    std::string
        kind;  ///< "word", "boolean", "integer", "number", "matrix of 0 and 1", "mask", "list of masks"
    std::vector<Word<int>> words;  ///< kind "word": what is accepted, in the order of the enumeration
    std::string standard;          ///< the default, as JSON; empty when the field has none
    std::string meaning;
    /// Where all of one of these hold, the type first; none: everywhere.
    std::vector<std::vector<ReadWith>> read_where = {};
    /// "mask.type" of "mask.all": it stands alone in its part, without that and all that is read beside it.
    std::string in_place_of = {};
};

/// Every field that spec_from_json() accepts, in the order of the formula.
std::vector<SpecField> spec_fields();

/// Whether some spec whose part has that type reads the field: "score.bias" beside "concat", not beside
/// "dot".
bool is_read_beside(const std::string& path, const std::string& type);

/// What spec_from_json() accepts for the numbers of a spec.
constexpr Index largest_width = 65536;  ///< of projections, attention dimension, heads, key lengths
constexpr Index most_draws = 1'000'000;
constexpr int deepest_mask = 16;
constexpr int most_masks = 1000;  ///< leaves and what composes them: each is a pass over all pairs

}  // namespace headlight
