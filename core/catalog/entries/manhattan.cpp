#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_manhattan() {
    Mechanism mechanism;
    mechanism.name = "L1 distance";
    mechanism.also_known_as = {"Manhattan distance", "adder attention"};
    mechanism.family = "Scores";
    mechanism.order = 5155;
    mechanism.formula = R"(@scores{s_{ij} = -|@query{q_i} - @key{k_j}|_1 = -\sum_c |q_{ic} - k_{jc}|},)"
                        R"(\quad @output{@weights{\operatorname{softmax}(@scores{S})}\,@value{V}})";
    mechanism.papers = {{"Chen et al., AdderNet: Do We Really Need Multiplications in Deep Learning?", 2020},
                        {"Shu et al., Adder Attention for Vision Transformer", 2021}};
    mechanism.explanation =
        "The score is how far apart query and key are, feature by feature, added up with the sign turned: "
        "the way from one corner to another in a town whose streets cross at right angles. Nothing is "
        "multiplied. A chip spends far less on a subtraction than on a product, and that is why AdderNet "
        "put this distance in the place of the products of a convolution, and Adder Attention in the "
        "place of q · k. Against the squared distance two things change. One feature that is far off counts "
        "as much as it is off and not as its square, so that it does not decide the score alone. And "
        "near keys are held apart: squares of small differences are tiny, their amounts are not.";
    mechanism.cost = "n m d subtractions and n m d_v multiply-adds per head; memory n m";
    mechanism.correction =
        "AdderNet has no attention: it compares a filter with a patch. The layer of Adder Attention has an "
        "identity mapping as well, since maps of distances alone were of too low a rank; here there is the "
        "map alone. Nothing divides the sum, which grows with d: that is left to the temperature.";
    mechanism.related = {"euclidean", "gaussian_kernel", "cosine"};

    AttentionSpec spec;
    spec.score.type = ScoreType::manhattan;
    compose(mechanism, spec, {temperature_knob(), source_knob(), projections_knob()});

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.values = {{"temperature", 8.0}};
    mechanism.example.look_for =
        "With the temperature √d = 8 both maps are divided by the same number. “queen” is nearest to “king” "
        "in both, but beside the squared distance its weight is only a third: near words are held apart.";
    mechanism.example.beside = "euclidean";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
