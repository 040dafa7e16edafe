#include "core/nn/defined_map.h"

#include "core/graph/graph_kernels.h"
#include "core/nn/map_graphs.h"
#include "core/nn/trained_numbers.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <span>
#include <string_view>
#include <vector>

namespace headlight::nn {

namespace {

/// Numbers of a map, of its queries or of its keys, up to which sequences are computed together: next to so
/// many, what an operation of a graph takes for itself is little, and they stay in the processor's cache.
constexpr Index numbers_together = 4096;

/// Two numbers of a head that another matrix has elsewhere, `count` of them one after another.
struct Stretch {
    Index in_graph, on_tape, count;
};

/// An operand, or the result, as a graph has it for some sequences: [sequences h, skipped + rows, columns].
template <class Real>
struct MapTensor {
    std::string_view name{};
    Variable<Real> all{};
    bool is_map = true;  ///< all: [b h rows, columns], otherwise [rows b, h columns]
    Index skipped = 0;   ///< rows in front of them that the graph has as well

    template <class Visit>
    void for_each_stretch(const Pairing& pairing, Index first, Index sequences, const Visit& visit) const {
        const Index b = pairing.batch, h = pairing.heads;
        const Index rows = all.rows / (is_map ? b * h : b), columns = is_map ? all.columns : all.columns / h;
        for (Index head = 0; head < sequences * h; ++head) {
            const Index sequence = first + head / h;
            for (Index row = 0; row < rows; ++row)
                visit(Stretch{.in_graph = (head * (skipped + rows) + skipped + row) * columns,
                              .on_tape = is_map ? ((first * h + head) * rows + row) * columns
                                                : (row * b + sequence) * all.columns + head % h * columns,
                              .count = columns});
        }
    }
    void read(const Pairing& pairing, Index first, Index sequences, std::span<double> numbers) const {
        for_each_stretch(pairing, first, sequences, [&](const Stretch& at) {
            for (Index i = 0; i < at.count; ++i)
                numbers[static_cast<std::size_t>(at.in_graph + i)] =
                    static_cast<double>(all.value[at.on_tape + i]);
        });
    }
    /// To the numbers, or to the gradient.
    void add_to(Real* to, const Pairing& pairing, Index first, Index sequences,
                std::span<const double> numbers) const {
        for_each_stretch(pairing, first, sequences, [&](const Stretch& at) {
            for (Index i = 0; i < at.count; ++i)
                to[at.on_tape + i] += static_cast<Real>(numbers[static_cast<std::size_t>(at.in_graph + i)]);
        });
    }
};

/// A call as its backward step keeps it.
template <class Real>
struct MapCall {
    MapGraphs* graphs = nullptr;
    Pairing pairing;
    std::array<MapTensor<Real>, 4> operands{};
    MapTensor<Real> result{};
    MapExtents extents{};                ///< of all sequences alike
    const Index* key_lengths = nullptr;  ///< null: all
    std::uint64_t stream = 0;

    /// Sequences whose maps are made together.
    Index together() const {
        if (graphs->draws || graphs->reads_mask)
            return 1;
        const Index of_head =
            std::max({(result.skipped + pairing.queries) * std::max(pairing.keys, graphs->query_width),
                      pairing.keys * graphs->key_width});
        return std::clamp<Index>(numbers_together / (pairing.heads * of_head), 1, pairing.batch);
    }

    /// Calls visit(given number, operand) for those that there are.
    template <class Visit>
    void for_each_operand(const MapGraph& graph, const Visit& visit) const {
        for (const MapTensor<Real>& operand : operands) {
            const auto found = std::ranges::find(graph.given, operand.name, &GivenTensor::name);
            if (!operand.all.value || found == graph.given.end())
                continue;
            assert(!MapGraph::is_constant(*found));
            visit(static_cast<std::size_t>(found - graph.given.begin()), operand);
        }
    }

