#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_bam() {
    Mechanism mechanism;
    mechanism.name = "Bottleneck attention";
    mechanism.also_known_as = {"BAM", "bottleneck attention module"};
    mechanism.family = "Images";
    mechanism.order = 3961;
    mechanism.formula =
        R"(@output{o_i} = @query{x_i} \odot @feature_factors{\left(1 + @feature_gates{\sigma(M_c + M_i)})"
        R"(\right)},\quad )"
        R"(@channel_scores{M_c = @hidden{\operatorname{relu}(@squeeze{\bar{x}}\,W_s)}\,W_e},\quad )"
        R"(@spatial_scores{M_i = w \cdot @place_hidden{f_2(@convolved_places{f_1(@reduced_places{)"
        R"(\operatorname{relu}(x\,W_r)})})_i}},\quad @weights{A_{ii} = \frac{1}{d} \sum_c (1 + g_{ic})})";
    mechanism.papers = {{"Park, Woo, Lee and Kweon, BAM: Bottleneck Attention Module", 2018}};
    mechanism.explanation =
        "Which channels matter, and where? Two branches answer side by side. One is squeeze-and-excitation "
        "without its sigmoid: the means of the channels through two layers, a number for each channel. The "
        "other makes few features of each place and looks at its neighbourhood with two convolutions of 3 × "
        "3 whose taps lie a few steps apart, so that they see far: a number for each place. The two numbers "
        "are added, for the channel and for the place, and one sigmoid makes the gate. It only ever adds: "
        "the image times its gate is put on top of the image, and no factor is below 1. It was meant to "
        "stand at the bottlenecks of a network, where the image becomes smaller. By the same authors and of "
        "the same summer is convolutional block attention, which gates twice, one after the other. Here "
        "words stand for the patches, four in a row.";
    mechanism.cost =
        "n d + 2 d² / r multiply-adds for the channels with a reduction of r, n (d² / r + 18 d² / r² + "
        "d / r) for the places, and n d to multiply; no map of tokens by tokens.";
    mechanism.correction =
        "The branches are added before the sigmoid, as in the paper; the authors’ code multiplies "
        "them. Factors lie between 1 and 2, so that nothing can be closed. The batch normalisations of "
        "the code are left out here. With the paper’s dilation of 4 a small grid is missed: of all "
        "taps only the middle one meets it.";
    mechanism.related = {"cbam", "squeeze_excitation", "coordinate", "polarized"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::bam, {{"columns", Index(4)}, {"dilation", Index(1)}}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "red blue cat dog green black red cow";
    mechanism.example.look_for =
        "A diagonal of numbers between 1 and 2. Step to the numbers of the channels, one row for all words, "
        "and to the numbers of the places, one for each word. Raise the dilation to 4: each word is then by "
        "itself, and both “red” have one number.";
    mechanism.properties = {.row_stochastic = false, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
