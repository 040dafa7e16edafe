#include "core/nn/defined_map.h"

#include "core/attention/assembly.h"
#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/options.h"
#include "core/attention/scores/defined_scores.h"
#include "core/nn/attention_parts.h"
#include "core/nn/graph_runs.h"
#include "core/nn/trained_numbers.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace headlight::nn {

namespace {

/// Numbers of a map, of its queries or of its keys, up to which sequences are computed together: next to so
/// many, what an operation of a graph takes for itself is little, and they stay in the processor's cache.
constexpr Index numbers_together = 4096;

constexpr double forbidden_score = -std::numeric_limits<double>::infinity();

/// What a graph was made for.
struct MapExtents {
    Index heads = 1;       ///< of all sequences that are computed together
    Index first = 0;       ///< queries in front of those asked for, where places count
    Index queries = 0;     ///< asked for
    Index keys = 0;        ///< m
    Index length = 0;      ///< where a score reads the mask: the keys that count,
    bool causal = false;   ///< ... and whether those after a query do not
    bool is_soft = false;  ///< of a choice: the weights whose derivative is passed on in its place

    Index all_queries() const { return first + queries; }
    std::array<Index, 7> key() const { return {heads, first, queries, keys, length, causal, is_soft}; }
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

struct MapGraph : KeptGraph {
    MapGraph(std::shared_ptr<const Plan> its_plan, std::vector<GivenTensor> its_given,
             std::span<const ProgramPart> parts)
        : KeptGraph(std::move(its_plan), std::move(its_given), parts), result(graph.step_of("result")) {}

    std::size_t result;
    std::vector<MapParameter> parameters;
};

Expression map_operand(Composer& composer, const char* name, Index rows, Index columns, double where_none) {
    GivenTensor tensor;
    tensor.name = name;
    tensor.extent = {composer.heads, rows, columns};
    tensor.numbers = std::vector<double>(static_cast<std::size_t>(tensor.extent.size()), where_none);
    return composer.program.give(std::move(tensor));
}

/// The scores of queries and keys, times their factor.
Expression define_score_map(Composer& composer) {
    const Plan& plan = composer.plan;
    composer.query = map_operand(composer, "query", plan.queries, plan.head_query_width(), 0);
    composer.key = map_operand(composer, "key", plan.keys, plan.head_key_width(), 0);
    const auto of_one_row = [&] {
        const auto define_row = component_of(plan.spec.score.type)->define_rows(composer);
        return define_row({0, map_operand(composer, "seen_before", 1, plan.keys, 0), "_1"});
    };
    const std::optional<Expression> scores = write_scores(composer);
    return (scores ? *scores : of_one_row()) * scale_of_scores(composer);
}

/// The weights of scores any of which may be minus infinity, and behind them where a walk stops.
Expression define_weight_map(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression scores = map_operand(composer, "scores", plan.queries, plan.keys, forbidden_score);
    // No gradient comes to a score that counts for nothing.
    DefinedRows rows(
        composer,
        composer.let("given_scores", choose(is_above(scores, minus_infinity()), scores, minus_infinity())),
        "");
    rows.has_forbidden = rows.may_be_empty = true;
    const Expression weights = define_weights(rows);
    if (!walks(plan.spec.normalizer))
        return weights;
    return headlight::join_rows({weights, composer.program.tensor(numbered("stopped_", plan.queries))});
}

/// Two numbers of a head that another matrix has elsewhere, `count` of them one after another.
struct Stretch {
    Index in_graph, on_tape, count;
};

/// An operand, or the result, as a graph has it for some sequences: [sequences h, skipped + rows, columns].
template <class Real>
struct MapTensor {
    std::string_view name;
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

}  // namespace

/// A formula, its parameters, and its graphs.
class DefinedMap::Graphs {
public:
    using Run = std::unique_ptr<GraphRun<MapGraph>>;

    template <class Part>
    Graphs(const Part& part, const NamedWeights& its_weights)
        : weights(its_weights), spec_(spec_with(part, 1)) {
        const ScoreType score = spec_.score.type;
        const NormalizerComponent* normalizer = component_of(spec_.normalizer.type);
        is_score = std::is_same_v<Part, Score>;
        reads_mask = is_score && (score == ScoreType::multi_token || score == ScoreType::selective);
        draws = spec_.normalizer.type == NormalizerType::gumbel;
        is_choice = draws && option<bool>(spec_.normalizer.options, "hard");
        knows_place = is_score ? score == ScoreType::random_synthesizer : normalizer->reads_place;
        walks = nn::walks(spec_.normalizer);
        is_certain = walks && option<std::string>(spec_.normalizer.options, "alignment") == "hard";
    }

    NamedWeights weights;
    bool is_score;
    bool reads_mask;   ///< or what the first head has
    bool draws;        ///< what each sequence has other numbers of
    bool is_choice;    ///< the derivative is that of the soft weights
    bool knows_place;  ///< of a query
    bool walks;
    bool is_certain;  ///< ... and stops without a derivative

