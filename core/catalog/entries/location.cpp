#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_location() {
    Mechanism mechanism;
    mechanism.name = "Location-based attention";
    mechanism.also_known_as = {"Luong location", "attention without keys"};
    mechanism.family = "Scores";
    mechanism.order = 1010;
    mechanism.formula = R"(@scores{s_i = W_{\text{slots}}^\top @query{q_i}},\quad )"
                        R"(@output{@weights{\operatorname{softmax}(@scores{S})}\,@value{V}})";
    mechanism.papers = {{"Luong, Pham and Manning, Effective Approaches to Attention-based Neural Machine "
                         "Translation (section 3.1, equation 8)",
                         2015}};
    mechanism.explanation =
        "The query alone decides where to look: a matrix turns the decoder’s state into a score for the "
        "first word of the source, the second, the third, and so on, whatever words stand there. Permuting "
        "the source changes no weight. It can learn “word five goes with word five”, which often holds "
        "between related languages, and nothing else. The matrix has as many columns as the longest sentence "
        "has words; for a shorter one the rest is cut off. Content scores and this one are opposites: one "
        "knows what and not where, the other where and not what.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head; memory n m; d m parameters";
    mechanism.correction =
        "Luong’s own code takes the softmax over all slots and zeroes those past the sentence’s end "
        "without dividing again, so that rows of short sentences sum to less than 1. Here the "
        "columns are cut off first.";
    mechanism.related = {"location_aware", "dense_synthesizer", "dot"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.score.type = ScoreType::location;
    compose(mechanism, spec, {projections_knob(), key_lengths_knob()});

    mechanism.example.query = "the cat sleeps on the sofa";
    mechanism.example.key = "a kitten rests on our couch";
    mechanism.example.look_for =
        "Equal query words have equal rows, and nothing in the source has a say: put its words into "
        "another order and the map stays as it is.";
    mechanism.properties.streaming = true;
    return mechanism;
}

}  // namespace headlight
