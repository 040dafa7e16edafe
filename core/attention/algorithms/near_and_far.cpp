#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

#include <cstdlib>

namespace headlight {
namespace {

Index far_kernels(const Plan& plan) { return plan.algorithm().count("kernels"); }

/// Softmax of the scores of a band along the diagonal.
Expression write_near_weights(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index reach = composer.plan.algorithm().count("reach");
    const Expression scores = write_scaled_products(composer);
    const Expression is_near =
        composer.truth("is_in_band", {0, plan.queries, plan.keys}, "pairs of tokens that are near enough",
                       [=](Index row, Index column) { return std::abs(row - column) <= reach; });
    return softmax_of_open(composer, "near_weights", choose(is_near, scores, minus_infinity()));
}

/// Linear attention over all keys with elu(x) + 1, or with elu(−x) + 1, as the tensor far_weights_N.
Expression write_far_weights(Composer& composer, Index number) {
    const bool is_turned = number == 2;
    const auto features = [&](const char* name, const Expression& x) {
        return composer.let(numbered(name, number), positive_features(is_turned ? -x : x),
                            is_turned ? "elu(−x) + 1" : "elu(x) + 1");
    };
    const Expression query = over_largest(features("query_feature_", composer.query));
    const Expression key = features("key_feature_", composer.key);
    const Expression products = composer.let(numbered("far_products_", number),
                                             composer.where_open(product_transposed(query, key), 0),
                                             "products of features, up to a number of the row");
    return composer.let(numbered("far_weights_", number), products / sum_of_positive_row(composer, products),
                        "linear attention over all keys");
}

Expression define_near_and_far(Composer& composer) {
    const Expression near = write_near_weights(composer);
    const Expression shares = composer.matrices_of_heads("far_share");
    Expression sum = near * composer.parameter_of_heads("near_share");
    for (Index number = 1; number <= far_kernels(composer.plan); ++number)
        sum = sum + write_far_weights(composer, number) * some_columns(shares, {number - 1});
    return write_attended_values(composer, composer.let("weights", sum, "both maps, weighed by the head"));
}

DeclaredStage declared_far_weights(const std::string& number, const std::string& map) {
    return declared_shares_stage(
        "far_weights_" + number, "Far weights " + number,
        {"linear attention by " + map, {{"query"}, times_keys_of("key")}, map + ",\n÷ sum\n→"});
}

}  // namespace

AlgorithmComponent declare_algorithms_near_and_far() {
    AlgorithmComponent component;
    component.meaning =
        "A = w softmax(band of q · k / √d) + Σ w_l φ_l(q) · φ_l(k) over the sum of the row, φ_1(x) = elu(x) "
        "+ 1, φ_2(x) = elu(−x) + 1: near tokens by a band, far ones by a map of low rank (FMMformer, Nguyen "
        "et al. 2021)";
    component.options = {
        count_option("reach", "Reach of the band", 2, logarithmic_range(0, 65536),
                     "How far from its own place a token attends by the softmax.", "itself alone"),
        count_option("kernels", "Far maps", 1, {1, 2},
                     "How many linear maps are added: by elu(x) + 1 alone, or by elu(−x) + 1 as well.")};
    component.known_parameters = {{"near_share", "[h]", "what the band counts in each head"},
                                  {"far_share", "[h, kernels]", "what each linear map counts in each head"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("near_share", {plan.heads}, 0.5);
        list.add("far_share", {plan.heads, far_kernels(plan)}, 0.5 / static_cast<double>(far_kernels(plan)));
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "near_and_far", "the band lies along the tokens of one sequence");
    };
    component.takes_any_mask = true;
    component.declared_stages = {
        declared_scores_stage(),
        declared_shares_stage("near_weights", "Near weights",
                              {"softmax within the band", {{"scores"}}, "in the band,\nsoftmax\n→"}),
        declared_far_weights("1", "elu(x) + 1"), declared_far_weights("2", "elu(−x) + 1"),
        declared_weights_stage(
            {"both maps, weighed by the head",
             {{"near_weights"}, {"far_weights_1", "and"}, optional_stage("far_weights_2", "and")},
             "weighed,\nadded\n→"})};
    component.define = define_near_and_far;
    return component;
}

}  // namespace headlight
