#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_ntm() {
    Mechanism mechanism;
    mechanism.name = "Neural Turing machine read head";
    mechanism.also_known_as = {"NTM addressing", "NTM writing", "differentiable neural computer", "DNC"};
    mechanism.family = "Memory";
    mechanism.order = 4000;
    mechanism.formula =
        R"(@content_weights{w^c = \operatorname{softmax}\left(\beta\,@cosines{\cos(@query{q_t}, @key{K})})"
        R"(\right)},\quad @interpolated_weights{w^g = g\,w^c + (1 - g)\,w_{t-1}},\quad )"
        R"(@shifted_weights{\tilde w_i = \sum_j w^g_j\, s_{i-j}},\quad )"
        R"(@weights{w_i = \frac{\tilde w_i^{\gamma}}{\sum_j \tilde w_j^{\gamma}}},\quad )"
        R"(@output{r = @weights{w}\,@value{V}})";
    mechanism.papers = {
        {"Graves, Wayne and Danihelka, Neural Turing Machines", 2014},
        {"Graves et al., Hybrid computing using a neural network with dynamic external memory", 2016}};
    mechanism.explanation =
        "A head reads a memory as a tape, by what is in the cells and by where it stood. First the cosine of "
        "the query with each cell, times a key strength β, goes through a softmax: the cells that look "
        "alike. Then a gate g mixes that with the weights of the step before. Then the whole focus is "
        "shifted by a learned distribution over one cell back, none and one ahead, around the ends. Last it "
        "is sharpened by a power γ, because shifts blur. With g = 0 and the shift at one ahead the head "
        "walks along the tape whatever is written there, which dot products alone cannot do. Here the token "
        "vectors are the memory, and each token is a step of the head. With a written memory each token "
        "first writes: a second head finds its cells, takes out of them what the token says, feature by "
        "feature, and adds its value. The differentiable neural computer came after: its writing head knows "
        "which cells are free, and links between cells that were written one after the other let its reading "
        "head go on and back in the order of writing.";
    mechanism.cost = "n m (d + d_v + 4) multiply-adds per head; steps run one after another, for each needs "
                     "the weights before.";
    mechanism.correction =
        "It is older than the attention in Bahdanau’s published paper of 2015 and appeared weeks after its "
        "preprint; its cosine has no learned matrix, and its strength β does what a temperature does, the "
        "other way up. With a written memory each feature has a map of its own, for a write takes out of "
        "features; the mean is shown.";
    mechanism.related = {"hopfield", "scaled_dot_product"};
    mechanism.properties.row_stochastic = false;  // of a written memory: what is erased is lost

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::turing;
    compose(mechanism, spec, component_knobs(spec) + source_knob() + projections_knob());

    mechanism.example.query = "one two three four five six seven eight";
    mechanism.example.look_for =
        "Untrained, the head walks backwards: from the first cell round the end of the tape to the last "
        "one, and on from cell to cell, a little more blurred with each step. Set addressing to location, "
        "and what is in the cells no longer matters at all.";
    return mechanism;
}

}  // namespace headlight
