#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_dynamic_convolution() {
    Mechanism mechanism;
    mechanism.name = "Dynamic convolution";
    mechanism.also_known_as = {"DynamicConv", "lightweight convolution", "LightConv"};
    mechanism.family = "Scores";
    mechanism.order = 5195;
    mechanism.formula = R"(@output{o_i} = \sum_{c=0}^{k-1} @offset_weights{\operatorname{softmax}\left()"
                        R"(@offset_scores{@query{q_i}\,W}\right)_c}\,@value{v_{i-b+c}},\quad )"
                        R"(@weights{A_{ij} = \operatorname{softmax}(q_i\,W)_{j-i+b}})";
    mechanism.papers = {{"Wu et al., Pay Less Attention with Lightweight and Dynamic Convolutions", 2019}};
    mechanism.explanation =
        "Must a token be compared with others to know how to weigh them? Here it is not. A convolution has "
        "one weight for each place around the token. Lightweight convolution makes these few numbers a "
        "softmax, and all channels of a head share them. Dynamic convolution lets each token make its own "
        "kernel from its query: “a verb takes what stands right before it”. No key is read, and the number "
        "of weights is that of the window, not of the text, so that the cost grows with n and not with n². "
        "As a map it is a band along the diagonal, whose rows are kernels, each moved to its token’s place. "
        "The window has k places and begins b before the token: k − 1 where it looks back, half as many "
        "where the token is in the middle.";
    mechanism.cost = "n k (d + d_v) multiply-adds per head for a window of k places; memory n k. A cache "
                     "holds the last k values. Here the band is kept as a map of n².";
    mechanism.correction =
        "The softmax runs over the places of the window, also those before the beginning of the text, where "
        "zeros stand: the first rows sum to less than 1. With “renormalised”, an option of the authors’ "
        "code, they sum to 1. In the paper each head’s kernel is made from the whole token, W of [d, h k], "
        "and a gated linear unit comes before; here it is made from the head’s query.";
    mechanism.related = {"dense_synthesizer", "random_synthesizer", "window", "aft"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::dynamic_convolution;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "the king met the queen and the man met the woman";
    mechanism.example.look_for =
        "Every “the” has the same three weights, for itself and the two places before it, whatever stands "
        "there; so has every “met”. Of the first “the” one weight is left: the other two lie before the "
        "text. Nothing is farther away than the window.";
    mechanism.properties = {.row_stochastic = false, .causal = true, .streaming = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight
