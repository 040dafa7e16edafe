#include "core/attention/algorithms/inner_layers.h"
#include "core/attention/algorithms/row_norms.h"

namespace headlight {
namespace {

/// What a layer reads of those below it, beside their sum.
std::string layer_link(const AttentionSpec& spec) { return spec.algorithm.options.word("link"); }
bool layers_share_values(const AttentionSpec& spec) { return layer_link(spec).ends_with("values"); }
bool has_query_layers(const AttentionSpec& spec) { return spec.algorithm.options.flag("among"); }

/// Queries look at each other before they look at the keys, in one sequence under its mask: what that adds to
/// them, [n, d].
Expression write_looks_among(Composer& composer, const Expression& x, Index layer,
                             const std::string& suffix) {
    const bool has_matrices = projects_values(composer.plan.spec);
    const auto vectors = [&](const char* matrices) {
        return split_heads(has_matrices ? projected_by_layer(composer, x, matrices, layer - 1) : x,
                           composer.heads);
    };
    const Expression query = composer.let("among_query" + suffix, vectors("W_q_among")),
                     key = composer.let("among_key" + suffix, vectors("W_k_among")),
                     value = composer.let("among_value" + suffix, vectors("W_v_among"));
    const Expression scores = composer.let("among_scores" + suffix,
                                           product_transposed(query, key) /
                                               root_of(static_cast<double>(composer.plan.head_query_width())),
                                           "what each query asks of the others");
    const bool is_one_sequence = composer.plan.spec.source.type == SourceType::self;
    const Expression weights = softmax_of(composer, "among_weights" + suffix,
                                          is_one_sequence ? composer.open_or_forbidden(scores) : scores);
    const Expression found = join_heads(product(weights, value));
    return composer.let("found_among" + suffix,
                        has_matrices ? projected_by_layer(composer, found, "W_o_among", layer - 1) : found,
                        "what the queries find in each other");
}

/// The values of a layer above the first with those of the first (Zhou et al. 2025).
Expression write_mixed_values(Composer& composer, const Expression& value, const Expression& asking,
                              Index layer, const std::string& suffix) {
    const std::string link = layer_link(composer.plan.spec);
    const auto mixed = [&](const Expression& x) {
        return composer.let("mixed_values" + suffix, x, "with the values of the first layer");
    };
    if (link == "values")
        return mixed((composer.value + value) / 2);
    if (link == "learned_values") {
        const Expression shares = some_rows(composer.parameter("value_shares"), {layer - 2});
        return mixed(some_columns(shares, {0}) * composer.value + some_columns(shares, {1}) * value);
    }
    const Expression gate = composer.let(
        "value_mix" + suffix,
        sigmoid_of(read_by_heads(composer, projected_by_layer(composer, asking, "W_value_gate", layer - 2) +
                                               some_rows(composer.parameter("b_value_gate"), {layer - 2}))),
        "how much of its own value each token keeps");
    return mixed(gate * value + (1 - gate) * composer.value);
}

constexpr double added_depth_square = 1e-6;  // as the authors’ code adds it

/// Attention over depth: what each layer reads of the outputs of all below it.
class LooksDown {
public:
    explicit LooksDown(Composer& composer) : composer_(composer) {}

