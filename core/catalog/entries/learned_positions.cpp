#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_learned_positions() {
    Mechanism mechanism;
    mechanism.name = "Learned absolute positions";
    mechanism.also_known_as = {"position embeddings", "BERT and GPT-2 positions"};
    mechanism.family = "Positions";
    mechanism.order = 1610;
    mechanism.formula =
        R"(@query{Q} = (@tokens{X} + @position{E})\,W_q,\quad )"
        R"(@output{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{@scores{@query{Q}\,)"
        R"(@key{K}^\top}}{\sqrt{d_k}}}\right)}\,@value{V}})";
    mechanism.papers = {
        {"Gehring et al., Convolutional Sequence to Sequence Learning", 2017},
        {"Devlin et al., BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
         2019}};
    mechanism.explanation =
        "Every place of the sequence has a vector of its own, learned like those of words and added "
        "to them. BERT, GPT-2 and the first vision transformers do it so. Nothing in it says that "
        "place 5 is next to place 6: training has to find that, and usually does, so that the "
        "products of neighbouring places grow alike. There is no vector for a place beyond the "
        "longest text of the training, hence no reading on, unless the table is stretched: the places of "
        "a longer text then lie between its rows. Here the table is drawn at random, as it is before the "
        "first step of training. BERT adds a second learned vector, the same for all tokens of a segment: "
        "the first sentence or the second, the question or the text.";
    mechanism.correction = "They are added to words before the projections, so that values have them as "
                           "well; RoPE and biases leave values alone. A table of 512 rows has no row for the "
                           "next token: most code fails there, with an index out of range.";
    mechanism.cost = "tokens × d parameters and n d additions; the rest as without positions";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "with a table of zeros no place differs from another",
                   {.parameters = {{"E_pos", "zeros"}}}),
    };
    mechanism.related = {"sinusoidal", "shaw", "t5"};

    AttentionSpec spec;
    spec.position.type = PositionType::learned;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + causal_knob());

    mechanism.example.query = "the dog bit the man and the man bit the dog";
    mechanism.example.look_for =
        "Equal words at different places get different rows: the random vectors of their places "
        "were added to them.";
    return mechanism;
}

}  // namespace headlight
