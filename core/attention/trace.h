#pragma once

#include "core/attention/inputs.h"
#include "core/attention/lazy_maps.h"
#include "core/tensor/storage.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace headlight {

/// What an axis of a stage counts.
enum class Axis { head, query, key, feature, attention };

std::string_view to_string(Axis axis);  ///< "head", "query", "key", "d", "d_a"

/// Where a stage's numbers lie in the trace and what its axes mean.
struct Stage {
    std::string site;  ///< place in a model ("encoder.0.self"); empty for a mechanism alone
    std::string name;  ///< "scaled_scores"
    std::vector<Axis> axes;
    Shape shape;
    Index offset = 0;       ///< in elements of its block; of lazy maps, their number among these
    std::size_t block = 0;  ///< of the trace's storage; a trace that was not joined has a single one
    bool is_lazy = false;
    bool is_kept = true;  ///< false for lazy maps that are never kept whole; see is_large()

    Index size() const { return element_count(shape); }
    bool has_axis(Axis axis) const;
    Index extent(Axis axis) const;  ///< 0 when the stage has no such axis
    Index heads() const;            ///< 1 when it has no axis of heads
    /// Whether the stage has maps that are too large to be kept: Trace::read_rows() and lazy_maps() have
    /// their numbers, and values() and matrix() throw Error.
    bool is_large() const;
};

/// What a person set in a run, in the place of what it would have computed.
struct ChangedByHand {
    std::string site;                       ///< of the stage
    std::string stage;                      ///< "masked_scores" or "weights"
    std::optional<Index> head, query, key;  ///< of the cells that were set; all of them where nothing is said
    std::string words;                      ///< "“cat” gets no weight, head 2, step 3"

    /// Whether this very cell was set.
    bool is_at(std::string_view at_site, std::string_view at_stage, Index at_head, Index at_query,
               Index at_key) const {
        return site == at_site && stage == at_stage && head.value_or(at_head) == at_head &&
               query.value_or(at_query) == at_query && key.value_or(at_key) == at_key;
    }
    bool operator==(const ChangedByHand&) const = default;
};

/// What others have counted of the heads of a model, on whole rows of texts that are not here: the metrics of
/// a HeadVis tree.
struct CountedHeads {
    struct Head {
        Index layer = 0, head = 0;                   ///< from 0
        std::vector<std::optional<double>> numbers;  ///< [metric]; nothing where it has none
    };
    std::vector<std::string> metrics;  ///< by their own names
    std::vector<Head> heads;
    Index shown_layer = 0, shown_head = 0;  ///< whose maps are in the trace
};

/// All recorded stages of a run, in the order in which the formula computes them. Built once, then shared as
/// `std::shared_ptr<const Trace>`: views on any thread read it without a lock.
///
/// A mechanism's stages, for h heads, n queries and m keys (those that its spec does not have are absent):
/// - tokens [n, d], key_tokens [m, d], value_tokens [m, d]: as given
/// - position [n, d], key_position [m, d]: what is added to the tokens before projection
/// - query [h, n, d_k], key [h, m, d_k], value [h, m, d_v]: the projections, split into heads
/// - energy [h, n, m, d_a], with a single head [n, m, d_a]: after the activation
/// - scores, scaled_scores, biased_scores, masked_scores [h, n, m]
/// - row_maximum [h, n], exponentials [h, n, m], row_sum [h, n]
/// - soft_weights [h, n, m], draw [h, n], frequencies [h, n, m]
/// - weights [h, n, m]
/// - context [h, n, d_v], concatenation [n, h d_v], output [n, d_out]
///
/// key_tokens and key_position are there for cross attention, value_tokens when values were given, energy for
/// concat and additive scores (unless it exceeds the limit of TraceOptions), soft_weights, the row before the
/// choice, for hard attention and where heads or an algorithm go on changing the softmax, draw, the key
/// drawn, and frequencies for sampling, concatenation for multi heads.
///
/// With a scale c and a mask term M, the order of the scores' stages is that of the formula:
/// - mask after scale: s, then scaled = s c, biased = scaled + B, masked = biased + M
/// - mask before scale: s, then masked = s + M, scaled = masked c, biased = scaled + B
///
/// and the last one is normalised. B is the position bias. A forbidden pair is -infinity from its mask on,
/// whatever the sign of the scale. In a fully masked row row_maximum is -infinity, row_sum 0 and draw -1.
class Trace {
public:
    Trace() = default;
    /// Lays the stages out one after another (their `offset` is set here) in storage filled with zero.
    explicit Trace(std::vector<Stage> stages);
    /// Makes a trace of maps alone [head, query, key], which are read when somebody looks at them: one for
    /// each stage.
    Trace(std::vector<Stage> stages, std::vector<std::shared_ptr<const LazyMaps>> maps);

