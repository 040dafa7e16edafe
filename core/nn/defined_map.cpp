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
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace headlight::nn {

namespace {

/// Numbers of a map, of its queries or of its keys, up to which sequences are computed together: next to so
/// many, what an operation of a graph takes for itself is little, and they stay in the processor's cache.
constexpr Index numbers_together = 4096;

constexpr const char* side_of_keys = "key_energy";  // as definitions with an energy call it
constexpr double forbidden_score = -std::numeric_limits<double>::infinity();

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

struct MapGraph : KeptGraph {
    MapGraph(std::shared_ptr<const Plan> its_plan, std::vector<GivenTensor> its_given,
             std::span<const ProgramPart> parts, const std::string& its_result)
        : KeptGraph(std::move(its_plan), std::move(its_given), parts), result(graph.step_of(its_result)) {}

    std::size_t result;
    std::vector<MapParameter> parameters;
};

GivenTensor tensor_of(const char* name, const Extent& extent, double where_none = 0) {
    GivenTensor tensor;
    tensor.name = name;
    tensor.extent = extent;
    tensor.numbers = std::vector<double>(static_cast<std::size_t>(extent.size()), where_none);
    return tensor;
}

Expression map_operand(Composer& composer, const char* name, Index rows, Index columns, double where_none) {
    return composer.program.give(tensor_of(name, {composer.heads, rows, columns}, where_none));
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

/// The part that says what a score makes of the keys, and its line there; the end of the parts where none
/// does.
std::pair<std::vector<ProgramPart>::iterator, std::vector<ProgramLine>::iterator>
find_side(std::vector<ProgramPart>& parts) {
    for (auto part = parts.begin(); part != parts.end(); ++part) {
        const auto line = std::ranges::find(part->assignments, side_of_keys, &ProgramLine::name);
        if (line != part->assignments.end())
            return {part, line};
    }
    return {parts.end(), {}};
}

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

}  // namespace

/// A formula, its parameters, and its graphs.
class DefinedMap::Graphs {
public:
    using Run = std::unique_ptr<GraphRun<MapGraph>>;

    template <class Part>
    Graphs(const Part& part, const NamedWeights& its_weights, Index head_count, Index query_columns,
           Index key_columns)
        : heads(head_count), query_width(query_columns), key_width(key_columns),
          is_score(std::is_same_v<Part, Score>), weights_(its_weights), spec_(spec_with(part, head_count)) {
        const ScoreType score = spec_.score.type;
        const NormalizerComponent* normalizer = component_of(spec_.normalizer.type);
        reads_mask = is_score && (score == ScoreType::multi_token || score == ScoreType::selective);
        draws = spec_.normalizer.type == NormalizerType::gumbel;
        is_choice = draws && option<bool>(spec_.normalizer.options, "hard");
        knows_place = is_score ? score == ScoreType::random_synthesizer : normalizer->reads_place;
        walks = nn::walks(spec_.normalizer);
        is_certain = walks && option<std::string>(spec_.normalizer.options, "alignment") == "hard";
    }

    Index heads, query_width, key_width;  ///< widths of a head; 1 of a normaliser
    bool is_score;
    bool reads_mask;   ///< or what the first head has
    bool draws;        ///< what each sequence has other numbers of
    bool is_choice;    ///< the derivative is that of the soft weights
    bool knows_place;  ///< of a query
    bool walks;
    bool is_certain;  ///< ... and stops without a derivative

    /// The columns of what it makes of each head's keys alone; 0: nothing.
    Index side_width() {
        std::call_once(side_is_known_, [&] {
            const Plan alone = plan_of({.heads = heads, .queries = 1, .keys = 1});
            std::vector<ProgramPart> parts = written(alone).parts();
            if (const auto [part, line] = find_side(parts); part != parts.end())
                side_width_ = line->value.extent().columns;
        });
        return side_width_;
    }

    Run take(const MapExtents& extents) {
        return runs_.take(extents.key(), [&] { return made(extents); });
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

    Plan plan_of(const MapExtents& extents) const {
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
        return plan(spec, inputs, {.keeps = Keeps::output});
    }

    std::shared_ptr<const MapGraph> made(const MapExtents& extents) const {
        auto its_plan = std::make_shared<const Plan>(plan_of(extents));
        const Program program = written(*its_plan);
        std::vector<GivenTensor> given = program.given();
        std::vector<ProgramPart> parts = program.parts();
        if (const auto [part, side] = find_side(parts); extents.has_side) {
            given.push_back(tensor_of(side_of_keys, side->value.extent()));
            part->assignments.erase(side);
        } else if (extents.is_side) {
            part->assignments.erase(side + 1, part->assignments.end());
            parts.erase(part + 1, parts.end());
        }
        if (walks && !is_certain)  // it begins where the queries before have come to
            std::ranges::find(given, "start", &GivenTensor::name)->kind = GivenTensor::Kind::input;
        auto graph = std::make_shared<MapGraph>(std::move(its_plan), std::move(given), parts,
                                                extents.is_side ? side_of_keys : "result");
        const TokenDimensions of_sequence{.query_width = heads * query_width,
                                          .key_width = heads * key_width,
                                          .value_width = heads * key_width,
                                          .queries = extents.all_queries(),
                                          .keys = extents.keys};
        for (const ParameterInfo& info : required_parameters(spec_, of_sequence, {})) {
            const auto found = std::ranges::find(graph->given, info.name, &GivenTensor::name);
            if (found != graph->given.end())
                graph->parameters.push_back({static_cast<std::size_t>(found - graph->given.begin()),
                                             found->extent.size() / element_count(info.shape), info.shape,
                                             weights_[info.name]});
        }
        return graph;
    }

    NamedWeights weights_;
    AttentionSpec spec_;
    std::once_flag side_is_known_;
    Index side_width_ = 0;
    GraphRuns<MapGraph, 9> runs_;
};

namespace {

/// A call as its backward step keeps it.
template <class Real, class Graphs>
struct MapCall {
    Graphs* graphs = nullptr;
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
            if (operand.all.value && found != graph.given.end())
                visit(static_cast<std::size_t>(found - graph.given.begin()), operand);
        }
    }

    /// Runs the graphs of all sequences: each(run, first sequence, number of them), and done(run) behind the
    /// last that a run has. The two leave no gradients in it.
    template <class Each, class Done>
    void run_all(Tape<Real>& tape, bool is_soft, const Each& each, const Done& done) const {
        const Index most = together();
        typename Graphs::Run run;
        MapExtents now;
        const auto finish = [&] {
            if (!run)
                return;
            done(*run);
            graphs->give_back(now, std::move(run));
        };
        for (Index sequence = 0; sequence < pairing.batch; sequence += most) {
            const Index count = std::min(most, pairing.batch - sequence);
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
                    for (Index copy = 0; copy < parameter.copies; ++copy)
                        read_trained(tape, parameter.shape, parameter.weight, pairing.heads,
                                     parameter.part_of(std::span(run->numbers[parameter.given]), copy));
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
    : graphs_(std::make_unique<Graphs>(score, weights, heads, query_width, key_width)) {}
DefinedMap::DefinedMap(const Normalizer& normalizer, const NamedWeights& weights, Index heads)
    : graphs_(std::make_unique<Graphs>(normalizer, weights, heads, Index(1), Index(1))) {}
DefinedMap::~DefinedMap() = default;

template <class Real>
Variable<Real> DefinedMap::map(Tape<Real>& tape, const Pairing& pairing,
                               const MapOperands<Real>& operands) const {
    assert(pairing.heads == graphs_->heads);
    MapCall<Real, Graphs> call;
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
    MapCall<Real, Graphs> call;
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
