#pragma once

#include "core/attention/spec.h"
#include "core/nn/graph_runs.h"
#include "core/nn/named_weights.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headlight::nn {

// The graphs of a score or of a normaliser alone: what DefinedMap runs.

/// The tensor that an energy's part of the keys is in the definitions that have one.
inline constexpr const char* side_of_keys = "key_energy";

/// What a graph was made for.
struct MapExtents {
    Index heads = 1;        ///< of all sequences that are computed together
    Index first = 0;        ///< queries in front of those asked for, where places count
    Index queries = 0;      ///< asked for
    Index keys = 0;         ///< m
    Index length = 0;       ///< where a score reads the mask: the keys that count,
    bool causal = false;    ///< ... and whether those after a query do not
    bool is_soft = false;   ///< of a choice: the weights whose derivative is passed on in its place
    bool has_side = false;  ///< what a score makes of the keys is given
    bool is_side = false;   ///< ... or is the result

    Index all_queries() const { return first + queries; }
    std::array<Index, 9> key() const {
        return {heads, first, queries, keys, length, causal, is_soft, has_side, is_side};
    }
};

/// A parameter of a formula, which each of several sequences has where each of its heads has one.
struct MapParameter {
    std::size_t given;  ///< number of the tensor
    Index copies;
    Shape shape;  ///< of one
    Weight weight;

    template <class Number>
    std::span<Number> part_of(std::span<Number> all, Index copy) const {
        const std::size_t size = all.size() / static_cast<std::size_t>(copies);
        return all.subspan(static_cast<std::size_t>(copy) * size, size);
    }
};

/// A graph, from its operands to a map or to what is made of the keys.
struct MapGraph : KeptGraph {
    MapGraph(std::shared_ptr<const Plan> its_plan, std::vector<GivenTensor> its_given,
             std::span<const ProgramPart> parts, const std::string& its_result,
             const std::function<bool(const GivenTensor&)>& is_of_run)
        : KeptGraph(std::move(its_plan), std::move(its_given), parts, is_of_run),
          result(graph.step_of(its_result)) {}

    std::size_t result;
    std::vector<MapParameter> parameters;
};

/// A formula, its parameters, and its graphs.
class MapGraphs {
public:
    using Run = std::unique_ptr<GraphRun<MapGraph>>;

    /// Those of a score; the widths are those of a head.
    MapGraphs(const Score& score, const NamedWeights& weights, Index heads, Index query_width,
              Index key_width);
    /// Those of a normaliser.
    MapGraphs(const Normalizer& normalizer, const NamedWeights& weights, Index heads);

    const Index heads, query_width, key_width;  ///< 1 wide for a normaliser
    const bool is_score;
    const bool reads_mask;   ///< which each sequence has of its own; and what a sequence's first head has
    const bool draws;        ///< for each sequence
    const bool is_choice;    ///< the derivative is that of the soft weights
    const bool knows_place;  ///< of a query
    const bool walks;        ///< from query to query
    const bool is_certain;   ///< ... and stops without a derivative

    /// The columns of what it makes of each head's keys alone; 0: nothing.
    Index side_width();

    Run take(const MapExtents& extents) {
        return runs_.take(extents.key(), [&] { return made(extents); });
    }
    void give_back(const MapExtents& extents, Run run) { runs_.give_back(extents.key(), std::move(run)); }

    /// Has the run draw from this seed.
    void draw(GraphRun<MapGraph>& run, std::uint64_t seed) const;

private:
    Program written(const Plan& plan) const;
    Plan plan_of(const MapExtents& extents) const;
    std::shared_ptr<const MapGraph> made(const MapExtents& extents) const;

    NamedWeights weights_;
    AttentionSpec spec_;
    std::once_flag side_is_known_;
    Index side_width_ = 0;
    GraphRuns<MapGraph, 9> runs_;
};

}  // namespace headlight::nn
