#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

#include <algorithm>

namespace headlight {
namespace {

Index halves_of_keys(const Plan& plan) { return plan.algorithm().count("halves"); }
/// How many slots a query reads; there are no more than all pairs of halves.
Index slots_that_are_read(const Plan& plan) {
    const Index halves = halves_of_keys(plan);
    return std::min(plan.algorithm().count("read"), halves * halves);
}

/// `scores` of the `count` largest of each row, and minus infinity in the place of the others.
Expression largest_of_each_row(const Expression& scores, Index count) {
    return choose(is_above(static_cast<double>(count), rank_of(scores)), scores, minus_infinity());
}

/// Each half of a query finds its best half keys; what is read is among the pairs of these, for a pair with
/// another half has `read` better ones before it (Lample et al. 2019, section 3.1).
Expression define_product_keys(Composer& composer) {
    const Index width = composer.plan.head_query_width(), halves = halves_of_keys(composer.plan);
    const Index read = slots_that_are_read(composer.plan), found = std::min(read, halves);
    const auto scores_of_half = [&](const char* name, const char* keys, Index first, const char* note) {
        const Expression half = some_columns(composer.query, counted(first, width / 2));
        return composer.let(name, product_transposed(half, composer.parameter(keys)), note);
    };
    const Expression left =
        scores_of_half("left_scores", "K_left", 0, "the first half of each query and each left half");
    const Expression right = scores_of_half("right_scores", "K_right", width / 2,
                                            "the second half of each query and each right half");
    const Expression best_left =
        composer.let("best_left", largest_of_each_row(left, found), "the best left halves");
    const Expression best_right =
        composer.let("best_right", largest_of_each_row(right, found), "the best right halves");
    std::vector<Index> left_of, right_of;  // of slot number left · halves + right
    for (Index slot = 0; slot < halves * halves; ++slot) {
        left_of.push_back(slot / halves);
        right_of.push_back(slot % halves);
    }
    const Expression sums =
        composer.let("pair_scores", some_columns(best_left, left_of) + some_columns(best_right, right_of),
                     "of the pairs of what both halves have found");
    const Expression weights =
        softmax_of(composer, "slot_weights",
                   composer.let("read_scores", largest_of_each_row(sums, read), "the best pairs"));
    const Expression shares = composer.let("slot_readers", weights / not_zero(sum_of_rows(weights)),
                                           "each slot’s weight, over that of all tokens");
    composer.let("weights", product_transposed(weights, shares), "through the slots");
    return composer.let("context", composer.projected(weights, "V_slots"), "what the slots hold");
}

}  // namespace

AlgorithmComponent declare_algorithms_product_keys() {
    AlgorithmComponent component;
    component.meaning =
        "softmax over the k best of c² slots, whose keys are all pairs of c left and c right halves: k best "
        "of each half, then of their k² sums q₁ · l_a + q₂ · r_b (Lample et al. 2019); the weights shown are "
        "which tokens read the same slots";
    component.options = {
        count_option(
            "halves", "Half keys", 4, logarithmic_range(1, 64),
            "How many left halves there are, and as many right ones; slots are all pairs, the square of it."),
        count_option("read", "Slots read", 3, logarithmic_range(1, 4096),
                     "How many slots each token reads.")};
    component.known_parameters = {
        {"K_left", "[c, d_k / 2], shared by the heads", "left halves of the keys of all slots"},
        {"K_right", "[c, d_k / 2], shared by the heads", "right halves of the keys of all slots"},
        {"V_slots", "[c², d_v], shared by the heads", "the values of the slots"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index halves = halves_of_keys(plan), half = plan.head_query_width() / 2;
        list.add("K_left", {halves, half});
        list.add("K_right", {halves, half});
        list.add("V_slots", {halves * halves, plan.head_value_width()});
    };
    component.check = [](const Plan& plan) {
        const std::string what = "product_keys algorithm";
        require_one_sequence(plan, what, "the memory stands in for the second sequence");
        refuse_mask(plan, what, "tokens never look at tokens, only at slots");
        refuse_shared_heads(plan, what);
    };
    component.paired = {{.of = "features of a head’s queries",
                         .why = "halves are made of each query",
                         .count = [](const Plan& plan) { return plan.head_query_width(); }}};
    component.makes_keys_and_values = true;
    component.declared_stages = {
        made_stage("left_scores", "Scores of the left halves",
                   {"the first half of each query", {{"query"}}, "first half\n× K_left\n→"},
                   {.lights = "slot_weights", .has_features = true, .column = "left half"}),
        made_stage("right_scores", "Scores of the right halves",
                   {"the second half of each query", {{"query"}}, "second half\n× K_right\n→"},
                   {.lights = "slot_weights", .has_features = true, .column = "right half"}),
        made_stage("slot_weights", "Weights of the slots",
                   {"softmax over the best pairs of halves",
                    {{"left_scores"}, {"right_scores", "+"}},
                    "best of each,\nbest sums,\nsoftmax\n→"},
                   {.has_features = true, .column = "memory slot", .is_share = true}),
        made_stage("weights", "Weights",
                   {"how much of what a token reads lies in slots that another reads",
                    {{"slot_weights"}},
                    "through\nthe slots\n→"},
                   {.lights = "output", .role = StageRole::weights, .is_share = true}),
        declared_own_context_stage({"what the slots hold", {{"slot_weights"}}, "× V_slots\n→"})};
    component.define = define_product_keys;
    return component;
}

}  // namespace headlight
