#pragma once

#include "core/attention/algorithms/pooled_rows.h"
#include "core/attention/component.h"
#include "core/attention/widths.h"
#include "core/tensor/error.h"

namespace headlight {

// What mechanisms share in which one layer of attention reads something of those below it. They are a few
// layers inside: what a layer finds is added to what it was given, and the layer above reads the sum; the
// context is what the last layer finds. Feed-forward layers and norms, which look at each token alone, are
// left out. The first layer has the matrices of the spec; those of the layers above lie one below the other
// in parameters of their own, and without projections there are none.

inline Index inner_layers(const Plan& plan) { return plan.algorithm().count("layers"); }

/// x W, W the matrix number `index` of those that lie one below the other in this parameter.
inline Expression projected_by_layer(Composer& composer, const Expression& x, const std::string& matrices,
                                     Index index) {
    const Index width = x.extent().columns;
    return product(x, some_rows(composer.parameter(matrices), counted(index * width, width)));
}

/// Queries or keys of a layer, turned by their places where the spec's position turns vectors.
inline Expression turned_in_layer(Composer& composer, const std::string& name, const Expression& x,
                                  bool is_key) {
    const PositionComponent* position = position_with(composer.plan.spec, &PositionComponent::define_turn);
    return position ? position->define_turn(composer, name, x, is_key) : x;
}

/// Returns the queries [h, n, d_k] of the layer `layer`, 1, 2, ..., of vectors [n, d]. `stream` begins their
/// name where a layer has several.
inline Expression write_layer_queries(Composer& composer, const Expression& x, Index layer,
                                      const std::string& stream = "layer") {
    const std::string name = numbered((stream + "_query_").c_str(), layer);
    const bool is_projected = layer > 1 && projects_values(composer.plan.spec);
    const Expression queries =
        layer == 1 ? queries_of_rows(composer, x)
                   : split_heads(is_projected ? projected_by_layer(composer, x, "W_q_layers", layer - 2) : x,
                                 composer.heads);
    return turned_in_layer(composer, name, composer.let(name, queries, "what this layer asks"), false);
}

struct KeysAndValues {
    Expression key;    ///< [h, m, d_k], as they meet the queries
    Expression value;  ///< [h, m, d_v]
};

/// Those of the layer `layer`, 1, 2, ..., of vectors [m, d], which the first layer does not read anew.
inline KeysAndValues write_layer_keys(Composer& composer, const Expression& x, Index layer) {
    if (layer == 1)
        return {composer.key, composer.value};
    const AttentionSpec& spec = composer.plan.spec;
    const auto projected = [&](const Expression& from, const char* matrices) {
        return read_by_heads(
            composer, projects_values(spec) ? projected_by_layer(composer, from, matrices, layer - 2) : from);
    };
    const std::string name = numbered("layer_key_", layer);
    const Expression key = composer.let(
        name, projected(x, spec.heads.sharing == Sharing::query_key ? "W_q_layers" : "W_k_layers"),
        "the keys of this layer");
    const auto value = [&] {
        if (spec.heads.sharing == Sharing::key_value)
            return key;
        const bool has_second = spec.source.type == SourceType::cross;  // which stays as it is
        return composer.let(numbered("layer_value_", layer),
                            projected(has_second ? value_tokens_of(composer) : x, "W_v_layers"),
                            "the values of this layer");
    };
    return {turned_in_layer(composer, name, key, true), value()};
}

/// What the layer `layer` adds to its input [n, d], of its context [h, n, d_v].
inline Expression added_by_layer(Composer& composer, const Expression& context, Index layer) {
    const Expression joined = join_heads(context);
    return projects_output(composer.plan.spec) ? projected_by_layer(composer, joined, "W_o_layers", layer - 1)
                                               : joined;
}

/// The maps of all layers side by side, where there are several.
inline void write_layer_maps(Composer& composer, const std::vector<Expression>& maps) {
    if (maps.size() > 1)
        composer.let("layer_weights", join_columns(maps), "of all layers, side by side");
}

inline void check_inner_layers(const Plan& plan, const std::string& algorithm) {
    if (inner_layers(plan) > 1 && !projects_output(plan.spec) &&
        plan.context_width() != plan.tokens.query_width)
        throw Error({algorithm, "values",
                     "as many features over all heads as a token has, " +
                         std::to_string(plan.tokens.query_width) +
                         ", for a layer adds what it finds to what it was given",
                     std::to_string(plan.context_width())});
}

inline void add_layer_parameters(const Plan& plan, ParameterList& list) {
    const Index above = inner_layers(plan) - 1;
    if (above < 1)
        return;
    if (projects_values(plan.spec)) {
        const Sharing sharing = plan.spec.heads.sharing;
        list.add("W_q_layers", {above * plan.tokens.query_width, plan.query_width});
        if (sharing != Sharing::query_key)
            list.add("W_k_layers", {above * plan.tokens.key_width, plan.key_width});
        if (sharing != Sharing::key_value)
            list.add("W_v_layers", {above * plan.tokens.value_width, plan.value_width});
    }
    if (projects_output(plan.spec))
        list.add("W_o_layers", {above * plan.context_width(), plan.tokens.query_width});
}

inline std::vector<KnownParameter> layer_parameter_names() {
    return {{"W_q_layers", "[(layers − 1) d, h d_k]",
             "projects the input of each layer but the first to its queries, layer below layer"},
            {"W_k_layers", "[(layers − 1) d, h_kv d_k]",
             "projects what each layer but the first looks at to its keys, layer below layer"},
            {"W_v_layers", "[(layers − 1) d, h_kv d_v]",
             "projects what each layer but the first looks at to its values, layer below layer"},
            {"W_o_layers", "[(layers − 1) h d_v, d]",
             "projects what each layer but the last has found, layer below layer"}};
}

inline Option inner_layers_option(Index standard) {
    return count_option(
        "layers", "Layers", standard, {1, 6},
        "How many layers of attention stand one above the other; the map shown is that of the last one.");
}

// Their stages.

inline DeclaredStage declared_last_scores(const std::string& subtitle, const std::string& operation) {
    return declared_scores_stage({subtitle, {{"query"}, keys_of("key", "and")}, operation});
}

inline DeclaredStage declared_layer_maps(const std::string& subtitle) {
    return made_stage("layer_weights", "Weights of all layers",
                      {subtitle, {{"query"}, keys_of("key", "and")}, "layer by\nlayer\n→"},
                      {.lights = "weights", .has_features = true, .column = "key", .is_share = true});
}

inline DeclaredStage declared_last_context(const std::string& subtitle) {
    return declared_own_context_stage({subtitle, {{"weights"}}, "× values\n→"});
}

}  // namespace headlight
