#include "core/attention/algorithms/inner_layers.h"
#include "core/attention/position.h"

namespace headlight {
namespace {

/// Vectors [n, d] that know their place and not their token: w, and what the position adds to tokens.
Expression write_first_query_stream(Composer& composer) {
    const std::vector<Index> first(static_cast<std::size_t>(composer.plan.queries), 0);
    const Expression all = some_rows(composer.parameter("w_stream"), first);
    return composer.let("stream_1",
                        adds_to_tokens(composer.plan.spec) ? all + composer.program.tensor("position") : all,
                        "a learned vector at the place of each token");
}

/// Two streams with the same matrices (Yang et al. 2019, section 2.3): that of the contents h, in which a
/// token sees itself, and that of the queries g, which looks at h and in which it does not.
Expression define_two_stream(Composer& composer) {
    const Index layers = inner_layers(composer.plan);
    const Expression is_before = composer.pairs_where(
        "is_before", "other tokens that the mask lets a token see",
        [](Index query, Index key) { return query != key; }, "i != j");
    const auto scores_of = [&](const std::string& name, const Expression& query, const Expression& key) {
        return composer.let(name, scaled_products(composer, query, key), "q · k / √d");
    };
    Expression content = composer.query_tokens, stream = write_first_query_stream(composer);
    std::vector<Expression> maps;
    for (Index layer = 1;; ++layer) {
        const bool is_last = layer == layers;
        const std::string suffix = is_last ? "" : numbered("_", layer);
        const KeysAndValues of_layer = write_layer_keys(composer, content, layer);
        const Expression scores = scores_of(
            "scores" + suffix, write_layer_queries(composer, stream, layer, "stream"), of_layer.key);
        const Expression weights =
            softmax_of(composer, "weights" + suffix, choose(is_before, scores, minus_infinity()));
        maps.push_back(weights);
        const Expression content_query =
            layer == 1 ? composer.query : write_layer_queries(composer, content, layer, "content");
        const Expression content_stream_weights =
            softmax_of_open(composer, "content_stream_weights" + suffix,
                            scores_of("content_stream_scores" + suffix, content_query, of_layer.key));
        const Expression context = composer.let("context" + suffix, product(weights, of_layer.value),
                                                "what each place gets from the others");
        if (is_last) {
            write_layer_maps(composer, maps);
            return context;
        }
        stream = composer.let(layer + 1 == layers ? "query_stream" : numbered("stream_", layer + 1),
                              stream + added_by_layer(composer, context, layer),
                              "with what the layer below has found");
        content = composer.let(
            numbered("content_", layer + 1),
            content + added_by_layer(composer, product(content_stream_weights, of_layer.value), layer),
            "tokens with what the layer below has found");
    }
}

}  // namespace

AlgorithmComponent declare_algorithms_two_stream() {
    AlgorithmComponent component;
    component.meaning =
        "h ← h + softmax(q(h) · k(h) / √d) v(h) over the tokens that the mask lets see, and g ← g + softmax("
        "q(g) · k(h) / √d) v(h) over the same without the token itself; h begins as the tokens, g as a "
        "learned vector with the place of each (XLNet, Yang et al. 2019, section 2.3)";
    component.options = {inner_layers_option(2)};
    component.known_parameters = layer_parameter_names();
    component.known_parameters.push_back(
        {"w_stream", "[d]", "what the stream of queries begins with at every place"});
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("w_stream", {plan.tokens.query_width});
        add_layer_parameters(plan, list);
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "two_stream", "a place looks at the tokens that stand around its own");
        check_inner_layers(plan, "two_stream");
        if (term_is_of_tokens(plan.spec))
            throw Error({"two_stream", "position",
                         "one that goes by places: the stream of queries must not know the tokens",
                         "one that is made of tokens"});
    };
    component.takes_any_mask = true;
    component.changes_context = [](const AttentionSpec& spec) {
        return spec.algorithm.options.count("layers") > 1;
    };
    component.declared_stages = {
        declared_last_scores("of the query stream in the last layer", "place and\ntokens\n→"),
        declared_weights_stage({"of the query stream: no place looks at its own token",
                                {{"scores"}},
                                "softmax over\nthe others\n→"},
                               {.is_share = true}),
        made_stage(
            "content_stream_weights", "Weights of the content stream",
            {"in the last layer: a token sees itself as well",
             {{"query"}, keys_of("key", "and")},
             "layer by\nlayer\n→"},
            {.lights = "weights", .role = StageRole::weights, .is_share = true, .leaves_out_masked = true}),
        declared_layer_maps("of the query stream, the first layer’s columns first"),
        made_stage("query_stream", "Query stream",
                   {"g, as the last layer reads it", {{"weights"}}, "of the layers\nbelow, × V\n→"},
                   {.lights = "weights", .has_features = true}),
        declared_last_context("what each place gets from the others")};
    component.define = define_two_stream;
    return component;
}

}  // namespace headlight
