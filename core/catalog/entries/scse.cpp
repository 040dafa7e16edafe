#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_scse() {
    Mechanism mechanism;
    mechanism.name = "Spatial and channel squeeze and excitation";
    mechanism.also_known_as = {"scSE", "concurrent squeeze and excitation"};
    mechanism.family = "Images";
    mechanism.order = 3959;
    mechanism.formula =
        R"(@output{o_i = @query{x_i} \odot @feature_factors{(c + p_i)}},\quad )"
        R"(@channel_gate{c = \sigma(@hidden{\operatorname{relu}(@squeeze{\bar{x}}\,W_s)}\,W_e)},\quad )"
        R"(@place_gate{p_i = \sigma(w \cdot x_i)},\quad @weights{A_{ii} = \frac{1}{d} \sum_b (c_b + p_i)})";
    mechanism.papers = {{"Roy, Navab and Wachinger, Concurrent Spatial and Channel Squeeze & Excitation in "
                         "Fully Convolutional Networks",
                         2018}};
    mechanism.explanation =
        "Squeeze-and-excitation forgets where things are: the means of the channels over the whole image "
        "make a gate for each channel, the same at every place. To say what is in a picture that is enough; "
        "to say of each place what it is, places count as well. So beside it stands its mirror image: the "
        "channels of one place, squeezed to one number by a learned vector, make a gate for the place, the "
        "same for every channel. The image gated by channels and the image gated by places are added, so "
        "that a number stays where either of them finds it worth keeping. Here words stand for the patches.";
    mechanism.cost = "n d + 2 d² / r multiply-adds for the channels with a reduction of r, n d for the "
                     "places, and n d to multiply; no map of tokens by tokens.";
    mechanism.correction =
        "The gate of a place looks at that place alone; there is no convolution around it, as convolutional "
        "block attention and the bottleneck have one. With the sum factors lie between 0 and 2, with the "
        "larger of both numbers or one gate after the other between 0 and 1. The larger is that of the gated "
        "numbers and not of the gates: below 0 it is the one with the smaller gate. The paper halves the "
        "channels in between, and here the reduction is 2.";
    mechanism.related = {"squeeze_excitation", "cbam", "bam", "polarized"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::scse, {{"reduction", Index(2)}}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "red blue cat dog green black red cow";
    mechanism.example.look_for =
        "A diagonal of numbers between 0 and 2. Both “red” have one number: what stands around a place does "
        "not count. Take the product of both gates, and no number is above 1.";
    mechanism.properties = {.row_stochastic = false, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
