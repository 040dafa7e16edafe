#include "core/catalog/knob.h"
#include "core/catalog/publication_years.h"

namespace headlight {

Mechanism declare_matchability() {
    Mechanism mechanism;
    mechanism.name = "Matchability (LightGlue)";
    mechanism.also_known_as = {"LightGlue’s assignment", "double softmax with matchability"};
    mechanism.family = "Normalisers";
    mechanism.order = 5586;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{P_{ij}}\,@value{v_j},\quad )"
        R"(@weights{P_{ij} = @query_matchability{\sigma(x_i W + b)}\, @key_matchability{\sigma(y_j W + b)})"
        R"(\,@pair_shares{@row_shares{\frac{e^{s_{ij}}}{\sum_l e^{s_{il}}}}\cdot @column_shares{)"
        R"(\frac{e^{s_{ij}}}{\sum_l e^{s_{lj}}}}}},\quad )"
        R"(@scores{s_{ij} = \frac{@query{q_i} \cdot @key{k_j}}{\sqrt{d_k}}})";
    mechanism.papers = {
        paper_of("Lindenberger, Sarlin and Pollefeys",
                 {.title = "LightGlue: Local Feature Matching at Light Speed",
                  .authors = "Lindenberger, Philipp and Sarlin, Paul-Edouard and Pollefeys, Marc",
                  .kind = Publication::Kind::proceedings,
                  .venue = venues::iccv,
                  .year = 2023})};
    mechanism.explanation =
        "Which point of one photograph is which point of another, and has it one there at all? SuperGlue "
        "answers both at once, by a bin that takes what finds no partner and a hundred rounds that bring all "
        "sums to where they belong. LightGlue asks apart. Each point says by itself, from its vector alone, "
        "how likely it is to be seen in the other photograph: one matrix and a sigmoid, the same for both "
        "sides. The double softmax says of each pair whether both prefer each other, as if everybody had a "
        "partner. The weight of a pair is the product of the three, large only where both are there and both "
        "choose each other, and nothing has to be repeated. As both answers are plain numbers of a layer, "
        "points that are surely not matchable can be dropped before the next one, and an easy pair of "
        "photographs is done after a few.";
    mechanism.cost = "n m (d + d_v) multiply-adds and 2 n m exponentials per head, and (n + m) d for the "
                     "matchabilities; memory n m. d + 1 parameters per head.";
    mechanism.correction =
        "Neither rows nor columns sum to 1, and what is missing has two causes: a point that is unlikely to "
        "have a partner, and one that several want. A matchability does not look at the other photograph: "
        "what a point knows of it, it has from the layers of cross attention before. LightGlue "
        "projects both sides by one matrix (heads.sharing=query_key), here and in those layers, where one "
        "map of scores so serves both directions, along its rows and along its columns: `cross` once for "
        "each side. It reads matches off the map, those above a threshold and the largest of row and column, "
        "and weighs no values with it; its scores are of one head.";
    mechanism.related = {"dual_softmax", "dustbin", "cross", "sigmoid"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.normalizer.type = NormalizerType::dual_softmax;
    spec.algorithm.type = AlgorithmType::matchability;
    compose(mechanism, spec,
            component_knobs(spec) + temperature_knob() + projection_knobs() + key_lengths_knob());

    mechanism.example.query = "the cat sleeps on the sofa";
    mechanism.example.key = "a kitten rests on our couch";
    mechanism.example.look_for =
        "“cat” and “kitten” choose each other, 0.13 by the double softmax alone. But the matrix, which has "
        "learned nothing yet, takes 0.39 for the chance that “cat” has a partner and 0.30 for “kitten”, and "
        "0.016 is left. “on” and “on”, 0.67 each, keep 0.21 of 0.46. Step through the stages: two columns of "
        "chances make one map of the other.";
    mechanism.example.beside = "dual_softmax";
    mechanism.properties = {
        .row_stochastic = false, .permutation_equivariant = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