    /// Adds an output [n, d] of a layer, first of all the tokens.
    void add(const Expression& output) {
        const std::string name = numbered("normalized_output_", static_cast<Index>(outputs_.size()));
        normalized_.push_back(over_root_mean_square(composer_, name, output, added_depth_square,
                                                    "over the root mean square of its row"));
        outputs_.push_back(output);
    }
    /// The input of the layer above those that were added: h = Σ softmax(w · RMSNorm(v)) v, token by token.
    Expression write_input(const std::string& suffix) {
        const auto layer = static_cast<Index>(outputs_.size());  // 2 and more: the first reads the tokens
        const Expression asks = some_rows(composer_.parameter("w_depth"), {layer - 2});
        std::vector<Expression> scores;
        for (const Expression& each : normalized_)
            scores.push_back(sum_of_columns(each * asks));
        const Expression weights =
            softmax_of(composer_, "depth_weights" + suffix,
                       composer_.let("depth_scores" + suffix, join_columns(scores),
                                     "how much each token wants of the output of each layer below"));
        rows_.push_back(weights);
        Expression sum = some_columns(weights, {0}) * outputs_[0];
        for (Index below = 1; below < layer; ++below)
            sum = sum + some_columns(weights, {below}) * outputs_[static_cast<std::size_t>(below)];
        return composer_.let("layer_input" + suffix, sum, "outputs of the layers below");
    }
    /// Means over the tokens of the weights of each layer, [layers, layers].
    void write_map() {
        const auto layers = static_cast<Index>(rows_.size()) + 1;
        const auto padded = [&](std::vector<Expression> parts, Index filled) {
            if (filled < layers)
                parts.push_back(composer_.zeros(numbered("not_below_", filled), {0, 1, layers - filled},
                                                "layers that are not below"));
            return all_columns(parts);
        };
        std::vector<Expression> rows{
            padded({composer_.constant("tokens_alone", {0, 1, 1}, "the first layer reads the tokens",
                                       [](Index, Index, Index) { return 1.0; })},
                   1)};
        for (const Expression& each : rows_)
            rows.push_back(padded({mean_of_rows(each)}, each.extent().columns));
        composer_.let("depth_map", join_rows(std::move(rows)),
                      "what each layer reads, the mean over the tokens");
    }

private:
    Composer& composer_;
    std::vector<Expression> outputs_, normalized_, rows_;
};

Expression define_layer_stack(Composer& composer) {
    const AttentionSpec& spec = composer.plan.spec;
    const Index layers = inner_layers(composer.plan);
    const bool looks_down = layer_link(spec) == "outputs" && layers > 1;
    const bool is_one_sequence = spec.source.type == SourceType::self;
    LooksDown depth(composer);
    if (looks_down)
        depth.add(composer.query_tokens);
    Expression input = composer.query_tokens;
    std::optional<Expression> scores_below;
    std::vector<Expression> maps;
    for (Index layer = 1;; ++layer) {
        const bool is_last = layer == layers;
        const std::string suffix = is_last ? "" : numbered("_", layer);
        const std::string next = layer + 1 == layers ? "" : numbered("_", layer + 1);
        std::optional<Expression> added;
        Expression asking = input;
        if (has_query_layers(spec)) {
            added = write_looks_among(composer, input, layer, suffix);
            asking = composer.let("asking" + suffix, input + *added, "queries that have seen each other");
        }
        const Expression query = layer == 1 && !has_query_layers(spec)
                                     ? composer.query
                                     : write_layer_queries(composer, asking, layer);
        const KeysAndValues of_layer =
            write_layer_keys(composer, is_one_sequence ? input : composer.key_tokens, layer);
        const Expression products = scaled_products(composer, query, of_layer.key);
        const Expression scores =
            layer_link(spec) == "scores" && layer > 1
                ? composer.let("scores" + suffix,
                               composer.let("layer_scores" + suffix, products, "q · k / √d of this layer") +
                                   *scores_below,
                               "with the scores of the layer below")
                : composer.let("scores" + suffix, products, "q · k / √d");
        scores_below = scores;
        const Expression weights = softmax_of_open(composer, "weights" + suffix, scores);
        maps.push_back(weights);
        const Expression value = layer > 1 && layers_share_values(spec)
                                     ? write_mixed_values(composer, of_layer.value, input, layer, suffix)
                                     : of_layer.value;
        const Expression context =
            composer.let("context" + suffix, product(weights, value), "the values that each query gets");
        if (is_last) {
            write_layer_maps(composer, maps);
            if (looks_down)
                depth.write_map();
            return context;
        }
        const Expression found = added_by_layer(composer, context, layer);
        const Expression output = added ? *added + found : found;
        if (looks_down) {
            depth.add(composer.let(numbered("layer_output_", layer), output, "what this layer has found"));
            input = depth.write_input(next);
        } else {
            input = composer.let("layer_input" + next, input + output, "with what the layer below has found");
        }
    }
}

void add_layer_stack_parameters(const Plan& plan, ParameterList& list) {
    const Index layers = inner_layers(plan), above = layers - 1, width = plan.tokens.query_width;
    const std::string link = layer_link(plan.spec);
    add_layer_parameters(plan, list);
    if (above > 0 && link == "learned_values")
        list.add("value_shares", {above, 2}, 0.5);
    if (above > 0 && link == "gated_values") {
        list.add("W_value_gate", {above * width, plan.kv_heads});
        list.add("b_value_gate", {above, plan.kv_heads}, 0.0);
    }
    if (above > 0 && link == "outputs")
        list.add("w_depth", {above, width});
    if (has_query_layers(plan.spec) && projects_values(plan.spec)) {
        for (const char* matrices : {"W_q_among", "W_k_among", "W_v_among"})
            list.add(matrices, {layers * width, plan.query_width});
        list.add("W_o_among", {layers * plan.query_width, width});
    }
}

void check_layer_stack(const Plan& plan) {
    check_inner_layers(plan, "layer_stack");
    if (layer_link(plan.spec) == "gated_values")
        require_one_sequence(plan, "layer_stack", "a token gates its own value");
}

std::vector<DeclaredStage> layer_stack_stages() {
    return {
        made_stage("among_weights", "Weights among the queries",
                   {"what they take from each other, in the last layer",
                    {optional_stage("layer_input"), {"query"}},
                    "q · k / √d,\nsoftmax\n→"},
                   {.lights = "query", .has_features = true, .is_share = true}),
        made_stage("layer_scores", "Scores of the layer alone",
                   {"q · k / √d of the last layer", {{"layer_input"}}, "q · k / √d\n→"},
                   {.lights = "scores", .role = StageRole::scores}),
        declared_last_scores("of the last layer", "layer by\nlayer\n→"),
        declared_weights_stage(),
        made_stage(
            "value_mix", "Gate of the values",
            {"how much of its own value each token keeps in the last layer", {{"layer_input"}}, "W, σ\n→"},
            {.lights = "mixed_values", .is_of_keys = true, .has_features = true, .is_share = true}),
        made_stage("mixed_values", "Mixed values",
                   {"of the last layer and of the first", {keys_of("value")}, "and those of\nthe layer\n→"},
                   {.colours_of = "value", .lights = "context", .is_of_keys = true}),
        declared_layer_maps("the first layer’s columns first"),
        made_stage("depth_weights", "Weights over depth",
                   {"what the last layer reads: a column for the tokens and for each layer below",
                    {{"query"}},
                    "w · RMSNorm(v),\nsoftmax\n→"},
                   {.lights = "layer_input", .has_features = true, .column = "layer", .is_share = true}),
        made_stage("depth_map", "Layers that layers read",
                   {"a row for each layer, the mean over the tokens",
                    {{"depth_weights"}},
                    "mean over\nthe tokens\n→"},
                   between_parts("layer", "layer", {.lights = "layer_input", .is_share = true})),
        made_stage(
            "layer_input", "Input of the last layer",
            {"made of the tokens and of what the layers below have found", {{"query"}}, "layer by\nlayer\n→"},
            {.lights = "query", .has_features = true}),
        declared_last_context("what the last layer finds"),
    };
}

}  // namespace

AlgorithmComponent declare_algorithms_layer_stack() {
    AlgorithmComponent component;
    component.meaning =
        "x ← x + softmax(q · k / √d) v W_o, layer by layer, where a layer also reads something of those "
        "below: their scores, S ← q · k / √d + S of the layer below (RealFormer, He et al. 2021); the values "
        "of the first layer, v ← (v + v₁) / 2 (ResFormer, Zhou et al. 2025); or, in place of the sum, their "
        "outputs, Σ softmax(w · RMSNorm(v)) v (Attention Residuals, Kimi Team 2026)";
    component.options = {
        inner_layers_option(2),
        word_option("link", "Link", {"none", "scores", "values", "learned_values", "gated_values", "outputs"},
                    "What a layer reads of those below, beside their sum. The scores of the layer below, "
                    "which are added to its own; the values of the first layer, in equal parts with its own, "
                    "in parts that are learned, or by a gate of each token; or, in place of the sum, the "
                    "outputs of all layers below, each token by weights of its own."),
        flag_option("among", "Queries see each other", false,
                    "In every layer queries look at each other before they look at the second sequence, as "
                    "in a decoder whose queries are learned; in one sequence under the same mask.")};
    component.known_parameters = layer_parameter_names();
    append(component.known_parameters,
           {{"value_shares", "[layers − 1, 2]",
             "how much of the first layer’s values and of its own each layer takes"},
            {"W_value_gate", "[(layers − 1) d, h_kv]",
             "the gate between a layer’s own values and those of the first"},
            {"b_value_gate", "[layers − 1, h_kv]", "is added before its sigmoid"},
            {"w_depth", "[layers − 1, d]", "what each layer looks for in the outputs of those below it"},
            {"W_q_among", "[layers d, h d_k]", "queries of each layer’s queries, which look at each other"},
            {"W_k_among", "[layers d, h d_k]", "keys of each layer’s queries, which look at each other"},
            {"W_v_among", "[layers d, h d_k]", "values of each layer’s queries, which look at each other"},
            {"W_o_among", "[layers h d_k, d]", "projects what they have found there"}});
    component.parameters = add_layer_stack_parameters;
    component.check = check_layer_stack;
    component.takes_any_mask = true;
    component.changes_context = [](const AttentionSpec& spec) {
        // Without matrices a layer above gives the values of a second sequence as they are.
        const bool gives_values = spec.source.type == SourceType::cross &&
                                  spec.projections.type == ProjectionType::none &&
                                  !spec.algorithm.options.word("link").ends_with("values");
        return spec.algorithm.options.count("layers") > 1 && !gives_values;
    };
    component.declared_stages = layer_stack_stages();
    component.define = define_layer_stack;
    component.reads_one_sequence = [](const AttentionSpec& spec) {
        return spec.algorithm.options.count("layers") > 1
                   ? "upper layers make keys of what the layers below have found here"
                   : nullptr;
    };
    return component;
}

}  // namespace headlight
