#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {
namespace {

Expression define_higher_order(Composer& composer) {
    const Expression seen = composer.let(
        "masked_products",
        composer.where_open(product_transposed(composer.query, composer.key) * scale_of_queries(composer), 0),
        "q · k of the pairs that may meet");
    const Expression weights = composer.let("weights", composer.where_open(product_transposed(seen, seen), 0),
                                            "how alike two queries look at the keys that both see");
    return write_attended_values(composer, weights);
}

}  // namespace

AlgorithmComponent declare_algorithms_higher_order() {
    AlgorithmComponent component;
    component.meaning =
        "M ∘ ((M ∘ QKᵀ) (M ∘ QKᵀ)ᵀ) V, M the mask: a query takes the values of the tokens whose queries "
        "look at the same keys (Zhang et al. 2025, second order, unnormalised)";
    component.options = {flag_option("scaled", "Scaled", true, "Divides each product q · k by √d.")};
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "higher_order", "the tokens that are looked at have queries of their own");
    };
    component.takes_any_mask = true;
    component.declared_stages = {
        made_stage("masked_products", "Products",
                   {"q · k of pairs that may meet", {{"query"}, times_keys_of("key")}, "scale,\nmask\n→"},
                   {.lights = "weights", .role = StageRole::scores}),
        made_stage(
            "weights", "Weights",
            {"how alike two tokens look at what both see",
             {{"masked_products"}, {.stage = "masked_products", .operator_before = "×", .transposed = true}},
             "mask\n→"},
            {.lights = "output", .role = StageRole::weights})};
    component.define = define_higher_order;
    return component;
}

}  // namespace headlight
