#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_area() {
    Mechanism mechanism;
    mechanism.name = "Area attention";
    mechanism.also_known_as = {"attention to spans"};
    mechanism.family = "Scores";
    mechanism.order = 5247;
    mechanism.formula =
        R"(@context{o_i = \sum_{a} @area_weights{p_{ia}} \sum_{j \in a} @value{v_j} = \sum_j )"
        R"(@weights{A_{ij}}\,v_j},\quad )"
        R"(@area_weights{p_i = \operatorname{softmax}_a\left(@area_scores{\frac{@query{q_i} \cdot )"
        R"(@area_key{\mu_a}}{\sqrt{d}}}\right)},\quad )"
        R"(@area_key{\mu_a = \frac{1}{|a|} \sum_{j \in a} @key{k_j}},\quad )"
        R"(@weights{A_{ij} = \sum_{a \ni j} p_{ia}},\quad |a| \le L)";
    mechanism.papers = {{"Li, Kaiser, Bengio and Si, Area Attention", 2019}};
    mechanism.explanation =
        "Attention looks at single words or patches, though names have several words and things cover "
        "several patches. Here a query chooses among areas: all runs of 1, 2, … up to L neighbours. The key "
        "of an area is the mean of its keys, and its value the sum of its values. One softmax over all of "
        "them decides, so that the size of what is looked at follows from the text. Whoever is given an area "
        "is given all of it: the map shown adds up, for each word, what the areas get that hold it. Words in "
        "the middle are in more areas than those at the ends.";
    mechanism.cost =
        "about L n m d multiply-adds per head for the scores and L² n m / 2 to add them up, or "
        "n m d_v L for values of areas; sums of neighbours come from running sums. Memory L n m.";
    mechanism.correction =
        "Values are summed, not averaged, so a row of the map sums to more than 1, up to L; with means it "
        "sums to 1. That the key is a mean and the value a sum is the paper’s; the standard deviation of the "
        "keys and the size of the area, which it adds to the key in a second form, are left out here. A "
        "query sees an area only if it sees every word of it: under a causal mask none reaches past the "
        "query.";
    mechanism.equivalences = {equal_when("scaled_dot_product", "areas of one key are the keys themselves",
                                         {.here = {{"widest", Index(1)}}})};
    mechanism.related = {"moba", "multi_token", "local_m", "lambda_layer"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::area;
    compose(mechanism, spec, component_knobs(spec) + causal_knob() + projections_knob() + source_knob());

    mechanism.example.query = "the old man and the young man saw the sea";
    mechanism.example.look_for = "Weights lie in stripes of neighbours, where single keys have peaks of one "
                                 "word, and rows sum to more than 1.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties.row_stochastic = false;
    return mechanism;
}

}  // namespace headlight
