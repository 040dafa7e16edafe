#pragma once

#include "core/attention/inputs.h"

#include <memory>
#include <span>
#include <string_view>

namespace headlight {

/// What an axis of a stage counts.
enum class Axis { head, query, key, feature, attention };

std::string_view to_string(Axis axis);  ///< "head", "query", "key", "d", "d_a"

/// Where a stage's numbers lie in the trace's arena and what its axes mean.
struct Stage {
    std::string site;   ///< place in a model ("encoder.0.self"); empty for a mechanism on its own
    std::string name;   ///< "scaled_scores"
    std::vector<Axis> axes;
    Shape shape;
    Index offset = 0;   ///< in elements

    Index size() const { return element_count(shape); }
    bool has_axis(Axis axis) const;
    Index extent(Axis axis) const;  ///< 0 when the stage has no such axis
};

/// All recorded stages of a run, in the order in which the formula computes them. Built once, then shared as
/// `std::shared_ptr<const Trace>`: views on any thread read it without a lock.
///
/// A mechanism's stages, h heads, n queries, m keys (those that its spec does not have are absent):
///   tokens [n, d]  key_tokens [m, d]  value_tokens [m, d]  position [n, d]  key_position [m, d]
///   query [h, n, d_k]  key [h, m, d_k]  value [h, m, d_v]      (per-head split of the projections)
///   energy [n, m, d_a], with several heads [h, n, m, d_a]     (after the activation; absent when it would exceed the
///                                                              limit of TraceOptions)
///   scores  scaled_scores  biased_scores  masked_scores  exponentials  soft_weights  frequencies  weights [h, n, m]
///   row_maximum  row_sum  draw [h, n]
///   context [h, n, d_v]  concatenation [n, h d_v]  output [n, d_out]
class Trace {
public:
    Trace() = default;
    /// Lays the stages out one after another (their `offset` is set here) in storage filled with zero.
    explicit Trace(std::vector<Stage> stages);

    AttentionSpec spec;
    TokenLabels tokens;
    std::uint64_t seed = 0;
    /// Queries whose mask forbids every key: their weights and output are zero and pictures flag them.
    std::vector<Index> fully_masked_queries;
    /// Stages that were not recorded, each with the reason ("energy: 1.1 GB, over the limit of 256 MB").
    std::vector<std::string> omitted;

    std::span<const Stage> stages() const { return stages_; }
    const Stage* find(std::string_view name, std::string_view site = {}) const;

    std::span<const double> values(const Stage& stage) const;
    std::span<double> values(const Stage& stage);
    /// One row-major matrix of a stage: with axes [head, query, key] the map of that head; a rank-2 stage itself.
    std::span<const double> matrix(const Stage& stage, Index head) const;

private:
    std::vector<Stage> stages_;
    std::vector<double> arena_;
};

}  // namespace headlight
