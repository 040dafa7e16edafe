#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_forward_attention() {
    Mechanism mechanism;
    mechanism.name = "Forward attention";
    mechanism.also_known_as = {"stepwise monotonic attention", "monotonic TTS alignment"};
    mechanism.family = "Normalisers";
    mechanism.order = 5545;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad )"
        R"(@weights{A_{ij} = \frac{@arrivals{r_{ij}}\,e^{@scaled_scores{s_{ij}}}}{\sum_l r_{il})"
        R"(\,e^{s_{il}}}},\quad @arrivals{r_{ij} = @weights{A_{i-1,j}} + @weights{A_{i-1,j-1}}})";
    mechanism.papers = {
        {"Zhang et al., Forward Attention in Sequence-to-Sequence Acoustic Modeling for Speech Synthesis",
         2018},
        {"He et al., Robust Sequence-to-Sequence Acoustic Modeling with Stepwise Monotonic Attention for "
         "Neural TTS (equation 8)",
         2019}};
    mechanism.explanation =
        "A voice that reads a text must not skip a letter, repeat one or go back. So a query can look only "
        "where the one before it looked, or one key further: the row above and the same row moved on by one "
        "are added, and that is what can be reached. It is multiplied by the softmax of the scores, which "
        "says where this query would like to be, and divided by its sum. The sum over all ways of standing "
        "still and going on is that of a hidden Markov model, and the rule is its forward pass: hence the "
        "name. Stepwise monotonic attention decides it at each key by a coin: with p, the sigmoid of the "
        "score, the query stays, with 1 − p it goes on. There nothing is divided, so that the weight of a "
        "key can come only from its neighbour, and in use the coin can be a hard choice.";
    mechanism.cost =
        "n m d multiply-adds for the scores, n m d_v for the values and some ten operations for each "
        "pair per head; memory n m. Rows go one after another.";
    mechanism.correction = "The walk begins at the first key before the first query, which may already have "
                           "gone one further: query i sees nothing beyond key i + 1. Common code replaces "
                           "weights below 10⁻⁶ by that number, so that some weight appears everywhere; here "
                           "logarithms keep small ones. The stepwise form loses what goes on from the last "
                           "key. The transition agent of the first paper, which weighs staying against "
                           "going, is left out.";
    mechanism.related = {"monotonic", "mocha", "location_aware", "gaussian_window"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.normalizer.type = NormalizerType::forward;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + projection_knobs());

    mechanism.example.query = "the cat sleeps on the sofa";
    mechanism.example.key = "the kitten sleeps on the couch";
    mechanism.example.look_for = "A staircase: cells above the second diagonal are exactly 0. A softmax "
                                 "gives “cat” 0.26 for “kitten”; of the two words that it can reach here "
                                 "“kitten” has 0.68. The second “the” would look at the first one just as "
                                 "much, 0.36; here nearly nothing is left there and the second has 0.57.";
    mechanism.example.beside = "cross";
    mechanism.properties.row_stochastic = false;  // stepwise: what goes on from the last key is lost
    mechanism.properties.streaming = true;
    mechanism.properties.sparse = true;
    return mechanism;
}

}  // namespace headlight
