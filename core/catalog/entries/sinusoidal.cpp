#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_sinusoidal() {
    Mechanism mechanism;
    mechanism.name = "Sinusoidal positions";
    mechanism.also_known_as = {"sinusoidal positional encoding", "absolute positions"};
    mechanism.family = "Positions";
    mechanism.order = 1600;
    mechanism.formula =
        R"(@query{Q} = (@tokens{X} + @position{P})\,W_q,\quad )"
        R"(@position{P_{p,2i}} = \sin \frac{p}{10000^{2i/d}},\ P_{p,2i+1} = \cos \frac{p}{10000^{2i/d}},)"
        R"(\quad )"
        R"(@output{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{@scores{@query{Q}\,)"
        R"(@key{K}^\top}}{\sqrt{d_k}}}\right)}\,@value{V}})";
    mechanism.papers = {{"Vaswani et al., Attention Is All You Need (section 3.5)", 2017}};
    mechanism.explanation =
        "Attention itself does not know the order of its tokens: permute them and the outputs are "
        "permuted. Adding a pattern of sines and cosines to every token vector makes places differ. "
        "Each pair of features is a clock hand that turns at its own speed, from one radian per "
        "token to nearly none. The product of two places depends on their distance alone, and "
        "moving by k places is one fixed rotation, so that a head can learn to look k tokens back. "
        "Words and places share the same features and have to be told apart by the projections.";
    mechanism.cost = "n d additions before the projections; the rest as without positions";
    mechanism.correction =
        "Two layouts are in use, sine and cosine interleaved as in the paper or all sines before "
        "all cosines: a permutation of columns. tensor2tensor spaces its wavelengths by 10000^(i / "
        "(d/2 − 1)), so that its numbers are not those of the paper. The paper also multiplies the "
        "token vectors by √d first.";
    mechanism.related = {"learned_positions", "rope", "sandwich", "self_attention"};

    AttentionSpec spec;
    spec.position.type = PositionType::sinusoidal;
    compose(mechanism, spec, {source_knob(), projections_knob(), projection_bias_knob(), causal_knob()});

    mechanism.example.query = "the river bank and the bank of the river";
    mechanism.example.look_for =
        "The stage of positions shows stripes that slow down from left to right; with them the two "
        "words “bank” no longer have the same row of weights.";
    mechanism.example.stage = "position";
    return mechanism;
}

}  // namespace headlight
