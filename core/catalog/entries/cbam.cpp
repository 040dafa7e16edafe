#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_cbam() {
    Mechanism mechanism;
    mechanism.name = "Convolutional block attention";
    mechanism.also_known_as = {"CBAM", "channel and spatial attention"};
    mechanism.family = "Images";
    mechanism.order = 3960;
    mechanism.formula =
        R"(@channel_gated{X' = @query{X} \odot @channel_gate{\sigma\left(@hidden{h}(@squeeze{)"
        R"(\operatorname{mean}_i X})\,W_e + @hidden{h}(@squeeze{\max_i X})\,W_e\right)}},\quad )"
        R"(@output{X' \odot @spatial_gate{\sigma\left(w \ast @place_squeeze{[\operatorname{mean}_c X';\,)"
        R"(\max_c X']}\right)}},\quad @hidden{h(z) = \operatorname{relu}(z\,W_s)},\quad )"
        R"(@weights{A_{ii} = \frac{1}{d} \sum_c g_{ic}})";
    mechanism.papers = {
        {"Woo, Park, Lee and Kweon, CBAM: Convolutional Block Attention Module (section 3)", 2018}};
    mechanism.explanation =
        "First what, then where. The channel gate is squeeze-and-excitation with a second look: the largest "
        "number of each channel goes through the same two layers as its mean, and what comes out is added. "
        "Then each place is summed up by the mean and the largest of its gated channels; a convolution "
        "slides over these two planes, and its sigmoid is one gate for each place. Only this second gate "
        "knows of the grid. The map is a diagonal, at each place the mean of its gates; laid over an image, "
        "the spatial gate shows where the block looks. Here the words of a text stand for the patches, four "
        "in a row.";
    mechanism.cost =
        "2 n d + 4 d² / r multiply-adds for the channel gate with a reduction of r, 3 n d + 2 n k² "
        "for the spatial gate with a kernel of k × k; no map of tokens by tokens.";
    mechanism.correction = "A widely copied port adds the input to the result. Neither the paper nor the "
                           "authors’ code does: there the residual is that of the network around the block. "
                           "Their code puts the maxima before the means into the convolution, the paper the "
                           "means first, as here.";
    mechanism.equivalences = {
        equal_when("squeeze_excitation",
                   "without the gates of places and the maxima it is squeeze-and-excitation",
                   {.here = {{"gates", std::string("channels")}, {"pooling", std::string("mean")}}}),
        equal_when("cbam", "with a kernel of one place the grid does not matter",
                   {.here = {{"kernel", std::string("1x1")}},
                    .there = {{"kernel", std::string("1x1")}, {"columns", Index(1)}}})};
    mechanism.related = {"squeeze_excitation", "simam", "non_local", "neighbourhood"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::convolutional_block, {{"columns", Index(4)}}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "red blue cat dog green black red cow";
    mechanism.example.look_for =
        "A diagonal on which every word has a number of its own. Red stands in the first row of the grid and "
        "in the second and has two gates, for its neighbours differ; with a kernel of 1x1 it has one.";
    mechanism.properties = {.row_stochastic = false, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
