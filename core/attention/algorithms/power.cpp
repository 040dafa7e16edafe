#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {
namespace {

Expression define_power(Composer& composer) {
    // The shares are those of q itself, but no product vanishes because q and k are both small.
    const Expression query = composer.let("query_over_largest", over_largest(composer.query),
                                          "each query over its largest number");
    const Expression products = composer.let("products", product_transposed(query, composer.key), "q · k");
    const Expression open = composer.let("open_products", composer.where_open(products, 0));
    // Over the largest of the row the shares are the same, and no power overflows.
    const Expression largest =
        composer.let("largest_product", largest_amount(open), "the largest of each row");
    return write_shares(
        composer, power_of(open / not_zero(largest), std::stod(composer.plan.algorithm().word("power"))));
}

}  // namespace

AlgorithmComponent declare_algorithms_power() {
    AlgorithmComponent component;
    component.meaning =
        "A ∝ (q · k)ᵖ, p even: a kernel with as many features as there are products of p numbers, so "
        "that a state of that size holds all keys (Buckman et al. 2024)";
    component.options = {word_option(
        "power", "Power p", {"2", "4", "6", "8"},
        "2 has d (d + 1) / 2 features; each step more sharpens the row. Odd powers could be negative.")};
    component.takes_any_mask = true;
    component.declared_stages = {made_stage("products", "Products",
                                            {"q · k, each q over its largest number",
                                             {{"query"}, times_keys_of("key")},
                                             "÷ largest\nof q\n→"},
                                            {.lights = "weights"}),
                                 made_stage("kernel_values", "Powers",
                                            {"products over the largest of their row, to the power p",
                                             {{"products"}},
                                             "÷ largest,\npower p\n→"},
                                            {.lights = "weights", .role = StageRole::scores})};
    component.define = define_power;
    return component;
}

}  // namespace headlight