    void set_parameter(Tape<Real>& tape, const MapParameter& parameter, GraphRun<MapGraph>& run) const {
        for (Index copy = 0; copy < parameter.copies; ++copy)
            read_trained(tape, parameter.shape, parameter.weight, pairing.heads,
                         parameter.part_of(std::span(run.numbers[parameter.given]), copy));
        run.has_set(parameter.given);
    }

    /// Runs the graphs of all sequences: each(run, first sequence, number of them), and done(run) behind the
    /// last that a run has. The two leave no gradients in it.
    template <class Each, class Done>
    void run_all(Tape<Real>& tape, bool is_soft, const Each& each, const Done& done) const {
        const GraphKernels chosen;
        const Index most = together();
        MapGraphs::Run run;
        MapExtents now;
        const auto finish = [&] {
            if (!run)
                return;
            done(*run);
            graphs->give_back(now, std::move(run));
        };
        Index count = 0;
        for (Index sequence = 0; sequence < pairing.batch; sequence += count) {
            count = std::min(most, pairing.batch - sequence);
            // While texts are written there are fewer with each that ends: for each number a graph of its own
            // would be too many. Learning keeps its sums, batches that are all as large.
            if (!tape.differentiates())
                count = static_cast<Index>(std::bit_floor(static_cast<std::size_t>(count)));
            MapExtents wanted = extents;
            wanted.heads = count * pairing.heads;
            wanted.is_soft = is_soft;
            if (graphs->reads_mask)
                wanted.length = key_lengths ? key_lengths[sequence] : pairing.keys;
            if (!run || wanted.key() != now.key()) {
                finish();
                now = wanted;
                run = graphs->take(now);
                for (const MapParameter& parameter : run->program->parameters)
                    set_parameter(tape, parameter, *run);
            }
            for_each_operand(*run->program, [&](std::size_t given, const MapTensor<Real>& operand) {
                operand.read(pairing, sequence, count, run->numbers[given]);
            });
            if (graphs->draws)
                graphs->draw(*run, substream(stream, static_cast<std::uint64_t>(sequence)));
            run->values.run();
            each(*run, sequence, count);
        }
        finish();
    }

    /// Runs again: the numbers of a run are many times those of its map.
    void run_backward(Tape<Real>& tape) const {
        std::vector<double> of_result;
        MapTensor<Real> gradient = result;
        gradient.all = {result.all.gradient(), result.all.rows, result.all.columns};
        const auto add_operands = [&](GraphRun<MapGraph>& run, Index sequence, Index count) {
            const MapGraph& graph = *run.program;
            of_result.assign(run.values.of(graph.result).size(), 0.0);
            gradient.read(pairing, sequence, count, of_result);
            run.differentiation.add(run.values, graph.result, of_result);
            for_each_operand(graph, [&](std::size_t given, const MapTensor<Real>& operand) {
                const std::size_t step = graph.steps[given];
                const std::span<const double> of = run.differentiation.of(step);
                if (operand.all.has_gradient() && !of.empty())
                    operand.add_to(operand.all.gradient(), pairing, sequence, count, of);
                run.differentiation.clear(step);
            });
        };
        const auto add_parameters = [&](GraphRun<MapGraph>& run) {
            run.differentiation.pass_on_lasting(run.values);
            for (const MapParameter& parameter : run.program->parameters) {
                const std::size_t step = run.program->steps[parameter.given];
                for (Index copy = 0; copy < parameter.copies; ++copy)
                    add_to_trained(tape, parameter.shape, parameter.weight, pairing.heads,
                                   parameter.part_of(run.differentiation.of(step), copy));
                run.differentiation.clear(step);
            }
        };
        run_all(tape, graphs->is_choice, add_operands, add_parameters);
    }

