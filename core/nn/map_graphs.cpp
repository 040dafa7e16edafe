#include "core/nn/map_graphs.h"

#include "core/attention/assembly.h"
#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/options.h"
#include "core/attention/scores/defined_scores.h"
#include "core/nn/attention_parts.h"
#include "core/nn/defined_map.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace headlight::nn {

namespace {

constexpr double forbidden_score = -std::numeric_limits<double>::infinity();

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

bool reads_place(const Normalizer& normalizer) {
    const NormalizerComponent* component = component_of(normalizer.type);
    return component && component->reads_place;
}

}  // namespace

MapGraphs::MapGraphs(const Score& score, const NamedWeights& weights, Index head_count, Index query_columns,
                     Index key_columns)
    : heads(head_count), query_width(query_columns), key_width(key_columns), is_score(true),
      reads_mask(score.type == ScoreType::multi_token || score.type == ScoreType::selective), draws(false),
      is_choice(false), knows_place(score.type == ScoreType::random_synthesizer), walks(false),
      is_certain(false), weights_(weights), spec_(spec_with(score, head_count)) {}

MapGraphs::MapGraphs(const Normalizer& normalizer, const NamedWeights& weights, Index head_count)
    : heads(head_count), query_width(1), key_width(1), is_score(false), reads_mask(false),
      draws(normalizer.type == NormalizerType::gumbel), is_choice(draws && normalizer.options.flag("hard")),
      knows_place(reads_place(normalizer)), walks(nn::walks(normalizer)),
      is_certain(walks && normalizer.options.word("alignment") == "hard"), weights_(weights),
      spec_(spec_with(normalizer, head_count)) {}

Index MapGraphs::side_width() {
    std::call_once(side_is_known_, [&] {
        const Plan alone = plan_of({.heads = heads, .queries = 1, .keys = 1});
        std::vector<ProgramPart> parts = written(alone).parts();
        if (const auto [part, line] = find_side(parts); part != parts.end())
            side_width_ = line->value.extent().columns;
    });
    return side_width_;
}

void MapGraphs::draw(GraphRun<MapGraph>& run, std::uint64_t seed) const {
    Plan drawn = *run.program->plan;
    drawn.seed = seed;
    const Program program = written(drawn);
    for (std::size_t i = 0; i < program.given().size(); ++i)
        if (MapGraph::is_constant(program.given()[i]))
            std::ranges::copy(program.given()[i].numbers.all(), run.numbers[i].begin());
}

Program MapGraphs::written(const Plan& plan) const {
    Program program;
    Composer composer(plan, program);
    composer.let("result", is_score ? define_score_map(composer) : define_weight_map(composer));
    return program;
}

Plan MapGraphs::plan_of(const MapExtents& extents) const {
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

std::shared_ptr<const MapGraph> MapGraphs::made(const MapExtents& extents) const {
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
    // Each run sets what it draws, and where a walk begins that stops for certain.
    const auto is_of_run = [&](const GivenTensor& tensor) {
        return draws || (walks && tensor.name == "start");
    };
    auto graph = std::make_shared<MapGraph>(std::move(its_plan), std::move(given), parts,
                                            extents.is_side ? side_of_keys : "result", is_of_run);
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

}  // namespace headlight::nn
