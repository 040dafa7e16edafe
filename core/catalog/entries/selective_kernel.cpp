#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_selective_kernel() {
    Mechanism mechanism;
    mechanism.name = "Selective kernels";
    mechanism.also_known_as = {"SK", "SKNet", "selective kernel convolution"};
    mechanism.family = "Images";
    mechanism.order = 3967;
    mechanism.formula =
        R"(@output{o_{ic}} = \sum_b @kernel_shares{a_{cb}}\,u_{bic},\quad )"
        R"(u_b = \operatorname{relu}(w_b \ast @query{x}),\quad )"
        R"(@kernel_shares{a_c = \operatorname{softmax}_b(@kernel_scores{(@hidden{\operatorname{relu}(z\,W)})"
        R"(\,W_b)_c})},\quad @squeeze{z = \frac{1}{n} \sum_{j,b} u_{bj}},\quad )"
        R"(@weights{A_{ij} = \frac{1}{d} \sum_{c,b} a_{cb}\,w_{bc,j-i}})";
    mechanism.papers = {{"Li, Wang, Hu and Yang, Selective Kernel Networks", 2019}};
    mechanism.explanation =
        "A neuron of the visual cortex does not always see the same part of the field: it adapts to what is "
        "there. A convolution has one size. Here the image goes through two of them, or more, that reach "
        "less and more far, and what comes out of all is added and summed up by a mean over the places, as "
        "in squeeze-and-excitation. Two layers make a number for each kernel and each channel, and a softmax "
        "over the kernels their shares: each channel takes so much of what the near kernel saw, and so much "
        "of the far one. The attention is between kernels, not between places; the same choice holds "
        "everywhere in the image. The map shown is what results for places: the taps of the chosen kernels, "
        "the mean over the channels, which may be negative. Here words stand for the patches, four in a row.";
    mechanism.cost =
        "9 n d multiply-adds for each kernel, n d for the mean, d² / r (1 + b) for the shares of b "
        "kernels with a reduction of r, and b n d to add up; no map of tokens by tokens has to be "
        "computed. As shown here the convolutions take 9 n d² and the map 9 d b + n² b.";
    mechanism.correction =
        "The softmax runs over the kernels of one channel: the shares of a channel sum to 1, and channels do "
        "not compete. The paper’s kernel of 5 × 5 is one of 3 × 3 with a dilation of 2, as here. Its "
        "convolutions are of groups of channels; here each channel has its own. Its narrow layer has 32 "
        "units at least, and batch normalisation, both of which are left out here.";
    mechanism.related = {"squeeze_excitation", "dynamic_convolution", "group_enhance", "outlook"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::selective_kernel, {{"columns", Index(4)}}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "red blue cat dog green black horse cow music sheep pig goat";
    mechanism.example.look_for =
        "A row has numbers for the words around its word and for those two steps away, where the second "
        "kernel has its taps; a step and two away, as a knight moves, it has none. All rows are the same "
        "pattern, moved. Step to the shares of the kernels: a row for each channel, which sums to 1.";
    mechanism.properties = {
        .row_stochastic = false, .sparse = true, .is_signed = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
