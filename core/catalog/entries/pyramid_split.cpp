#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_pyramid_split() {
    Mechanism mechanism;
    mechanism.name = "Pyramid split attention (PSA)";
    mechanism.also_known_as = {"EPSANet", "pyramid squeeze attention"};
    mechanism.family = "Images";
    mechanism.order = 3972;
    mechanism.formula = R"(@context{o_{isc} = @pyramid_shares{a_{sc}}\,@pyramid{f_{isc}}},\quad )"
                        R"(@pyramid{f_s = @query{x_s} \ast W_s},\quad )"
                        R"(@pyramid_shares{a_{sc} = \frac{e^{z_{sc}}}{\sum_t e^{z_{tc}}}},\quad )"
                        R"(@pyramid_gates{z_s = \sigma(\operatorname{relu}(\bar{f}_s\,W_1)\,W_2)},\quad )"
                        R"(@weights{A_{ij} = \frac{1}{d} \sum_{s,b,c} a_{sc}\,W_{sbc,j-i}})";
    mechanism.papers = {
        {"Zhang et al., EPSANet: An Efficient Pyramid Squeeze Attention Block on Convolutional "
         "Neural Network",
         2022}};
    mechanism.explanation =
        "Selective kernels let each channel choose how far it looks, and for that every channel goes through "
        "every kernel. Here the channels are split instead: a quarter is convolved with a kernel of 3 × 3, "
        "the next with one of 5 × 5, and so on up to 9 × 9, like a pyramid. Each group then goes through "
        "squeeze and excitation: the means of its channels over the image, two small layers that all groups "
        "share, a sigmoid. That makes a gate for each channel. The gates do not stay as they are: the first "
        "channel of each group meets the first channels of the others in a softmax, and so do the second "
        "ones, so that the groups compete. Every channel is multiplied by its share, and the groups stand "
        "side by side again as before. Here words stand for the patches, four in a row.";
    mechanism.cost =
        "n d² (9 + 25 + 49 + 81) / 16 multiply-adds for four groups, and 2 d² / (4 r) of the gates for a "
        "reduction r; no map of tokens by tokens. Here the map is made, to be seen.";
    mechanism.correction =
        "The softmax is taken of gates, numbers between 0 and 1, and not of scores: with four groups no "
        "share is above 0.48 or below 0.10. The paper splits the channels first, as here; the authors’ code "
        "convolves all of the image four times, to a quarter of the channels each, and in groups of 1, 4, 8 "
        "and 16 channels, which here are not split again. A much copied short form has layers of its own for "
        "each group. The weights shown are the kernels by their shares: each place of the image the same "
        "number in all channels, and the mean of what comes out.";
    mechanism.related = {"selective_kernel", "squeeze_excitation", "group_enhance", "shuffle"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::pyramid_split, {{"columns", Index(4)}}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "red blue cat dog green black horse cow";
    mechanism.example.stage = "pyramid_shares";
    mechanism.example.look_for =
        "A row for each of the 16 channels of a group and a column for each of the four groups. Rows sum to "
        "1, and all shares lie near a quarter: a softmax of numbers between 0 and 1 cannot choose sharply.";
    mechanism.properties = {.row_stochastic = false, .is_signed = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
