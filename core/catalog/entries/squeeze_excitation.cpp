#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_squeeze_excitation() {
    Mechanism mechanism;
    mechanism.name = "Squeeze-and-excitation";
    mechanism.also_known_as = {"SE block", "SENet", "channel attention"};
    mechanism.family = "Images";
    mechanism.order = 3950;
    mechanism.formula = R"(@output{o_i = @query{x_i} \odot @channel_gate{\sigma(@hidden{)"
                        R"(\operatorname{relu}(@squeeze{z}\,W_s)}\,W_e)}},\quad )"
                        R"(@squeeze{z = \frac{1}{n} \sum_j x_j},\quad )"
                        R"(@weights{A_{ii} = \frac{1}{d} \sum_c \sigma(\ldots)_c})";
    mechanism.papers = {{"Hu, Shen and Sun, Squeeze-and-Excitation Networks (section 3)", 2018}};
    mechanism.explanation =
        "Which channels matter for this image? The squeeze takes the mean of every channel over all places; "
        "two small layers, the first narrower than the channels, make of the means a number between 0 and 1 "
        "for each channel; and every place is multiplied by them. Channels that do not fit what the image as "
        "a whole shows are dimmed everywhere alike. It is called attention, yet nothing is compared and "
        "nothing mixed: places know of each other only through the means. So the map is a diagonal with one "
        "number in it, the mean gate; the gates themselves are a stage of their own. Here the words of a "
        "text stand for the patches of an image.";
    mechanism.cost = "n d multiply-adds to squeeze, 2 d² / r for the gates with a reduction of r, n d to "
                     "multiply; no map of tokens by tokens.";
    mechanism.correction = "The gates are sigmoids and no softmax: channels do not compete and do not sum to "
                           "1. Nor does the block "
                           "add its input; where it seems to, that is the residual of the network around it.";
    mechanism.related = {"eca", "cbam", "cross_covariance", "non_local", "gated", "aft"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::squeeze_excitation;
    compose(mechanism, spec, without(component_knobs(spec), {"excitation", "kernel"}) + projections_knob());

    mechanism.example.query = "red blue cat dog green black horse cow";
    mechanism.example.stage = "channel_gate";
    mechanism.example.look_for =
        "One row for the whole text: what each channel is multiplied by at every word. It stays as it is "
        "when the words change places. Its layers are drawn at random here, so that all gates lie near a "
        "half. Step on to the weights: a diagonal of one and the same number, for no word looks at another.";
    mechanism.properties = {
        .row_stochastic = false, .permutation_equivariant = true, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
