#pragma once

#include "core/attention/component_types.h"
#include "core/attention/options.h"
#include "core/kernels/activation.h"
#include "core/tensor/tensor.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace headlight {

// A mechanism as a value: AttentionSpec says how tokens become weights and output when the data flows
//   project -> score -> scale -> bias -> mask -> select -> normalise -> weighted sum,
// and names an algorithm where the graph of stages is another one. Each part has a type. What the kernels
// read of it are members; what only its component reads are `options`, declared by the component
// (component.h). Shapes: n queries, m keys, h heads; the query tokens are [n, d_q], the key tokens [m, d_k],
// the value tokens [m, d_v].

enum class SourceType {
    self,   ///< queries, keys and values come from one sequence
    cross,  ///< queries from one sequence, keys and values from another
};
struct Source {
    SourceType type = SourceType::self;
    bool operator==(const Source&) const = default;
};

enum class ProjectionType {
    none,      ///< q, k, v are the token vectors
    identity,  ///< q = x I: the same numbers, with the matrices shown
    learned,   ///< q = x W_q (+ b_q), k = y W_k (+ b_k), v = y W_v (+ b_v)
};
struct Projections {
    ProjectionType type = ProjectionType::none;
    bool bias = false;  ///< learned only
    /// Learned only: width of q and k over all heads; the query's width if absent.
    std::optional<Index> dimension{};
    bool operator==(const Projections&) const = default;
};

enum class ScoreType {
    dot,              ///< q . k
    scaled_dot,       ///< q . k / sqrt(d_k), d_k per head                      (Vaswani et al. 2017, eq. 1)
    learned_scale,    ///< g (q . k), g a learned scalar                        (Luong attention with scale)
    general,          ///< q W k^T                                              (Luong et al. 2015, eq. 8)
    concat,           ///< v . act([q; k] W + b)                                (Luong et al. 2015, eq. 8)
    additive,         ///< v . act(q W_1 + k W_2 + b)                           (Bahdanau et al. 2015, A.1.2)
    self_similarity,  ///< x . y of the token vectors themselves: no parameter in the score
    // The components of core/attention/scores, named by their files:
    HEADLIGHT_SCORES,
};
/// What is done to each head's queries and keys before they meet.
enum class VectorNorm {
    none,
    l2,     ///< x / |x|
    layer,  ///< (x - mean) / standard deviation, times g                      (Dehghani et al. 2023)
    rms,    ///< x / root mean square, times g                                 (Qwen3, Gemma 3)
};
struct Score {
    ScoreType type = ScoreType::scaled_dot;
    Activation activation = Activation::tanh;  ///< of scores with an energy: concat, additive and their kin
    bool bias = false;                         ///< of the same
    /// d_a of the same; the query's width per head if absent.
    std::optional<Index> attention_dimension{};
    VectorNorm vector_norm = VectorNorm::none;  ///< of products of queries and keys
    std::optional<double> softcap{};            ///< c of c tanh(s / c), after the scale; none if absent
    Options options{};
    bool operator==(const Score&) const = default;
};

enum class PositionType {
    none,
    sinusoidal,  ///< added to every token vector before projection (Vaswani et al. 2017, section 3.5)
    // The components of core/attention/positions, named by their files:
    HEADLIGHT_POSITIONS,
};
struct Position {
    PositionType type = PositionType::none;
    Options options{};  ///< of both
    /// Beside the first, which does something else: alibi beside rope.
    PositionType second = PositionType::none;
    bool operator==(const Position&) const = default;
};

/// Which keys a query may look at. Leaves are predicates on (query, key); all, any and not compose them.
struct Mask;
struct NoMask {
    bool operator==(const NoMask&) const = default;
};
enum class CausalAlignment {
    top_left,      ///< key <= query
    bottom_right,  ///< key <= query + (m - n): the last query sees every key
};
struct CausalMask {
    CausalAlignment alignment = CausalAlignment::top_left;
    bool operator==(const CausalMask&) const = default;
};
struct PaddingMask {
    std::optional<Index> key_lengths{};  ///< keys 0 .. key_lengths-1 are real; every key if absent
    bool operator==(const PaddingMask&) const = default;
};
struct MatrixMask {
    std::vector<std::vector<bool>> allowed;  ///< [query][key], true = may look
    bool operator==(const MatrixMask&) const = default;
};
/// A pattern of places, a component of core/attention/masks.
enum class MaskPattern {
    // The components of core/attention/masks, named by their files:
    HEADLIGHT_MASKS,
};
struct PatternMask {
    MaskPattern type = MaskPattern::window;
    Options options{};
    bool operator==(const PatternMask&) const = default;
};
struct AllOf {
    std::vector<Mask> masks;
    bool operator==(const AllOf&) const;
};
struct AnyOf {
    std::vector<Mask> masks;
    bool operator==(const AnyOf&) const;
};
struct Not {
    std::vector<Mask> mask;  ///< exactly one; a vector because Mask is not complete here
    bool operator==(const Not&) const;
};
struct Mask {
    std::variant<NoMask, CausalMask, PaddingMask, MatrixMask, PatternMask, AllOf, AnyOf, Not> rule;
    bool operator==(const Mask&) const = default;
};
// Written out: clang 14 crashes when they are defaulted here.
inline bool AllOf::operator==(const AllOf& other) const { return masks == other.masks; }
inline bool AnyOf::operator==(const AnyOf& other) const { return masks == other.masks; }
inline bool Not::operator==(const Not& other) const { return mask == other.mask; }

