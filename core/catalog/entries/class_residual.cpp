#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_class_residual() {
    Mechanism mechanism;
    mechanism.name = "Class-specific residual attention (CSRA)";
    mechanism.also_known_as = {"residual attention", "class attention maps"};
    mechanism.family = "Images";
    mechanism.order = 3971;
    mechanism.formula =
        R"(@class_features{f_c = \sum_j @class_shares{\left(\frac{1}{n} + \lambda\,@class_weights{s_{cj}})"
        R"(\right)}\,@query{x_j}},\quad )"
        R"(@class_weights{s_c = \operatorname{softmax}_j\left(T\,@class_scores{x_j \cdot m_c}\right)},)"
        R"(\quad @class_logits{y_c = m_c \cdot f_c},\quad @output{o_i = \frac{1}{C} \sum_c f_c},\quad )"
        R"(@weights{A_{ij} = \frac{1}{C} \sum_c \left(\frac{1}{n} + \lambda s_{cj}\right)},\quad )"
        R"(\lVert m_c \rVert = 1)";
    mechanism.papers = {{"Zhu and Wu, Residual Attention: A Simple but Effective Method for Multi-Label "
                         "Recognition",
                         2021}};
    mechanism.explanation =
        "A picture may show a dog, a car and a person at once, each in a place of its own. A classifier that "
        "looks at the mean of all places sees a little of each, and less of the small ones. Here a class may "
        "look where it finds itself. The vector m of a class, by which its score is computed anyway, is "
        "multiplied with every place: that is its class map. A softmax of the map, sharpened by T, weighs "
        "the places, and λ of what it gathers is added to the mean. So the features of a class are the mean, "
        "which all classes share, and a residual that is its own; the product with m again is the logit. "
        "With T so large that one place has all, the logit is the mean of the class map plus λ times its "
        "maximum, and the authors could say the module in four lines of code, to be added to a trained "
        "network. Words stand for the places here, and every token gets the mean of the features of the "
        "classes.";
    mechanism.cost = "2 C n d multiply-adds per head for C classes; memory C n.";
    mechanism.correction =
        "Residual attention means three things: this one; a network of masks whose features are multiplied "
        "by 1 + mask (Wang et al. 2017); and scores that are handed on from layer to layer. The rows of the "
        "map sum to 1 + λ, not to 1. m counts by its direction alone. The authors add up several such "
        "modules with temperatures of their own, as heads; here heads have different features and share the "
        "temperature.";
    mechanism.related = {"gcnet", "attention_pooling", "cbam", "mean_query"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::class_residual;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "dog dog cat tree tree tree house red";
    mechanism.example.stage = "class_shares";
    mechanism.example.look_for =
        "A row for each class and a column for each place. Every row sums to 1.2: 1 for the mean, in which "
        "all places have 1/8, and λ = 0.2 for where the class shows. Let T be 0 and all rows are the same; "
        "let it be 1000 and each has one word, or its copies, above the rest.";
    mechanism.properties = {
        .row_stochastic = false, .permutation_equivariant = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
