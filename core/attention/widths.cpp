#include "core/attention/widths.h"

#include "core/attention/component.h"
#include "core/attention/kernel_scores.h"
#include "core/attention/spec_words.h"
#include "core/tensor/error.h"

#include <optional>

namespace headlight {
namespace {

using Given = std::map<std::string, Tensor>;

/// Extent of one axis of a given parameter; nothing when the parameter is not given.
std::optional<Index> extent_of(const Given& given, const std::string& name, Index rank, Index axis) {
    const auto found = given.find(name);
    if (found == given.end())
        return {};
    if (found->second.rank() != rank || found->second.empty())
        throw Error({"parameter", name, rank == 1 ? "a vector" : "a matrix",
                     "a tensor of shape " + to_string(found->second.shape())});
    return found->second.extent(axis);
}

std::optional<Index> columns(const Given& given, const std::string& name) {
    return extent_of(given, name, 2, 1);
}
std::optional<Index> rows(const Given& given, const std::string& name) {
    return extent_of(given, name, 2, 0);
}
std::optional<Index> length(const Given& given, const std::string& name) {
    return extent_of(given, name, 1, 0);
}

Index first_of(std::initializer_list<std::optional<Index>> choices, Index otherwise) {
    for (const auto& choice : choices)
        if (choice)
            return *choice;
    return otherwise;
}

bool is_product(ScoreType type) {
    if (const ScoreComponent* component = component_of(type))
        return component->compares_widths;
    return kernel_score(type)->compares_widths;
}

void require_positive(const std::optional<Index>& extent, const std::string& where) {
    if (extent && *extent < 1)
        throw Error({"attention spec", where, "1 or more", std::to_string(*extent)});
}

void require_divisible(Index width, Index heads, const std::string& what) {
    if (width % heads == 0)
        return;
    std::vector<std::string> fitting{"1"};
    for (Index number = 2; number <= width; ++number)
        if (width % number == 0)
            fitting.push_back(std::to_string(number));
    throw Error({"split into heads", what,
                 list_in_words(fitting, "or") + " heads for rows of " + std::to_string(width) +
                     " numbers, or change the dimension to one that " + std::to_string(heads) +
                     " heads divide evenly",
                 std::to_string(heads) + " heads"});
}

Index attention_width(const AttentionSpec& spec, const Given& given, Index head_query_width) {
    if (spec.score.type == ScoreType::concat)
        return first_of({spec.score.attention_dimension, length(given, "v"), columns(given, "W")},
                        head_query_width);
    const ScoreComponent* component = component_of(spec.score.type);
    if (spec.score.type == ScoreType::additive || (component && component->attention_width))
        return first_of({spec.score.attention_dimension, length(given, "v"), columns(given, "W_1"),
                         columns(given, "W_2")},
                        head_query_width);
    return 0;
}

/// Vectors that are the same have one width.
void share(const AttentionSpec& spec, const TokenDimensions& tokens, Widths& widths) {
    if (spec.heads.sharing == Sharing::query_key) {
        if (tokens.query_width != tokens.key_width)
            throw Error({"shared queries and keys", "", "token vectors of one width for queries and keys",
                         std::to_string(tokens.query_width) + " and " + std::to_string(tokens.key_width)});
        if (spec.heads.kv_count() != spec.heads.count())
            throw Error({"shared queries and keys", "heads.sharing", "as many heads of keys as of queries",
                         std::to_string(spec.heads.kv_count())});
        widths.key = widths.query;
    }
    if (spec.heads.sharing == Sharing::key_value)
        widths.value = widths.key;
}

/// A product of q and k needs them equally long in every head.
void require_equal_widths(const AttentionSpec& spec, const Widths& widths) {
    const Index heads = spec.heads.count(), kv_heads = spec.heads.kv_count();
    if (widths.query * kv_heads == widths.key * heads)
        return;
    const std::string grouped = kv_heads == heads ? ""
                                                  : " in each of " + std::to_string(heads) + " and " +
                                                        std::to_string(kv_heads) + " heads";
    throw Error({to_word(spec.score.type) + " score", "", "queries and keys of one width" + grouped,
                 "queries of width " + std::to_string(widths.query) + " and keys of width " +
                     std::to_string(widths.key) + " (general, concat and additive scores accept that)"});
}

}  // namespace

bool projects_values(const AttentionSpec& spec) { return spec.projections.type == ProjectionType::learned; }

bool projects_queries(const AttentionSpec& spec) {
    return projects_values(spec) && spec.score.type != ScoreType::self_similarity;
}

bool projects_output(const AttentionSpec& spec) {
    return projects_values(spec) && spec.heads.type != HeadsType::single && !makes_output(spec);
}

bool makes_output(const AttentionSpec& spec) {
    const AlgorithmComponent* algorithm = component_of(spec.algorithm.type);
    return algorithm && algorithm->makes_output && algorithm->makes_output(spec);
}

bool makes_keys_and_values(const AttentionSpec& spec) {
    const AlgorithmComponent* algorithm = component_of(spec.algorithm.type);
    return algorithm && algorithm->makes_keys_and_values;
}

Widths widths_of(const AttentionSpec& spec, const TokenDimensions& tokens, const Given& given) {
    const Index heads = spec.heads.count();
    const Index kv_heads = spec.heads.kv_count();
    if (heads < 1)
        throw Error({"attention spec", "heads.heads", "1 or more", std::to_string(heads)});
    if (kv_heads < 1 || heads % kv_heads != 0)
        throw Error({"attention spec", "heads.kv_heads",
                     "a number that divides the " + std::to_string(heads) + " heads",
                     std::to_string(kv_heads)});
    require_positive(spec.projections.dimension, "projections.dimension");
    require_positive(spec.score.attention_dimension, "score.attention_dimension");

    Widths widths;
    widths.query = tokens.query_width;
    widths.key = tokens.key_width;
    widths.value = tokens.value_width;
    const auto wanted = projects_values(spec) ? spec.projections.dimension : std::optional<Index>();
    if (projects_queries(spec)) {
        const auto from_query = columns(given, "W_q");
        const auto from_key = columns(given, "W_k");
        const auto for_query = is_product(spec.score.type) ? from_key : std::optional<Index>();
        const auto shared = [&](Index over_heads) { return over_heads / heads * kv_heads; };
        if (for_query)
            require_divisible(*for_query, kv_heads, "keys");
        widths.query = first_of({wanted, from_query, for_query ? *for_query / kv_heads * heads : for_query},
                                tokens.query_width);
        require_divisible(widths.query, heads, "queries");
        widths.key = shared(widths.query);
        if (!wanted && from_key)
            widths.key = *from_key;
    }
    if (projects_values(spec)) {
        const auto into_output = projects_output(spec) ? rows(given, "W_o") : std::optional<Index>();
        // What the heads' contexts make side by side, cut to the heads of values.
        const Index over_heads =
            first_of({into_output, wanted}, projects_queries(spec) ? widths.query : tokens.query_width);
        require_divisible(over_heads, heads, "values");
        widths.value = first_of({columns(given, "W_v")}, over_heads / heads * kv_heads);
    }
    share(spec, tokens, widths);
    if (is_product(spec.score.type))
        require_equal_widths(spec, widths);
    require_divisible(widths.query, heads, "queries");
    require_divisible(widths.key, kv_heads, "keys");
    require_divisible(widths.value, kv_heads, "values");
    widths.output = projects_output(spec) ? first_of({columns(given, "W_o")}, tokens.query_width)
                                          : widths.value / kv_heads * heads;
    widths.attention = attention_width(spec, given, widths.query / heads);
    return widths;
}

}  // namespace headlight
