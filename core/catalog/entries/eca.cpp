#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_eca() {
    Mechanism mechanism;
    mechanism.name = "Efficient channel attention";
    mechanism.also_known_as = {"ECA", "ECA-Net"};
    mechanism.family = "Images";
    mechanism.order = 3955;
    mechanism.formula = R"(@output{o_i = @query{x_i} \odot @channel_gate{\sigma(w \ast @squeeze{z})}},)"
                        R"(\quad @squeeze{z = \frac{1}{n} \sum_j x_j},\quad )"
                        R"(@weights{A_{ii} = \frac{1}{d} \sum_c \sigma(w \ast z)_c})";
    mechanism.papers = {{"Wang, Wu, Zhu, Li, Zuo and Hu, ECA-Net: Efficient Channel Attention for Deep "
                         "Convolutional Neural Networks",
                         2020}};
    mechanism.explanation =
        "Squeeze-and-excitation with its two layers taken away. The gate of a channel is made from its own "
        "mean and those of a few channels beside it: one convolution of k numbers slides along the means, "
        "and a sigmoid follows. Nothing is narrowed, so that every gate keeps hold of its own channel, which "
        "the authors found to matter more than reading all of them; and k numbers are learned in place of "
        "two matrices. What lies beside what among channels is an accident of training: the network arranges "
        "itself to suit. Here the words of a text stand for the patches of an image.";
    mechanism.cost =
        "n d multiply-adds to squeeze, k d for the gates, n d to multiply; no map of tokens by tokens.";
    mechanism.correction =
        "The convolution runs over the channels and not over the image. The paper chooses k by the number of "
        "channels: 3 for 64 of them, 5 for 256.";
    mechanism.related = {"squeeze_excitation", "cbam", "simam"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::squeeze_excitation, {{"excitation", std::string("convolution")}}};
    compose(mechanism, spec,
            without(component_knobs(spec), {"excitation", "reduction"}) + projections_knob());

    mechanism.example.query = "red blue cat dog green black horse cow";
    mechanism.example.stage = "channel_gate";
    mechanism.example.look_for =
        "One row for the whole text: what each channel is multiplied by at every word. Compare it with the "
        "squeeze: with a kernel of 1 one is a bent copy of the other, with 9 it is blurred. Step on to the "
        "weights: a diagonal of one and the same number, as in squeeze-and-excitation.";
    mechanism.properties = {
        .row_stochastic = false, .permutation_equivariant = true, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
