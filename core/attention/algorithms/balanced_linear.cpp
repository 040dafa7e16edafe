#include "core/attention/algorithms/value_convolution.h"
#include "core/attention/defined_algorithms.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

bool goes_by_length(const Plan& plan) { return plan.algorithm().word("rule") == "magnitude"; }

const std::string& map_of_features(const Plan& plan) { return plan.algorithm().word("map"); }

/// φ(x), as the tensor `name`_features where it is more than x itself.
Expression write_features_of(Composer& composer, const std::string& name, const Expression& x) {
    const std::string& map = map_of_features(composer.plan);
    if (map == "identity")
        return x;
    return composer.let(name + "_features", map == "elu" ? positive_features(x) : relu_of(x), "φ(x)");
}

/// Products of features and what is taken off each row, so that it sums to 1: the mean of its products but
/// 1/n (Han et al. 2024, equation 5), or so much of their sum as they were stretched by (Fan et al. 2025).
Expression define_balanced_linear(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression count = composer.mask_excludes()
                                 ? not_zero(sum_of_columns(as_number(composer.allowed())))
                                 : Expression(static_cast<double>(plan.keys));
    Expression products = product_transposed(write_features_of(composer, "query", composer.query),
                                             write_features_of(composer, "key", composer.key));
    if (plan.algorithm().flag("scaled"))
        products = products / root_of_head_width(composer) / count;
    const Expression open = composer.let("similarities", composer.where_open(products, 0),
                                         "products of features of pairs that may meet");
    const Expression sum = composer.let("row_sum", sum_of_columns(open), "the sum of each row");
    const Expression balanced =
        goes_by_length(plan) ? open + open / not_zero(sum) - sum / count : open - sum / count + 1 / count;
    const Expression weights =
        composer.let("weights", composer.where_open(balanced, 0), "rows that sum to 1");
    return composer.let("context", with_filtered_values(composer, product(weights, composer.value)),
                        "the values that each query gets");
}

}  // namespace

AlgorithmComponent declare_algorithms_balanced_linear() {
    AlgorithmComponent component;
    component.meaning =
        "rows of linear attention that sum to 1 by what is taken off and not by a division: φ(q) · φ(k) − "
        "Σ/n + 1/n (InLine, Han et al. 2024), or (1 + 1/Σ) φ(q) · φ(k) − Σ/n, Σ the sum of the row’s "
        "products and n its keys (MALA, Fan et al. 2025)";
    component.options = {word_option("rule", "How rows come to 1", {"subtract", "magnitude"},
                                     "The mean of the row is taken off and 1/n added; or the row is "
                                     "stretched by 1 + 1/Σ, and what it then has too much is taken off."),
                         word_option("map", "Feature map", {"identity", "relu", "elu"},
                                     "What queries and keys become before they meet: themselves, what is "
                                     "above 0, or elu(x) + 1, which the second rule asks for."),
                         flag_option("scaled", "Products over n √d", true,
                                     "Divides products by √d and by the number of keys, as the authors’ code "
                                     "has it; their equations leave it out."),
                         value_convolution_option()};
    component.known_parameters = {value_filter_name()};
    component.parameters = [](const Plan& plan, ParameterList& list) { add_value_filter(plan, list); };
    component.check = [](const Plan& plan) {
        check_value_filter(plan, "balanced_linear algorithm");
        if (goes_by_length(plan) && map_of_features(plan) != "elu")
            throw Error({"balanced_linear algorithm", "algorithm/map",
                         "elu: of other features products may sum to 0, by which they would be divided",
                         map_of_features(plan)});
    };
    component.takes_any_mask = true;
    component.changes_context = filters_values;
    component.declared_stages = {
        declared_query_features_stage(),
        declared_key_features_stage(),
        made_stage("similarities", "Similarities",
                   {"products of features",
                    {optional_stage("query_features"),
                     {.stage = "key_features",
                      .operator_before = "×",
                      .transposed = true,
                      .as_keys = true,
                      .is_optional = true}},
                    "where they\nmay meet\n→"},
                   {.lights = "weights", .role = StageRole::scores, .leaves_out_masked = true}),
        made_stage("row_sum", "Row sum", {}, {.lights = "weights", .role = StageRole::row}),
        declared_weights_stage(
            {"balanced, so that each row sums to 1", {{"similarities"}}, "less a part\nof their sum\n→"}),
        declared_value_filters()};
    component.define = define_balanced_linear;
    return component;
}

}  // namespace headlight
