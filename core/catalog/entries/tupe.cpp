#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_tupe() {
    Mechanism mechanism;
    mechanism.name = "Untied positions (TUPE)";
    mechanism.also_known_as = {"transformer with untied positional encoding", "TUPE-A"};
    mechanism.family = "Positions";
    mechanism.order = 5315;
    mechanism.formula = R"(@output{@weights{\operatorname{softmax}\left(@biased_scores{@scaled_scores{)"
                        R"(\frac{@scores{@query{q_i} \cdot @key{k_j}}}{\sqrt{2 d_k}}} + @position_bias{)"
                        R"(\operatorname{reset}\left(@place_scores{\frac{(@query_of_place{p_i U_Q}) \cdot ()"
                        R"(@key_of_place{p_j U_K})}{\sqrt{2 d_k}}}\right)}}\right)}\,@value{V}})";
    mechanism.papers = {{"Ke, He and Liu, Rethinking Positional Encoding in Language Pre-training", 2021}};
    mechanism.explanation =
        "With a vector of the place added to the word, q · k has four terms: word to word, word to place, "
        "place to word, place to place, all by the same two matrices. The two in the middle ask a word what "
        "it has to do with the seventh place, which is hardly ever anything. TUPE leaves them out and adds "
        "up the other two, with matrices of their own for the places. The second term knows nothing of the "
        "words, so it is made once for all texts, and in the paper once for all layers. As two sums have "
        "twice the variance, both are divided by √2 more. The first token of such models, [CLS], stands for "
        "the whole text and has no place in it: seen from it all places are one, and it from all places. So "
        "its row and its column of the second term are replaced by two learned numbers, θ₁ and θ₂.";
    mechanism.cost = "(n + m) d h d_k and n m h d_k for the places, once for all texts; n m additions each";
    mechanism.correction =
        "The places are not added to the words as well. The released code passes the vectors p through a "
        "layer norm and takes θ₁ and θ₂ from the products of two further places with themselves; here they "
        "are the numbers that the paper’s equations have. TUPE-R adds T5’s biases to it, before the first "
        "token is reset.";
    mechanism.related = {"deberta", "learned_positions", "t5", "transformer_xl"};

    AttentionSpec spec;
    spec.position.type = PositionType::tupe;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + causal_knob());

    mechanism.example.query = "row row row row row row row row row row";
    mechanism.example.look_for =
        "One word ten times over, so that places alone make a difference. The first row is flat: to the "
        "first token all places are one. In the other rows each place has favourites, wherever they stand.";
    return mechanism;
}

}  // namespace headlight
