#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

Expression define_exclusive(Composer& composer) {
    const Expression scores = composer.let(
        "scores", product_transposed(composer.query, composer.key) / root_of_head_width(composer),
        "q · k / √d");
    const Expression weights = softmax_of(composer, "weights", composer.where_open(scores, minus_infinity()));
    const Expression attended =
        composer.let("attended", product(weights, composer.value), "o: the values that each token gets");
    // Both over the largest number of v: no square overflows or vanishes, and where o is v the share is 1.
    const Expression largest =
        composer.let("largest_of_value", not_zero(maximum_of_columns(absolute_of(composer.value))),
                     "1 for a value of zeros");
    const Expression own =
        composer.let("value_over_largest", composer.value / largest, "each value over its largest number");
    const Expression share = composer.let(
        "own_share", sum_of_columns(attended / largest * own) / not_zero(sum_of_columns(own * own)),
        "o · v / |v|², v the token’s own value");
    return composer.let("context", attended - share * composer.value,
                        "what there is beside the token’s own value");
}

}  // namespace

AlgorithmComponent declare_algorithms_exclusive() {
    AlgorithmComponent component;
    component.type = AlgorithmType::exclusive;
    component.word = "exclusive";
    component.meaning =
        "oᵢ − (oᵢ · vᵢ / |vᵢ|²) vᵢ with o the softmax attention: what a token gets is at right angles to "
        "its own value (Zhai 2026)";
    component.check = [](const Plan& plan) {
        if (plan.spec.source.type != SourceType::self)
            throw Error({"exclusive", "source", "self: each query has a value of its own, which is left out",
                         "cross"});
    };
    component.takes_any_mask = true;
    component.changes_context = [](const AttentionSpec&) { return true; };
    component.declared_stages = {
        {.name = "scores",
         .title = "Scores",
         .subtitle = "q · k / √d",
         .operands = {{"query"},
                      {.stage = "key", .operator_before = "×", .transposed = true, .as_keys = true}},
         .operation = "÷ √d\n→",
         .role = StageRole::scores},
        {.name = "weights",
         .title = "Weights",
         .operands = {{"scores"}},
         .operation = "softmax\n→",
         .lights = "output",
         .role = StageRole::weights,
         .is_share = true,
         .leaves_out_masked = true},
        {.name = "attended",
         .title = "Weighted values",
         .subtitle = "the sum of each weight times its value",
         .operands = {{"weights"}, {.stage = "value", .operator_before = "×", .as_keys = true}},
         .operation = "=",
         .colours_of = "value",
         .lights = "context"},
        {.name = "own_share",
         .title = "Share of the own value",
         .subtitle = "o · v / |v|²",
         .lights = "context",
         .role = StageRole::row},
        {.name = "context",
         .title = "Context",
         .subtitle = "at right angles to the token’s own value",
         .operands = {{"attended"}, {"value", "and"}},
         .operation = "− share\n× value\n→",
         .colours_of = "value",
         .lights = "output"}};
    component.define = define_exclusive;
    return component;
}

}  // namespace headlight
