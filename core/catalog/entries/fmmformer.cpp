#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_fmmformer() {
    Mechanism mechanism;
    mechanism.name = "FMMformer";
    mechanism.also_known_as = {"near-field and far-field attention", "fast multipole attention",
                               "band plus low rank"};
    mechanism.family = "Low rank";
    mechanism.order = 3658;
    mechanism.formula =
        R"(@weights{A = w\,@near_weights{D} + \sum_l w_l\,@far_weights_1{L_l}},\quad )"
        R"(@near_weights{D_{ij} = \operatorname{softmax}_{|i - j| \le k}\left(@scores{\frac{@query{q_i} )"
        R"(\cdot @key{k_j}}{\sqrt{d}}}\right)},\quad )"
        R"(@far_weights_1{(L_l)_{ij} = \frac{\phi_l(q_i) \cdot \phi_l(k_j)}{\sum_j \phi_l(q_i) \cdot )"
        R"(\phi_l(k_j)}},\quad @output{O = A\,@value{V}\,W_o})";
    mechanism.papers = {{"Nguyen et al., FMMformer: Efficient and Flexible Transformer via Decomposed "
                         "Near-field and Far-field Attention",
                         2021}};
    mechanism.explanation =
        "The pull of many stars on one another can be computed fast: near ones are taken one by one, far "
        "ones as a few sums. Attention maps invite the same: take a band along the diagonal out of one, and "
        "what is left is nearly of low rank. So this map is the sum of two. The near one is a softmax among "
        "the tokens up to k places away. The far one is linear attention over all tokens, with features "
        "elu(x) + 1, and a second or third kind of features adds to its rank. Learned numbers of each head "
        "say what both count. A linear map alone cannot look at one neighbour sharply, and a band alone sees "
        "nothing beyond it; both cost time that grows with the length and not its square.";
    mechanism.cost =
        "n (2 k + 1) (d + d_v) multiply-adds per head for the band and 2 n d d_v for each linear "
        "map; as computed here, with all maps, n m (2 d + d_v).";
    mechanism.correction =
        "The far map is not what the band leaves over: it is over all keys, near ones too. The third kind of "
        "features in the paper, tanh(x), has both signs, so that a row may sum to 0; it is left out. The "
        "authors’ code has a number for each feature in the place of w, and begins with 0 for the band; here "
        "both halves count one half at first.";
    mechanism.related = {"linear", "window", "multiresolution", "bigbird"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::near_and_far;
    compose(mechanism, spec, component_knobs(spec) + causal_knob() + projections_knob() + key_lengths_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "A band of sharp weights along the diagonal, and a flat ground outside it that reaches every word. "
        "Step back to either of the two maps.";
    mechanism.example.beside = "linear";
    mechanism.properties.row_stochastic = false;
    return mechanism;
}

}  // namespace headlight
