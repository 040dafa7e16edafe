#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_dense_synthesizer() {
    Mechanism mechanism;
    mechanism.name = "Dense synthesizer";
    mechanism.also_known_as = {"Synthesizer", "attention without comparison"};
    mechanism.family = "Scores";
    mechanism.order = 5180;
    mechanism.formula = R"(@scores{s_i = W_{\text{slots}}^\top @hidden{\max(0,\, W_1^\top @query{q_i})}},)"
                        R"(\quad @output{@weights{\operatorname{softmax}(@scores{S})}\,@value{V}})";
    mechanism.papers = {
        {"Tay et al., Synthesizer: Rethinking Self-Attention for Transformer Models (section 3)", 2021}};
    mechanism.explanation =
        "Is the comparison of tokens needed at all? Here every token writes its own row of scores: "
        "a small network with one hidden layer turns its vector into a number for the first place, "
        "the second, and so on. No pair of tokens is ever compared and there are no keys. Trained "
        "on translation it came surprisingly close to the Transformer, and mixed with dot products "
        "it did better; on tasks that match one sentence against another it falls behind. Equal "
        "words write equal rows, wherever they stand. The network fixes how long a text may be.";
    mechanism.cost = "n d d_a + n m (d_a + d_v) multiply-adds per head; memory n m; d d_a + d_a m parameters";
    mechanism.correction =
        "The original has a bias in both layers; the second one adds the same row of scores for "
        "every token, a random synthesizer of one row.";
    mechanism.related = {"random_synthesizer", "location", "self_attention"};

    AttentionSpec spec;
    spec.score.type = ScoreType::dense_synthesizer;
    compose(mechanism, spec,
            {score_bias_knob(), attention_dimension_knob(), projections_knob(), causal_knob()});

    mechanism.example.query = "the bank of the river and the bank that lends money";
    mechanism.example.look_for =
        "The two rows of “bank” are the same, and so are the three of “the”: a token writes its row "
        "knowing nothing of its neighbours.";
    return mechanism;
}

}  // namespace headlight
