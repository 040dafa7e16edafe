#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_self_attention() {
    Mechanism mechanism;
    mechanism.name = "Self-attention";
    mechanism.also_known_as = {"intra-attention", "single-head self-attention"};
    mechanism.family = "Sources";
    mechanism.order = 600;
    mechanism.formula = R"(@query{Q = @tokens{X} W_q},\;@key{K = @tokens{X} W_k},\;@value{V = @tokens{X} )"
                        R"(W_v},\quad@output{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{)"
                        R"(@scores{@query{Q}\,@key{K}^\top}}{\sqrt{d_k}}}\right)}\,@value{V}})";
    mechanism.papers = {{"Vaswani et al., Attention Is All You Need", 2017},
                        {"Cheng, Dong and Lapata, Long Short-Term Memory-Networks for Machine Reading (named "
                         "intra-attention)",
                         2016}};
    mechanism.explanation =
        "Queries, keys and values are three learned views of one sequence, so that a token can ask for "
        "something other than what it offers. Every token attends to all positions, its own included. The "
        "scores X W_q W_k^T X^T are no longer symmetric. Encoders and decoders both use it; in a decoder it "
        "is causal. It did not begin attention: Bahdanau’s translation model had attention in 2014, and the "
        "Transformer removed the recurrence around it. Until they are trained the matrices here are random, "
        "so compare with the identity projections to see what they do.";
    mechanism.cost = "n² (d + d_v) multiply-adds for scores and mixing and 3 n D d for the projections; "
                     "memory n² for the weights.";
    mechanism.correction = "Often said to weigh words by their relation in meaning: the matrices are "
                           "learned, and before training the map means nothing. With Q of width d_q and K of "
                           "width d_k printed apart, d_q has to equal d_k.";
    mechanism.equivalences = {equal_when("scaled_dot_product",
                                         "without projections queries, keys and values are the token vectors",
                                         {.here = {{"projections", std::string("none")}}})};
    mechanism.related = {"scaled_dot_product", "basic_self_attention", "multi_head", "causal", "cross"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.score.type = ScoreType::scaled_dot;
    compose(mechanism, spec,
            {projections_knob(ProjectionType::learned), projection_bias_knob(), temperature_knob()});

    mechanism.example.query = "the animal did not cross the street because it was tired";
    mechanism.example.look_for =
        "The map is not symmetric any more: what a word asks for (its row) and what it offers (its column) "
        "are different projections.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
