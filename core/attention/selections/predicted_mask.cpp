#include "core/attention/algorithms/row_norms.h"
#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/selections/kept_pairs.h"

namespace headlight {
namespace {

constexpr int mask_layers = 3;

Index mask_width(const Plan& plan) { return plan.selection().count("mask_width"); }

/// What each query looks for, through a norm and three layers: [n, width].
Expression write_mask_queries(Composer& composer) {
    Expression vectors = layer_normalized(composer, "mask_normed", composer.query_tokens);
    for (int layer = 1; layer <= mask_layers; ++layer) {
        const std::string number = std::to_string(layer);
        const Expression next = composer.projected(vectors, "W_mask_" + number, "b_mask_" + number);
        vectors = layer < mask_layers
                      ? composer.let("mask_hidden_" + number, relu_of(next), "through a layer")
                      : composer.let("mask_query", next, "what each query wants to see");
    }
    return vectors;
}

/// Keys that the query's mask has, σ(e · p) ≥ ½; where it has none, all (Cheng et al. 2022).
std::optional<Expression> define_predicted_mask(Composer& composer, const Expression&) {
    const Expression wanted = write_mask_queries(composer);
    const Expression pixels = of_seen_keys(
        composer,
        composer.let("mask_key", composer.projected(composer.key_tokens, "W_mask_key", "b_mask_key"),
                     "what each key shows"));
    composer.let("mask_logits", composer.open_or_forbidden(product_transposed(wanted, pixels)),
                 "how surely each key is of the query");
    const Expression drawn = composer.let(
        "mask_drawn", as_number(and_allowed(composer, is_at_least(products_in_order(wanted, pixels), 0))),
        "1 where the mask has the key");
    const Expression is_kept =
        composer.let("mask_kept", larger_of(drawn, 1 - maximum_of_columns(drawn)), "all where it has none");
    return and_allowed(composer, is_above(is_kept, 0.5));
}

}  // namespace

SelectionComponent declare_selections_predicted_mask() {
    SelectionComponent component;
    component.reads_no_keys = true;
    component.meaning =
        "keys with σ(e · p) ≥ ½, e = MLP(norm(x)) of the query’s token and p = y W + b of the key’s: what is "
        "surely of an object is what its query looks at, and all where nothing is; the same for all heads "
        "(masked attention of Mask2Former, Cheng et al. 2022)";
    component.options = {count_option(
        "mask_width", "Width of the mask", 8, logarithmic_range(1, 4096),
        "How many numbers queries and keys have where they meet to draw the mask; the model has 256.")};
    for (int layer = 1; layer <= mask_layers; ++layer) {
        const std::string number = std::to_string(layer);
        append(component.known_parameters,
               {{"W_mask_" + number, layer == 1 ? "[d_q, width of the mask]" : "[width, width]",
                 "layer " + number + " of what queries draw their masks with"},
                {"b_mask_" + number, "[width of the mask]", "is added to that"}});
    }
    append(component.known_parameters,
           {{"W_mask_key", "[d_k, width of the mask]", "makes what masks are drawn of"},
            {"b_mask_key", "[width of the mask]", "is added to that"}});
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = mask_width(plan);
        for (int layer = 1; layer <= mask_layers; ++layer) {
            const std::string number = std::to_string(layer);
            list.add_with_bias("W_mask_" + number, {layer == 1 ? plan.tokens.query_width : width, width});
        }
        list.add_with_bias("W_mask_key", {plan.tokens.key_width, width});
    };
    component.declared_stages = {
        made_stage("mask_query", "What queries want to see",
                   {"MLP(norm(x))", {{"tokens"}}, "norm, three\nlayers\n→"},
                   {.lights = "mask_logits", .has_features = true}),
        made_stage("mask_logits", "Logits of the mask",
                   {"e · p: above 0 the key is of the query", {{"mask_query"}}, "· p\n→"},
                   {.lights = "mask_kept", .role = StageRole::scores, .leaves_out_masked = true}),
        made_stage(
            "mask_kept", "Keys of the mask",
            {"1 where a query may look; all where it would have none", {{"mask_logits"}}, "≥ 0, or all\n→"},
            {.lights = "weights", .role = StageRole::weights, .is_share = true})};
    component.define = define_predicted_mask;
    return component;
}

}  // namespace headlight