    /// `heads` are those of one sequence, the widths those of a head.
    Run take(const MapExtents& extents, Index heads, Index query_width, Index key_width) {
        return runs_.take(extents.key(), [&] { return make(extents, heads, query_width, key_width); });
    }
    void give_back(const MapExtents& extents, Run run) { runs_.give_back(extents.key(), std::move(run)); }

    /// Has the run draw from this seed.
    void draw(GraphRun<MapGraph>& run, std::uint64_t seed) const {
        Plan drawn = *run.program->plan;
        drawn.seed = seed;
        const Program program = written(drawn);
        for (std::size_t i = 0; i < program.given().size(); ++i)
            if (program.given()[i].kind == GivenTensor::Kind::constant)
                std::ranges::copy(program.given()[i].numbers.all(), run.numbers[i].begin());
    }

private:
    Program written(const Plan& plan) const {
        Program program;
        Composer composer(plan, program);
        composer.let("result", is_score ? define_score_map(composer) : define_weight_map(composer));
        return program;
    }

    std::shared_ptr<const MapGraph> make(const MapExtents& extents, Index heads, Index query_width,
                                         Index key_width) const {
        AttentionSpec spec = spec_;
        spec.heads.heads = extents.heads;
        if (extents.is_soft)
            spec.normalizer.options["hard"] = false;
        if (reads_mask) {
            const Pairing pairing{.heads = heads, .queries = extents.queries, .keys = extents.keys};
            const Allowed allowed{{&extents.length, 1}, extents.causal};
            MatrixMask mask;
            for (Index query = 0; query < extents.queries; ++query) {
                mask.allowed.emplace_back(static_cast<std::size_t>(extents.keys));
                std::fill_n(mask.allowed.back().begin(), end_of_keys(pairing, allowed, 0, query), true);
            }
            spec.mask = {mask};
        }
        Inputs inputs;
        inputs.query = Tensor({extents.all_queries(), extents.heads * query_width});
        inputs.key = Tensor({extents.keys, extents.heads * key_width});
        auto made = std::make_shared<const Plan>(plan(spec, inputs, {.keeps = Keeps::output}));
        const Program program = written(*made);
        std::vector<GivenTensor> given = program.given();
        if (walks && !is_certain)  // it begins where the queries before have come to
            std::ranges::find(given, "start", &GivenTensor::name)->kind = GivenTensor::Kind::input;
        auto graph = std::make_shared<MapGraph>(std::move(made), std::move(given), program.parts());
        spec.heads.heads = heads;
        const TokenDimensions of_sequence{.query_width = heads * query_width,
                                          .key_width = heads * key_width,
                                          .value_width = heads * key_width,
                                          .queries = extents.all_queries(),
                                          .keys = extents.keys};
        for (const ParameterInfo& info : required_parameters(spec, of_sequence, {})) {
            const auto found = std::ranges::find(graph->given, info.name, &GivenTensor::name);
            if (found != graph->given.end())
                graph->parameters.push_back({static_cast<std::size_t>(found - graph->given.begin()),
                                             found->extent.size() / element_count(info.shape), info.shape,
                                             weights[info.name]});
        }
        return graph;
    }

    AttentionSpec spec_;
    GraphRuns<MapGraph, 7> runs_;
};

namespace {

/// A call as its backward step keeps it.
template <class Real, class Graphs>
struct MapCall {
    Graphs* graphs = nullptr;
    Pairing pairing;
    std::array<MapTensor<Real>, 3> operands{};
    MapTensor<Real> result{};
    Index first = 0;
    const Index* key_lengths = nullptr;  ///< null: all
    bool causal = false;
    std::uint64_t stream = 0;
    Index together = 1;  ///< sequences

    Index query_width() const { return graphs->is_score ? operands[0].all.columns / pairing.heads : 1; }
    Index key_width() const { return graphs->is_score ? operands[1].all.columns / pairing.heads : 1; }

    MapExtents extents_at(Index sequence, bool is_soft) const {
        MapExtents extents{.heads = std::min(together, pairing.batch - sequence) * pairing.heads,
                           .first = first,
                           .queries = pairing.queries,
                           .keys = pairing.keys,
                           .is_soft = is_soft};
        if (graphs->reads_mask) {
            extents.length = key_lengths ? key_lengths[sequence] : pairing.keys;
            extents.causal = causal;
        }
        return extents;
    }

    /// Calls visit(given number, operand) for those that there are.
    template <class Visit>
    void for_each_operand(const MapGraph& graph, const Visit& visit) const {
        for (const MapTensor<Real>& operand : operands) {
            const auto found = std::ranges::find(graph.given, operand.name, &GivenTensor::name);
            if (found != graph.given.end())
                visit(static_cast<std::size_t>(found - graph.given.begin()), operand);
        }
    }