    /// Computes the result, [rows, columns].
    Variable<Real> made(Tape<Real>& tape, Index rows, Index columns) {
        result.all = tape.constant(rows, columns);
        if (result.all.size() == 0)
            return result.all;
        std::fill_n(result.all.value, result.all.size(), Real(0));
        bool has_gradient = graphs->is_choice;
        const auto keep = [&](const GraphRun<MapGraph>& run, Index sequence, Index count) {
            const MapGraph& graph = *run.program;
            result.add_to(result.all.value, pairing, sequence, count, run.values.of(graph.result));
            has_gradient = has_gradient || graph.graph.steps()[graph.result].has_gradient;
        };
        run_all(tape, false, keep, [](const GraphRun<MapGraph>&) {});
        if (!has_gradient)
            return result.all;
        result.all = tape.with_gradient(result.all);
        tape.on_backward([call = *this](Tape<Real>& t) { call.run_backward(t); });
        return result.all;
    }
};

}  // namespace

bool walks(const Normalizer& normalizer) {
    return normalizer.type == NormalizerType::monotonic || normalizer.type == NormalizerType::chunkwise;
}

AttentionSpec spec_with(const Score& score, Index heads) {
    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.score = score;
    spec.heads = {.type = HeadsType::multi, .heads = heads};
    return spec;
}

AttentionSpec spec_with(const Normalizer& normalizer, Index heads) {
    AttentionSpec spec = spec_with(Score{.type = ScoreType::dot}, heads);
    spec.normalizer = normalizer;
    return spec;
}

DefinedMap::DefinedMap(const Score& score, const NamedWeights& weights, Index heads, Index query_width,
                       Index key_width)
    : graphs_(std::make_unique<MapGraphs>(score, weights, heads, query_width, key_width)) {}
DefinedMap::DefinedMap(const Normalizer& normalizer, const NamedWeights& weights, Index heads)
    : graphs_(std::make_unique<MapGraphs>(normalizer, weights, heads)) {}
DefinedMap::~DefinedMap() = default;

template <class Real>
Variable<Real> DefinedMap::map(Tape<Real>& tape, const Pairing& pairing,
                               const MapOperands<Real>& operands) const {
    assert(pairing.heads == graphs_->heads);
    MapCall<Real> call;
    call.graphs = graphs_.get();
    call.pairing = pairing;
    call.extents.first = graphs_->knows_place ? operands.first : 0;
    call.extents.queries = pairing.queries;
    call.extents.keys = pairing.keys;
    call.extents.causal = graphs_->reads_mask && operands.allowed.causal;
    call.extents.has_side = operands.side.value;
    call.operands = {
        {{.name = "query", .all = operands.query, .is_map = false, .skipped = call.extents.first},
         {.name = "key", .all = operands.key, .is_map = false},
         {.name = side_of_keys, .all = operands.side, .is_map = false},
         {.name = "seen_before", .all = operands.before}}};
    if (!graphs_->is_score)
        call.operands = {{{.name = "scores", .all = operands.scores, .skipped = call.extents.first},
                          {.name = "start", .all = operands.before}}};
    call.result = {.name = "result", .skipped = call.extents.first};
    if (!operands.allowed.key_lengths.empty())
        call.key_lengths = tape.room_for_indices(operands.allowed.key_lengths);
    call.stream = operands.stream;
    const Index rows = pairing.queries + (graphs_->walks ? 1 : 0);
    return call.made(tape, pairing.batch * pairing.heads * rows, pairing.keys);
}

template <class Real>
Variable<Real> DefinedMap::side(Tape<Real>& tape, const Pairing& pairing, Variable<Real> key) const {
    const Index width = graphs_->side_width();
    if (width == 0)
        return {};
    MapCall<Real> call;
    call.graphs = graphs_.get();
    call.pairing = pairing;
    call.pairing.queries = 1;
    call.extents.queries = 1;
    call.extents.keys = pairing.keys;
    call.extents.is_side = true;
    call.operands = {{{.name = "key", .all = key, .is_map = false}}};
    call.result = {.name = side_of_keys, .is_map = false};
    return call.made(tape, key.rows, pairing.heads * width);
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Variable<Real> DefinedMap::map(Tape<Real>&, const Pairing&, const MapOperands<Real>&) const;    \
    template Variable<Real> DefinedMap::side(Tape<Real>&, const Pairing&, Variable<Real>) const;
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::nn