/// Whether the mask term stands outside the scale, softmax(S c + M), or inside, softmax((S + M) c). The two
/// are the same for M in {0, -inf} and differ for a finite `mask_value` (catalogue 0.3).
enum class MaskOrder { after_scale, before_scale };

/// Keys that a query chooses by what they hold, or a head by their places, among those that the mask allows.
enum class SelectionType {
    none,
    // The components of core/attention/selections, named by their files:
    HEADLIGHT_SELECTIONS,
};
struct KeySelection {
    SelectionType type = SelectionType::none;
    Options options{};
    bool operator==(const KeySelection&) const = default;
};

enum class NormalizerType {
    softmax,
    hard,
    // The components of core/attention/normalizers, named by their files:
    HEADLIGHT_NORMALIZERS,
};
enum class HardMode {
    argmax,  ///< one-hot on the largest score; ties go to the lowest key
    sample,  ///< one-hot on a key drawn from the softmax row (Xu et al. 2015, section 4.1)
};
struct Normalizer {
    NormalizerType type = NormalizerType::softmax;
    double temperature = 1;            ///< softmax(s / temperature); also of the row that `sample` draws from
    HardMode mode = HardMode::argmax;  ///< hard only
    Index draws = 1;                   ///< sample only: how many draws the recorded frequencies come from
    Options options{};
    bool operator==(const Normalizer&) const = default;
};

enum class HeadsType {
    single,
    multi,
    multi_query,    ///< all heads share one head of keys and values                  (Shazeer 2019)
    grouped_query,  ///< groups of consecutive heads share a head of keys and values  (Ainslie et al. 2023)
    talking,        ///< heads mix their scores, and their weights                    (Shazeer et al. 2020)
};
/// Which of q, k and v are the same vectors.
enum class Sharing {
    none,
    query_key,  ///< k = q: one matrix for both                                       (Kitaev et al. 2020)
    key_value,  ///< v = k
};
/// What each head's context is multiplied by, from the query's token vector (Qiu et al. 2025).
enum class Gate {
    none,
    elementwise,  ///< sigmoid(x W_gate), a number for each feature of the context
    headwise,     ///< sigmoid(x W_gate), a number for each head
};
struct Heads {
    HeadsType type = HeadsType::single;
    Index heads = 8;     ///< all but single
    Index kv_heads = 2;  ///< grouped_query only: must divide heads
    Sharing sharing = Sharing::none;
    Gate gate = Gate::none;
    Index count() const { return type == HeadsType::single ? 1 : heads; }
    /// Heads of keys and values: query head i reads number i / (count() / kv_count()).
    Index kv_count() const {
        return type == HeadsType::multi_query ? 1 : type == HeadsType::grouped_query ? kv_heads : count();
    }
    bool operator==(const Heads&) const = default;
};

/// Another graph of stages than composition.
enum class AlgorithmType {
    composed,
    // The components of core/attention/algorithms, named by their files:
    HEADLIGHT_ALGORITHMS,
};
struct Algorithm {
    AlgorithmType type = AlgorithmType::composed;
    Options options{};
    bool operator==(const Algorithm&) const = default;
};

struct AttentionSpec {
    Source source;
    Projections projections;
    Score score;
    Position position;
    Mask mask;
    MaskOrder mask_order = MaskOrder::after_scale;
    /// What a forbidden score gets added; minus infinity (an exact zero weight) if absent.
    std::optional<double> mask_value{};
    KeySelection selection;
    Normalizer normalizer;
    Heads heads;
    Algorithm algorithm;
    bool operator==(const AttentionSpec&) const = default;
};

/// True when some rule in the mask can forbid a cell.
bool is_masked(const Mask& mask);

/// Allows what both allow: one of them alone where the other forbids nothing, else the list of the two.
Mask joined_masks(Mask first, Mask second);

}  // namespace headlight
