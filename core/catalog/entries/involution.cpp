#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_involution() {
    Mechanism mechanism;
    mechanism.name = "Involution";
    mechanism.also_known_as = {"RedNet", "a kernel for each place"};
    mechanism.family = "Images";
    mechanism.order = 3984;
    mechanism.formula = R"(@output{o_i} = \sum_{j \in N(i)} @weights{A_{ij}}\,@value{v_j},\quad )"
                        R"(@weights{A_{ij} = @kernel_taps{H_{i,\,j-i}}},\quad )"
                        R"(@kernel_taps{H_i = @kernel_hidden{\operatorname{relu}(@query{q_i}\,W)}\,W'})";
    mechanism.papers = {
        {"Li et al., Involution: Inverting the Inherence of Convolution for Visual Recognition", 2021}};
    mechanism.explanation =
        "A convolution has one kernel for the whole image and another one for each channel. Involution turns "
        "both around: each place has a kernel of its own, and the channels of a group share it. The kernel "
        "is made by two small layers from the features of the place itself. So it is attention over a "
        "neighbourhood in which the query alone says where to look, whatever the keys may be: no query meets "
        "a key, and there is no softmax, so that taps may be below 0. Heads are the groups. Here words stand "
        "for the patches, four in a row.";
    mechanism.cost =
        "n (d² / r + d k² / r + k² d_v) multiply-adds per head for kernels of k × k and a reduction "
        "of r. Here the map of n² pairs is made.";
    mechanism.correction =
        "In the paper the kernels of all groups are made of all channels, here those of a head of its own "
        "query; with one head it is the same. The normalisation between the two layers is left out, and "
        "values are those of the spec where the paper takes the features themselves. What outlook attention "
        "adds is a row for each place of the window and a softmax.";
    mechanism.related = {"outlook", "dynamic_convolution", "neighbourhood", "contextual"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::involution, {{"columns", Index(4)}}};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "red blue cat dog green black horse cow music sheep pig goat";
    mechanism.example.look_for =
        "Each word sees the words next to it on the grid and nothing else, with weights of either sign: red "
        "sees four places, horse in the middle nine. With a kernel of 1x1 the map is a diagonal.";
    mechanism.example.beside = "outlook";
    mechanism.properties = {
        .row_stochastic = false, .sparse = true, .is_signed = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
