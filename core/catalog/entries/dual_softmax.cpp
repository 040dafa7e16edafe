#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_dual_softmax() {
    Mechanism mechanism;
    mechanism.name = "Dual softmax";
    mechanism.also_known_as = {"dual-softmax matching", "mutual softmax"};
    mechanism.family = "Normalisers";
    mechanism.order = 5585;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad )"
        R"(@weights{A_{ij} = @row_shares{\frac{e^{s_{ij}}}{\sum_l e^{s_{il}}}}\cdot @column_shares{)"
        R"(\frac{e^{s_{ij}}}{\sum_l e^{s_{lj}}}}},\quad )"
        R"(@scaled_scores{s_{ij} = \frac{@scores{@query{q_i} \cdot @key{k_j}}}{\sqrt{d_k}}})";
    mechanism.papers = {{"Sun et al., LoFTR: Detector-Free Local Feature Matching with Transformers", 2021}};
    mechanism.explanation =
        "Which point of one photograph is which point of another? A softmax over the second image says where "
        "a point would like to be, but many points may like the same place, and a point that is hidden in "
        "the other photograph must like some. So both sides are asked. The softmax of the row says how much "
        "of its look a query gives to the key, the softmax of the column how much of the looks at that key "
        "are this query’s; their product is large only where each is the other’s choice. A query that nobody "
        "chooses back has a row next to 0: it has no partner. Unlike Sinkhorn’s iterations it takes one "
        "step, and neither rows nor columns sum to 1.";
    mechanism.cost = "n m (d + d_v) multiply-adds and 2 n m exponentials per head; memory n m.";
    mechanism.correction =
        "It looks at whole columns and so at later queries: with a causal mask the weights of early rows "
        "would still depend on later ones. LoFTR reads matches off the map and weighs no values with it; its "
        "products are divided by 0.1 d in the place of √d. Exchanging queries and keys transposes the map.";
    mechanism.related = {"matchability", "dustbin", "sinkhorn", "slot", "cross", "soft"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.normalizer.type = NormalizerType::dual_softmax;
    compose(mechanism, spec,
            component_knobs(spec) + temperature_knob() + projection_knobs() + key_lengths_knob());

    mechanism.example.query = "the cat sleeps on the sofa";
    mechanism.example.key = "a kitten rests on our couch";
    mechanism.example.look_for =
        "A softmax lets “cat” give “a” 0.19, nearly as much as “kitten”. But “a” looks like “the”, and gives "
        "“cat” nothing back: 0.002 is left. “kitten” keeps 0.13, “sofa” and “couch” have 0.13, and “on”, "
        "which is in both, 0.46. “sleeps” has found nobody: its row sums to 0.12.";
    mechanism.example.beside = "cross";
    mechanism.properties = {
        .row_stochastic = false, .permutation_equivariant = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
