#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/spec_words.h"
#include "core/attention/work.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

/// PoolFormer (Yu et al. 2022) with a map of equal weights: what a token is less what it meets.
bool is_difference(const AttentionSpec& spec) { return spec.algorithm.options.word("form") == "difference"; }

/// α I + β A − γ C, or A − I. A pair that may not meet keeps its weight of 0: it is neither in I nor in C.
Expression define_shaped(Composer& composer, const Expression& weights) {
    const Plan& plan = composer.plan;
    const Extent map{0, plan.queries, plan.keys};
    const Expression itself =
        composer.constant("own_place", map, "1 where a token looks at itself",
                          [may_meet = composer.may_meet](Index, Index row, Index column) {
                              return row == column && may_meet(row, column) ? 1.0 : 0.0;
                          });
    if (is_difference(plan.spec))
        return composer.let("weights", weights - itself, "A − I");
    const Expression seen = composer.constant("seen_keys", map, "1 where a query may look at a key",
                                              [may_meet = composer.may_meet](Index, Index row, Index column) {
                                                  return may_meet(row, column) ? 1.0 : 0.0;
                                              });
    const Expression uniform = composer.let("uniform_map", seen / not_zero(sum_of_columns(seen)),
                                            "what the softmax gives where all scores are alike");
    return composer.let("weights",
                        composer.parameter_of_heads("alpha_shaped") * itself +
                            composer.parameter_of_heads("beta_shaped") * weights -
                            composer.parameter_of_heads("gamma_shaped") * uniform,
                        "α I + β A − γ C");
}

/// C is what the softmax gives of equal scores, over the keys that the mask allows.
void check_shaped(const Plan& plan) {
    const std::string what = "shaped algorithm";
    require_one_sequence(plan, what, "the identity leads from each token to itself");
    if (plan.spec.mask_value)
        throw Error({what, "mask_value",
                     "none: what is taken off is a mean over the keys that the mask allows",
                     std::to_string(*plan.spec.mask_value)});
    require_softmax(plan, what, "what is taken off is its map of equal scores");
    if (plan.spec.selection.type != SelectionType::none)
        throw Error({what, "selection",
                     "none: what is taken off is the mean over all keys that the mask allows",
                     to_word(plan.spec.selection.type)});
    refuse_mixed_heads(plan, what);
}

}  // namespace

AlgorithmComponent declare_algorithms_shaped() {
    AlgorithmComponent component;
    component.meaning =
        "α I + β A − γ C in the place of A, C the uniform map over the keys that a query may see: where "
        "all scores are alike each token keeps its own value (Noci et al. 2023); or A − I (PoolFormer, Yu et "
        "al. 2022)";
    component.options = {word_option("form", "Map", {"shaped", "difference"},
                                     "α I + β A − γ C, three learned numbers for each head, or A − I: what a "
                                     "token gets less what it is.")};
    component.known_parameters = {{"alpha_shaped", "[h]", "how much each token gets of its own value"},
                                  {"beta_shaped", "[h]", "what the softmax is multiplied by"},
                                  {"gamma_shaped", "[h]", "how much of the uniform map is taken off"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        if (is_difference(plan.spec))
            return;
        list.add("alpha_shaped", {plan.heads}, 1.0);
        list.add("beta_shaped", {plan.heads}, 1.0);
        list.add("gamma_shaped", {plan.heads}, 1.0);
    };
    component.is_composed = true;
    component.changes_weights = true;
    component.takes_any_mask = true;
    component.check = check_shaped;
    component.cost = [](const Plan& plan) -> AlgorithmCost {
        return {.multiply_adds = work_of_pairs(plan, is_difference(plan.spec) ? 0 : 3)};  // α I, β A and γ C
    };
    component.declared_stages = {
        declared_shares_stage("uniform_map", "Uniform map", {"what the softmax gives of equal scores"}),
        declared_weights_stage(
            {"α I + β A − γ C", {{"soft_weights"}, {"uniform_map", "and"}}, "α I + β A − γ C\n→"})};
    component.stages_of = [](const AttentionSpec& spec) {
        static const auto shaped = shared_stages(component_of(AlgorithmType::shaped)->declared_stages);
        static const auto difference =
            shared_stages({declared_weights_stage({"A − I", {{"soft_weights"}}, "− I\n→"})});
        return is_difference(spec) ? difference : shaped;
    };
    component.define_weights = define_shaped;
    return component;
}

}  // namespace headlight
