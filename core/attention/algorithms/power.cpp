#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

Expression define_power(Composer& composer) {
    const Expression products =
        composer.let("products", product_transposed(composer.query, composer.key), "q · k");
    const Expression open = composer.let("open_products", composer.where_open(products, 0));
    // Over the largest of the row the shares are the same, and no power overflows.
    const Expression largest =
        composer.let("largest_product", maximum_of_columns(absolute_of(open)), "the largest of each row");
    return write_shares(composer,
                        power_of(open / not_zero(largest),
                                 static_cast<double>(option<Index>(algorithm_options(composer), "power"))));
}

}  // namespace

AlgorithmComponent declare_algorithms_power() {
    AlgorithmComponent component;
    component.type = AlgorithmType::power;
    component.word = "power";
    component.meaning =
        "A ∝ (q · k)ᵖ, p even: a kernel with as many features as there are products of p numbers, so "
        "that a state of that size holds all keys (Buckman et al. 2024)";
    component.options = {
        {.name = "power",
         .label = "Power p",
         .standard = Index(2),
         .minimum = 2,
         .maximum = 16,
         .help = "2 has d (d + 1) / 2 features; each step more sharpens the row. It must be even."}};
    component.check = [](const Plan& plan) {
        const auto power = option<Index>(plan.spec.algorithm.options, "power");
        if (power % 2 != 0)
            throw Error({"power", "algorithm.power", "an even number: an odd power can be negative",
                         std::to_string(power)});
    };
    component.takes_any_mask = true;
    component.declared_stages = {
        {.name = "products", .title = "Products", .subtitle = "q · k", .lights = "weights"},
        {.name = "kernel_values", .title = "Powers", .lights = "weights", .role = StageRole::scores}};
    component.define = define_power;
    return component;
}

}  // namespace headlight
