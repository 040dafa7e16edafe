#include "core/attention/algorithms/pooled_rows.h"

namespace headlight {
namespace {

Index count_of_classes(const Plan& plan) { return plan.algorithm().count("classes"); }
double number_of_classes(const Composer& composer, const char* name) {
    return composer.plan.algorithm().number(name);
}

/// f_c = mean_j x_j + λ Σ_j softmax_j(T x_j · m_c) x_j with m_c / |m_c|; the logit of a class is m_c · f_c
/// (Zhu and Wu 2021).
Expression define_class_residual(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression& states = composer.query;
    const Expression classes = direction_of(composer, "class", composer.parameter("W_classes"));
    const Expression scores = composer.let("class_scores", product_transposed(classes, states),
                                           "how much of each class is at each place");
    const Expression attention =
        softmax_of(composer, "class_weights",
                   scores_of_real_keys(
                       composer, composer.let("sharpened_scores",
                                              scores * number_of_classes(composer, "sharpness"), "times T")));
    // All classes have the mean in common.
    const Expression means = means_of_segments(composer, "place_means", 1, plan.allowed.end(0), plan.keys);
    const Expression shares =
        composer.let("class_shares", means + attention * number_of_classes(composer, "lambda"),
                     "the mean of all places, and λ of what is special to the class");
    composer.let("class_logits", sum_of_columns(shares * scores), "how much of each class is in the image");
    return write_rows_for_all(
        composer, shares,
        composer.let("class_features", product(shares, states), "the features of each class"));
}

}  // namespace

AlgorithmComponent declare_algorithms_class_residual() {
    AlgorithmComponent component;
    component.meaning =
        "f_c = mean x + λ Σ softmax(T x · m_c) x: each class has the mean of all places, which is the same "
        "for all, and some of the places where it shows most (CSRA, Zhu and Wu 2021); every token gets the "
        "mean of the features of the classes";
    component.options = {
        count_option("classes", "Classes", 4, logarithmic_range(1, 512),
                     "How many classes the image may have, each with a learned vector."),
        number_option("sharpness", "Sharpness T", 1.0, {0, 1000},
                      "What scores are multiplied by before the softmax: 0 is the mean, a large one the "
                      "place with the most of the class."),
        number_option("lambda", "Share λ", 0.2, {0, 10},
                      "How much of what is special to a class is added to the mean of all places.")};
    component.known_parameters = {{"W_classes", "[classes, d_q], shared by the heads",
                                   "a vector of each class, of which the direction counts"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_classes", {count_of_classes(plan), plan.head_query_width()});
    };
    component.needs_one_end = true;
    component.check = [](const Plan& plan) { check_pooled_states(plan, "class_residual"); };
    component.makes_keys_and_values = true;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("class_scores", "Class maps",
                   {"how much of each class is at each place", {{"query"}}, "· m / |m|\n→"},
                   {.lights = "class_weights", .is_of_features = true, .row = "class"}),
        declared_softmax_stage("class_scores", "class_weights", "Attention of the classes",
                               "softmax over the places",
                               {.lights = "class_shares", .is_of_features = true, .row = "class"}),
        made_stage("class_shares", "Shares of the places",
                   {"1 / n, and λ of the attention of the class", {{"class_weights"}}, "× λ,\n+ 1 / n\n→"},
                   {.lights = "weights", .is_of_features = true, .row = "class", .is_share = true}),
        made_stage("class_logits", "Logits of the classes",
                   {"how much of each class is in the image",
                    {{"class_shares"}, {"class_scores", "and"}},
                    "Σ of\nproducts\n→"},
                   {.lights = "class_scores", .is_of_features = true}),
        made_stage("class_features", "Features of the classes",
                   {"the places, added up by their shares", {{"class_shares"}, {"query", "×"}}, "="},
                   {.colours_of = "query", .lights = "output", .is_of_features = true, .row = "class"}),
        declared_mean_weights("class_shares", false),
        declared_mean_of_rows("class_features")};
    component.declared_stages[1].operation = "× T,\nsoftmax\n→";
    component.define = define_class_residual;
    return component;
}

}  // namespace headlight
