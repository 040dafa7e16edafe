#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_linear_chain() {
    Mechanism mechanism;
    mechanism.name = "Linear-chain structured attention";
    mechanism.also_known_as = {"structured attention", "CRF attention", "segmentation attention"};
    mechanism.family = "Normalisers";
    mechanism.order = 5562;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad )"
        R"(@weights{A_{ij} = p(z_j = 1) = \sigma(@scaled_scores{s_{ij}} + @messages_from_left{l_{ij}} + )"
        R"(@messages_from_right{r_{ij}})},\quad )"
        R"(p(z) = \frac{1}{Z} \exp\left(\sum_j s_{ij} z_j + J \sum_j z_j z_{j+1}\right))";
    mechanism.papers = {{"Kim et al., Structured Attention Networks", 2017}};
    mechanism.explanation =
        "A softmax chooses one key. Often a whole stretch is meant, a phrase or a name. So each key is "
        "chosen or not, z = 1 or 0, and the query’s distribution is over all 2ᵐ choices: a choice counts by "
        "the scores of the chosen keys and by J for each pair of neighbours that are both chosen. The weight "
        "of a key is its chance of being chosen, summed over all choices, and that takes no more than one "
        "pass from the left and one from the right: a key hears from its neighbour how much the keys on that "
        "side speak for it. With J above 0 a key next to a likely one becomes likely itself; with J = 0 "
        "nobody hears anything and each weight is the sigmoid of its own score; below 0 neighbours avoid "
        "each other. Rows sum to the number of keys that are expected to be chosen.";
    mechanism.cost = "n m d multiply-adds for the scores, n m d_v for the values and some ten operations for "
                     "each pair and direction per head; memory n m. The passes go key by key.";
    mechanism.correction = "The weights are marginals and not a distribution over keys: they do not sum to "
                           "1. The paper has four numbers for two neighbours, as “learned” does here; for z "
                           "of 0 and 1 only θ₁₁ + θ₀₀ − θ₀₁ − θ₁₀ couples them, the rest moves the scores.";
    mechanism.related = {"sigmoid", "dependency_trees", "stick_breaking"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.score.type = ScoreType::euclidean;
    spec.normalizer.type = NormalizerType::chain;
    compose(mechanism, spec,
            component_knobs(spec) + temperature_knob() + projection_knobs() + key_lengths_knob());

    mechanism.example.query = "the cat sleeps on the sofa";
    mechanism.example.key = "the kitten sleeps on the couch";
    mechanism.example.values = {{"coupling", 4.0}};
    mechanism.example.look_for = "By itself “on” would choose either “the” with 0.15. The second one stands "
                                 "beside “on”, which is chosen, and comes to 0.85; the first keeps its 0.15. "
                                 "“sleeps” takes its neighbour “kitten” along, 0.52 in the place of 0.04. "
                                 "Set the coupling to 0 and both fall back.";
    mechanism.properties = {.row_stochastic = false, .streaming = true};
    return mechanism;
}

}  // namespace headlight