    AttentionSpec spec;
    /// The specs of the stages that joined() put behind the trace's own, by their site.
    std::map<std::string, AttentionSpec, std::less<>> joined_specs;
    /// The same for their tokens, where these are others than `tokens`: a model's sites read different
    /// sequences.
    std::map<std::string, TokenLabels, std::less<>> joined_tokens;
    /// The matrices that a run at the site had, by their names ("W_q"): of a mechanism alone at the empty
    /// site. Of a trace from a file W_o alone, and of a capture none.
    std::map<std::string, std::shared_ptr<const std::map<std::string, Tensor>>, std::less<>> parameters;
    std::string name;  ///< what pictures of several mechanisms call this one; its spec in words if empty
    /// “river”: what tells it from the one that it is compared with, where the name says more; or empty.
    std::string compared_as;
    TokenLabels tokens;
    std::uint64_t seed = 0;
    /// Queries whose mask forbids every key: their weights and context are zero and pictures flag them. Their
    /// output is that context's too: zero, or b_o where the spec has it.
    std::vector<Index> fully_masked_queries;
    /// Marked wherever the trace is shown: the stages behind them follow from what was set.
    std::vector<ChangedByHand> by_hand;
    /// What was not recorded: stages with the reason ("energy: 1.1 GB, over the limit of 256 MB"), weights.
    std::vector<std::string> omitted;
    std::shared_ptr<const CountedHeads> counted_heads;  ///< null where nobody has counted
    /// "2 tokens of the first text have no partner and are left out.": of texts that are compared. Of a model
    /// that is compared with a changed one: what else it says by itself.
    std::string left_out;
    /// The session that comes back to this run, as JSON text (core/io/session.h); empty when there is none. A
    /// figure drawn from the trace carries it on.
    std::string session;

    std::span<const Stage> stages() const { return stages_; }
    const Stage* find(std::string_view name, std::string_view site = {}) const;
    /// One more stage [head, query, key] before that one, or at the end.
    void add_lazy(std::size_t before, Stage stage, std::shared_ptr<const LazyMaps> maps);
    /// Returns the spec of the mechanism whose stages are at the site.
    const AttentionSpec& spec_at(std::string_view site) const;
    /// The same; null where the trace does not say what ran there: in a capture, and where words are said.
    const AttentionSpec* known_spec_at(std::string_view site) const;
    /// One of `parameters`; null where nobody knows it.
    const Tensor* parameter_at(std::string_view site, const std::string& parameter) const;
    /// Returns the labels of the rows and columns of the stages at the site.
    const TokenLabels& tokens_at(std::string_view site) const;

    std::span<const double> values(const Stage& stage) const;
    /// Returns the numbers of a stage that is not lazy, to be changed. Where a copy of the trace, or a
    /// picture, shares them, this trace has its own from now on.
    std::span<double> values(const Stage& stage);
    /// One row-major matrix of a stage: with axes [head, query, key] the map of that head; a rank-2 stage
    /// itself.
    std::span<const double> matrix(const Stage& stage, Index head) const;
    /// The same, there for as long as somebody has it.
    Storage<const double> shared_matrix(const Stage& stage, Index head) const;
    /// Reads `count` rows of a head of a stage [head, query, key], [count, keys]; lazy ones are not kept.
    /// Throws Error where these cannot be read.
    void read_rows(const Stage& stage, Index head, Index first, Index count, std::span<double> to) const;
    /// Returns the maps of a stage that is lazy.
    const LazyMaps& lazy_maps(const Stage& stage) const;
    /// Why lazy maps could not be read; empty while all could.
    std::string problem() const;

    /// This trace with the stages of others behind its own, each at a site of its name. They share their
    /// numbers.
    struct Joined {
        std::string site;
        const Trace* trace;
    };
    Trace joined(std::span<const Joined> others) const;
    /// This trace without its other stages, whose numbers it does not keep alive.
    Trace only(std::span<const std::string_view> names) const;

private:
    /// One block for all stages that are not lazy, one after another, filled with zero.
    void lay_out();
    void add_stages_of(const Trace& other, const std::string& site);

    std::vector<Stage> stages_;
    std::vector<Storage<double>> blocks_;
    std::vector<std::shared_ptr<const LazyMaps>> lazy_;
};

}  // namespace headlight
