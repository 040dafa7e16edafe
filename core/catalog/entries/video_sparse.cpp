#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_video_sparse() {
    Mechanism mechanism;
    mechanism.name = "Video sparse attention";
    mechanism.also_known_as = {"VSA", "coarse and fine attention"};
    mechanism.family = "Selections";
    mechanism.order = 5474;
    mechanism.formula =
        R"(@output{o_i} = @fine_weights{\operatorname{softmax}\left(\frac{@query{q_i} \cdot @key{k_j}}{)"
        R"(\sqrt{d}},\ j \in \text{the best blocks}\right)}\,@value{V} + @coarse_gates{(x_i W + b)} \circ )"
        R"(@coarse_weights{\operatorname{softmax}\left(\frac{\bar{q}_a \cdot \bar{k}_c}{\sqrt{d}}\right)}\,)"
        R"(\bar{V},\quad @weights{A_{ij}} = F_{ij} + \bar{g}_i\, \frac{C_{ac}}{b})";
    mechanism.papers = {{"Zhang et al., Faster Video Diffusion with Trainable Sparse Attention", 2025}};
    mechanism.explanation =
        "A few seconds of video are a hundred thousand tokens, most of which look at few places. Which? The "
        "video is cut into small cubes, and the tokens of a cube are put one after another, so that each is "
        "a block. A first, coarse attention runs between the means of the blocks, which is cheap; it has an "
        "output of its own, and its largest scores say which blocks deserve a second look. All tokens of a "
        "block then attend to those of the chosen blocks, token by token. Both outputs are added, the "
        "coarse one times a gate that each token makes for each feature. As the choice and the coarse map "
        "are one, training the model trains where it looks.";
    mechanism.cost =
        "(n / b)² (d + d_v) multiply-adds per head for blocks of b tokens, n k b (d + d_v) for k chosen "
        "blocks, and n d h d_v for the gates. Here the maps of n rows are written out.";
    mechanism.correction =
        "The gate has no sigmoid, and what it lets through is added to a softmax whose row is complete, so "
        "that rows sum to 1 and the gate. The map has the mean of the gates over the features; the context "
        "has each. It is of three branches two that natively sparse attention has, chosen for blocks of "
        "queries and not for each query, and nothing is causal.";
    mechanism.equivalences = {equal_when("scaled_dot_product",
                                         "every block is looked at again, and the gate is closed",
                                         {.here = {{"selected", Index(65536)}},
                                          .parameters = {{"W_coarse", "zeros"}, {"b_coarse", "zeros"}}})};
    mechanism.related = {"native_sparse", "multiresolution", "sliding_tile", "moba", "sparse_linear"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::video_sparse;
    compose(mechanism, spec, component_knobs(spec) + source_knob() + projections_knob() + key_lengths_knob());

    mechanism.example.query = "red blue green cat dog horse king queen prince";
    mechanism.example.look_for =
        "Blocks of three words: each row has three large cells, in its own block, which is the nearest to "
        "it. In each of the two other blocks it has one number for all three words, at most 0.005: what the "
        "means add, times a gate of the word. Step back to the coarse weights, and let two blocks be looked "
        "at again.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties = {.row_stochastic = false, .is_signed = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
