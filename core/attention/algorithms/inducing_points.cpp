#include "core/attention/algorithms/inner_layers.h"
#include "core/attention/algorithms/points.h"
#include "core/attention/algorithms/row_norms.h"

#include <algorithm>

namespace headlight {
namespace {

Index points_of(const Plan& plan) { return plan.algorithm().count("points"); }
Index layers_of_points(const AttentionSpec& spec) { return spec.algorithm.options.count("layers"); }
std::string point_blocks(const AttentionSpec& spec) { return spec.algorithm.options.word("block"); }
bool has_point_blocks(const AttentionSpec& spec) { return point_blocks(spec) != "none"; }

/// H = Q + O and H + relu(H W + b) of what asks and what it has found, each with a norm behind it where the
/// spec says so: MAB of Lee et al. 2019, equations 6 and 7. `name` is that of the matrix.
Expression write_attention_block(Composer& composer, const std::string& name, const Expression& asks,
                                 const Expression& found) {
    const bool is_normed = point_blocks(composer.plan.spec) == "normed";
    const Expression sum =
        join_heads(composer.let(name + "_residual", asks + found, "what asked, and what it found"));
    const Expression first = is_normed ? layer_normalized(composer, name + "_first_norm", sum) : sum;
    const Expression layered = composer.let(
        name + "_layered", first + relu_of(composer.projected(first, "W_of_" + name, "b_of_" + name)),
        "beside a layer of both");
    return split_heads(is_normed ? layer_normalized(composer, name + "_second_norm", layered) : layered,
                       composer.heads);
}

/// A layer in which the points look at each other (Jaegle et al. 2021): what they have then, [h, s, d_v].
Expression write_look_of_points(Composer& composer, const Expression& state, Index layer,
                                const std::string& suffix) {
    const Expression joined = join_heads(state);
    const auto vectors = [&](const char* name, const char* matrices) {
        return composer.let(name + suffix, split_heads(projected_by_layer(composer, joined, matrices, layer),
                                                       composer.heads));
    };
    const Expression query = vectors("point_query", "W_q_points"), key = vectors("looked_key", "W_k_points"),
                     value = vectors("looked_value", "W_v_points");
    const Expression weights =
        softmax_of(composer, "latent_weights" + suffix,
                   composer.let("point_scores" + suffix,
                                product_transposed(query, key) /
                                    root_of(static_cast<double>(composer.plan.head_value_width())),
                                "what each point asks of the others"));
    return composer.let("point_state" + suffix,
                        state + split_heads(projected_by_layer(composer, join_heads(product(weights, value)),
                                                               "W_o_points", layer),
                                            composer.heads),
                        "with what it has found in the others");
}

/// Learned points read the tokens, and the tokens read what the points have found.
Expression define_inducing_points(Composer& composer) {
    const AttentionSpec& spec = composer.plan.spec;
    const Expression points = split_heads(composer.parameter("points"), composer.heads);
    Expression state = write_packed_values(composer, points);
    if (has_point_blocks(spec))
        state = write_attention_block(composer, "points", points, state);
    for (Index layer = 0; layer < layers_of_points(spec); ++layer)
        state = write_look_of_points(composer, state, layer,
                                     layer + 1 == layers_of_points(spec) ? "" : numbered("_", layer + 1));
    const auto of_points = [&](const char* name, const char* matrix, const char* note) {
        return composer.let(name, composer.projected_by_heads(join_heads(state), matrix), note);
    };
    const Expression keys = of_points("point_keys", "W_point", "what each point shows the queries");
    if (!has_point_blocks(spec))
        return write_unpacked_values(composer, keys, state);
    const Expression values = of_points("point_values", "W_point_value", "what each point gives the queries");
    return composer.let(
        "context",
        write_attention_block(composer, "tokens", composer.query,
                              write_unpacked_values(composer, keys, values, "unpacked_values")),
        "of each query and what it gets");
}

void add_parameters_of_points(const Plan& plan, ParameterList& list) {
    const Index width = plan.context_width(), layers = layers_of_points(plan.spec);
    list.add("points", {points_of(plan), plan.query_width});
    list.add("W_point", {width, plan.query_width});
    if (has_point_blocks(plan.spec)) {
        list.add("W_point_value", {width, width});
        for (const char* name : {"points", "tokens"}) {
            list.add(std::string("W_of_") + name, {width, width});
            list.add(std::string("b_of_") + name, {width});
        }
    }
    if (layers > 0)
        for (const char* letter : {"q", "k", "v", "o"})
            list.add(std::string("W_") + letter + "_points", {layers * width, width});
}

}  // namespace

AlgorithmComponent declare_algorithms_inducing_points() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(Q (Y W)ᵀ / √d) Y with Y = softmax(P Kᵀ / √d) V: s learned points P look at all tokens, and "
        "tokens look at what the points have found (ISAB, Lee et al. 2019)";
    component.options = {
        count_option("points", "Points s", 4, logarithmic_range(1, 512),
                     "How many learned points stand between the tokens: the rank of the map is no larger."),
        count_option("layers", "Layers on the points", 0, {0, 6},
                     "How often the points look at each other, between reading and being read, each time "
                     "adding what they find, as in the Perceiver.",
                     "none"),
        word_option(
            "block", "Residual and layer", {"none", "plain", "normed"},
            "Makes a block of each of the two attentions, as in the Set Transformer: what asked is added, H "
            "= Q + O, and a layer of both, H + relu(H W + b); normed, with a norm behind both.")};
    component.known_parameters = {
        {"points", "[s, h d_k]", "what each point looks for, the heads side by side"},
        {"W_point", "[h d_v, h d_k]", "projects what a point has found to its key"},
        {"W_point_value", "[h d_v, h d_v]", "projects what a point has found to its value"},
        {"W_of_points", "[h d_v, h d_v]", "the layer of each point"},
        {"b_of_points", "[h d_v]", "is added before its relu"},
        {"W_of_tokens", "[h d_v, h d_v]", "the layer of each token"},
        {"b_of_tokens", "[h d_v]", "is added before its relu"},
        {"W_q_points", "[layers h d_v, h d_v]",
         "queries of the points, which look at each other, layer below layer"},
        {"W_k_points", "[layers h d_v, h d_v]", "keys of the points, layer below layer"},
        {"W_v_points", "[layers h d_v, h d_v]", "values of the points, layer below layer"},
        {"W_o_points", "[layers h d_v, h d_v]", "projects what the points have found, layer below layer"}};
    component.parameters = add_parameters_of_points;
    component.needs_one_end = true;
    component.check = [](const Plan& plan) {
        refuse_turned_vectors(plan, "inducing_points", "points have no place, and are never turned");
        if (has_point_blocks(plan.spec) && plan.head_key_width() != plan.head_value_width())
            throw Error({"inducing_points", "values",
                         "vectors of " + std::to_string(plan.head_key_width()) +
                             " features, which are added to what asks",
                         std::to_string(plan.head_value_width())});
    };
    component.changes_context = [](const AttentionSpec& spec) {
        return has_point_blocks(spec) || layers_of_points(spec) > 0;
    };
    component.declared_stages =
        declared_point_stages({{.stage = "key", .transposed = true, .as_keys = true}},
                              "asked by the\npoints P,\n÷ √d\n→", "point_keys", "point");
    append(
        component.declared_stages,
        {made_stage("point_keys", "Keys of the points",
                    {"what each point shows the queries", {{"packed_values"}}, "× W_point\n→"},
                    {.lights = "weights", .is_of_features = true, .row = "point"}),
         made_stage(
             "latent_weights", "Weights among the points",
             {"what they take from each other, in the last layer",
              {{"packed_values"}},
              "q · k / √d,\nsoftmax\n→"},
             {.lights = "unpack_weights", .is_of_features = true, .has_features = true, .is_share = true})});
    // With layers or blocks it is more than the values of the points.
    std::ranges::find(component.declared_stages, "context", &DeclaredStage::name)->operation = "→";
    component.cost = [](const Plan& plan) {
        AlgorithmCost cost = cost_of_points(plan, points_of(plan));
        const Index points = points_of(plan), width = plan.context_width();
        cost.multiply_adds += work({points, width, plan.query_width});
        cost.multiply_adds += work(
            {layers_of_points(plan.spec), 2 * points, width, points + 2 * width});  // q · k, A v, 4 matrices
        if (has_point_blocks(plan.spec))
            cost.multiply_adds += work({2 * points + plan.queries, width, width});
        return cost;
    };
    component.define = define_inducing_points;
    return component;
}

}  // namespace headlight
