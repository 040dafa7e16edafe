#include "core/attention/algorithms/value_convolution.h"

namespace headlight {
namespace {

const std::string& feature_map(const Plan& plan) { return plan.algorithm().word("map"); }

/// x W + b, W and b of the head, as the tensor `name`_mapped.
Expression write_mapped(Composer& composer, const std::string& name, const Expression& x,
                        const std::string& suffix) {
    const Expression W = composer.matrices_of_heads("W_map_" + suffix);
    return composer.let(name + "_mapped", product(x, W) + composer.parameter_of_heads("b_map_" + suffix),
                        "what the head’s layer makes of it");
}

/// |r| r^p / |r^p|, r = relu(x): as long as r, and nearer to its largest feature (Han et al. 2023, eq. 6).
Expression write_focused(Composer& composer, const std::string& name, const Expression& x) {
    const double power = composer.plan.algorithm().number("power");
    const Expression above = composer.let(name + "_above_0", relu_of(x));
    const Expression largest = composer.let(name + "_largest", not_zero(maximum_of_columns(above)));
    // Over their largest number no power overflows, and the longest of these rows is √d.
    const Expression scaled = composer.let(name + "_scaled", above / largest);
    const Expression powers = composer.let(name + "_powers", power_of(scaled, power));
    const Expression length = largest * root_of(not_zero(sum_of_columns(scaled * scaled)));
    return length * (powers / root_of(not_zero(sum_of_columns(powers * powers))));
}

/// φ(x) [h, tokens, r] as the stage `name`_features.
Expression write_learned_features(Composer& composer, const std::string& name, const Expression& x,
                                  const std::string& suffix) {
    const std::string& map = feature_map(composer.plan);
    if (map == "focused")
        return composer.let(name + "_features", write_focused(composer, name, x),
                            "as long as what is above 0, and nearer to its largest feature");
    const Expression mapped = write_mapped(composer, name, x, suffix);
    if (map == "relu")
        return composer.let(name + "_features", relu_of(mapped), "what is above 0");
    return softmax_of(composer, name + "_features", join_columns({mapped, -mapped}));
}

Expression define_learned_features(Composer& composer) {
    const Expression query = write_learned_features(composer, "query", composer.query, "q");
    const Expression key = write_learned_features(composer, "key", composer.key, "k");
    const bool is_softmax = feature_map(composer.plan) == "softmax";
    // The shares are those of φ(q) itself, but no product vanishes because q and k are both small.
    const Expression read = is_softmax ? query
                                       : composer.let("features_over_largest", over_largest(query),
                                                      "each query’s features over the largest of them");
    const Expression products =
        composer.let("similarities", composer.where_open(product_transposed(read, key), 0),
                     "what takes the place of exp(q · k)");
    // Features of a softmax are all above 0; of others none may be where query and key meet.
    const Expression sum = composer.let(
        "row_sum", is_softmax ? sum_of_positive_row(composer, products) : not_zero(sum_of_columns(products)),
        "the sum of each row");
    const Expression weights = composer.let("weights", products / sum, "what each query gives to each key");
    return composer.let("context", with_filtered_values(composer, product(weights, composer.value)),
                        "the values that each query gets");
}

}  // namespace

AlgorithmComponent declare_algorithms_learned_features() {
    AlgorithmComponent component;
    component.meaning =
        "A = φ(q) · φ(k) over the sum of the row: φ(x) the softmax of [x W + b, −x W − b] over its features "
        "(Hedgehog, Zhang et al. 2024), relu(x W + b) (T2R, Kasai et al. 2021), or |r| rᵖ / |rᵖ| of r = "
        "relu(x) (focused linear attention, Han et al. 2023)";
    component.options = {word_option("map", "Feature map", {"softmax", "relu", "focused"},
                                     "Softmax over what a layer of each head makes of x and over the same "
                                     "with the other sign; what is above 0 of it; or the numbers of x above "
                                     "0, to a power, at the length that they had, which learns nothing."),
                         number_option("power", "Power p", 3.0, {1, 16},
                                       "How much the largest feature stands out. Only of the focused map."),
                         value_convolution_option()};
    component.known_parameters = {
        {"W_map_q", "[h d_k, d_k]", "the layer that makes features of each head’s queries"},
        {"b_map_q", "[h d_k]", "is added to these features of queries"},
        {"W_map_k", "[h d_k, d_k]", "the layer that makes features of keys for each head"},
        {"b_map_k", "[h d_k]", "is added to these features of keys"},
        value_filter_name()};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.head_query_width(), all = plan.heads * width;
        if (feature_map(plan) != "focused") {
            list.add("W_map_q", {all, width});
            list.add("b_map_q", {all}, 0.0);
            list.add("W_map_k", {all, width});
            list.add("b_map_k", {all}, 0.0);
        }
        add_value_filter(plan, list);
    };
    component.check = [](const Plan& plan) { check_value_filter(plan, "learned_features algorithm"); };
    component.takes_any_mask = true;
    component.changes_context = filters_values;
    component.declared_stages = {
        declared_query_features_stage(), declared_key_features_stage(),
        made_stage("similarities", "Similarities",
                   {"products of features",
                    {{"query_features"}, times_keys_of("key_features")},
                    "where they\nmay meet\n→"},
                   {.lights = "weights", .role = StageRole::scores, .leaves_out_masked = true}),
        declared_value_filters()};
    component.define = define_learned_features;
    return component;
}

}  // namespace headlight
