#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_group_enhance() {
    Mechanism mechanism;
    mechanism.name = "Spatial group-wise enhance";
    mechanism.also_known_as = {"SGE", "group-wise spatial gate"};
    mechanism.family = "Images";
    mechanism.order = 3966;
    mechanism.formula =
        R"(@output{o_{ig}} = @query{x_{ig}}\,@group_gates{\sigma(\gamma_g\,@normalized_similarities{)"
        R"(\hat{s}_{ig}} + \beta_g)},\quad )"
        R"(@normalized_similarities{\hat{s}_{ig} = \frac{s_{ig} - \mu_g}{\sigma_g + \varepsilon}},\quad )"
        R"(@group_similarities{s_{ig} = x_{ig} \cdot @squeeze{\bar{x}_g}},\quad )"
        R"(@weights{A_{ii} = \frac{1}{d} \sum_c g_{ic}})";
    mechanism.papers = {
        {"Li, Hu and Yang, Spatial Group-wise Enhance: Improving Semantic Feature Learning in "
         "Convolutional Networks",
         2019}};
    mechanism.explanation =
        "Channels are put into groups, each of which, it is hoped, stands for one thing that may be in the "
        "image. The mean of a group over all places is a guess at what this thing looks like here. Each "
        "place is compared with it by a dot product: where the place is like the mean the thing is, and "
        "where it is not there is noise. The products of a group are normalised over the places, to mean 0 "
        "and deviation 1, so that images of any contrast are treated alike; a gain and a shift, two numbers "
        "for each group and all that is learned, and a sigmoid make the gates. Every place has one gate for "
        "each group. It is the closest that these gates come to attention proper: the mean is a query, the "
        "places are keys, and a sigmoid stands where the softmax would. Places know of one another only "
        "through means, so that it does not matter where on the grid they are.";
    mechanism.cost =
        "4 n d multiply-adds, and 2 numbers to learn for each group; no map of tokens by tokens.";
    mechanism.correction =
        "The gates of a place are sigmoids: they neither compete nor sum to 1. At the start of training γ is "
        "0 and β is 1 in the authors’ code, and every gate is σ(1) = 0.73. The code divides the sum of "
        "squares by one less than the number of places, the paper by their number, as here. Groups are equal "
        "in the paper; here those of a number that does not divide the channels differ by one channel.";
    mechanism.related = {"squeeze_excitation", "simam", "polarized", "separable"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::group_enhance, {}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "cat dog horse cow pig music sheep goat";
    mechanism.example.stage = "group_gates";
    mechanism.example.look_for =
        "A row for each word and a column for each group of channels. Step back to the likeness to the mean: "
        "it is what the gates are made of, and a column of it, normalised, has mean 0. Then change the order "
        "of the words: their rows go with them.";
    mechanism.properties = {
        .row_stochastic = false, .permutation_equivariant = true, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