    /// Runs the graphs of all sequences: each(run, first sequence, number of them).
    template <class Each>
    void run_all(Tape<Real>& tape, bool is_soft, const Each& each) const {
        for (Index sequence = 0; sequence < pairing.batch; sequence += together) {
            const MapExtents extents = extents_at(sequence, is_soft);
            const Index count = extents.heads / pairing.heads;
            auto run = graphs->take(extents, pairing.heads, query_width(), key_width());
            const MapGraph& graph = *run->program;
            for (const MapParameter& parameter : graph.parameters)
                for (Index copy = 0; copy < parameter.copies; ++copy)
                    read_trained(tape, parameter.shape, parameter.weight, pairing.heads,
                                 parameter.part_of(std::span(run->numbers[parameter.given]), copy));
            for_each_operand(graph, [&](std::size_t given, const MapTensor<Real>& operand) {
                operand.read(pairing, sequence, count, run->numbers[given]);
            });
            if (graphs->draws)
                graphs->draw(*run, substream(stream, static_cast<std::uint64_t>(sequence)));
            run->values.run();
            each(*run, sequence, count);
            graphs->give_back(extents, std::move(run));
        }
    }
    /// Runs again: the numbers of a run are many times those of its map.
    void run_backward(Tape<Real>& tape) const {
        std::vector<double> of_result;
        run_all(tape, graphs->is_choice, [&](GraphRun<MapGraph>& run, Index sequence, Index count) {
            const MapGraph& graph = *run.program;
            of_result.assign(run.values.of(graph.result).size(), 0.0);
            const MapTensor<Real> gradient{
                {}, {result.all.gradient(), result.all.rows, result.all.columns}, true, result.skipped};
            gradient.read(pairing, sequence, count, of_result);
            run.differentiation.run(run.values, graph.result, of_result);
            for_each_operand(graph, [&](std::size_t given, const MapTensor<Real>& operand) {
                const std::span<const double> of = run.differentiation.of(graph.steps[given]);
                if (operand.all.has_gradient() && !of.empty())
                    operand.add_to(operand.all.gradient(), pairing, sequence, count, of);
            });
            for (const MapParameter& parameter : graph.parameters)
                for (Index copy = 0; copy < parameter.copies; ++copy)
                    add_to_trained(
                        tape, parameter.shape, parameter.weight, pairing.heads,
                        parameter.part_of(run.differentiation.of(graph.steps[parameter.given]), copy));
        });
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

DefinedMap::DefinedMap(const Score& score, const NamedWeights& weights)
    : graphs_(std::make_unique<Graphs>(score, weights)) {}
DefinedMap::DefinedMap(const Normalizer& normalizer, const NamedWeights& weights)
    : graphs_(std::make_unique<Graphs>(normalizer, weights)) {}
DefinedMap::~DefinedMap() = default;

template <class Real>
Variable<Real> DefinedMap::map(Tape<Real>& tape, const Pairing& pairing,
                               const MapOperands<Real>& operands) const {
    const Index rows = pairing.queries + (graphs_->walks ? 1 : 0);
    MapCall<Real, Graphs> call;
    call.graphs = graphs_.get();
    call.pairing = pairing;
    call.first = graphs_->knows_place ? operands.first : 0;
    if (graphs_->is_score)
        call.operands = {{{"query", operands.query, false, call.first},
                          {"key", operands.key, false},
                          {"seen_before", operands.before, true}}};
    else
        call.operands = {{{"scores", operands.scores, true, call.first}, {"start", operands.before, true}}};
    if (!operands.allowed.key_lengths.empty())
        call.key_lengths = tape.room_for_indices(operands.allowed.key_lengths);
    call.causal = operands.allowed.causal;
    call.stream = operands.stream;
    const Index all_rows = call.first + rows;
    const Index of_sequence =
        pairing.heads *
        std::max({all_rows * pairing.keys, all_rows * call.query_width(), pairing.keys * call.key_width()});
    if (!graphs_->draws && !graphs_->reads_mask)
        call.together = std::clamp<Index>(numbers_together / of_sequence, 1, pairing.batch);
    const Variable<Real> map = tape.constant(pairing.batch * pairing.heads * rows, pairing.keys);
    std::fill_n(map.value, map.size(), Real(0));
    call.result = {"result", map, true, call.first};
    bool has_gradient = graphs_->is_choice;
    call.run_all(tape, false, [&](const GraphRun<MapGraph>& run, Index sequence, Index count) {
        const MapGraph& graph = *run.program;
        call.result.add_to(map.value, pairing, sequence, count, run.values.of(graph.result));
        has_gradient = has_gradient || graph.graph.steps()[graph.result].has_gradient;
    });
    if (!has_gradient)
        return map;
    call.result.all = tape.with_gradient(map);
    tape.on_backward([call](Tape<Real>& t) { call.run_backward(t); });
    return call.result.all;
}

template Variable<float> DefinedMap::map(Tape<float>&, const Pairing&, const MapOperands<float>&) const;
template Variable<double> DefinedMap::map(Tape<double>&, const Pairing&, const MapOperands<double>&) const;

}  // namespace headlight::nn
