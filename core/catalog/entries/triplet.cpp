#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_triplet() {
    Mechanism mechanism;
    mechanism.name = "Triplet attention";
    mechanism.also_known_as = {"rotate to attend", "cross-dimension interaction"};
    mechanism.family = "Images";
    mechanism.order = 3963;
    mechanism.formula = R"(@output{o_{ijc}} = @query{x_{ijc}}\,@feature_gates{\frac{1}{3}\left()"
                        R"(@spatial_gate{\sigma(w \ast Z_c)_{ij}} + @row_channel_gate{\sigma(w' \ast )"
                        R"(Z_j)_{ic}} + @column_channel_gate{\sigma(w'' \ast Z_i)_{jc}}\right)},\quad )"
                        R"(Z_a = [\operatorname{mean}_a x;\,\max_a x],\quad )"
                        R"(@weights{A_{ii} = \frac{1}{d} \sum_c g_{ic}})";
    mechanism.papers = {
        {"Misra, Nalamada, Arasanipalai and Hou, Rotate to Attend: Convolutional Triplet Attention Module",
         2021}};
    mechanism.explanation =
        "An image has three axes, rows, columns and channels. The spatial gate of convolutional block "
        "attention sums up the channels of each place and lets a small convolution slide over what is left, "
        "the plane of rows and columns. Why only this axis? Triplet attention turns the image and does the "
        "same twice more: the rows summed up, and a convolution over columns and channels; the columns "
        "summed up, and one over rows and channels. Each branch has a kernel of its own and gives one gate "
        "for each point of its plane, and the mean of the three is what a number is multiplied by. So "
        "channels meet places, as in coordinate attention, and with almost no parameters: three kernels of "
        "two planes, whatever the number of channels. Which channel lies beside which is an accident that "
        "training suits itself to. Here words stand for the patches, four in a row.";
    mechanism.cost =
        "About 6 n d multiply-adds for the means and largest numbers and 2 k² (n + r d + c d) for "
        "kernels of k × k over the planes of r rows and c columns; n d to multiply.";
    mechanism.correction =
        "The three gates are averaged, not multiplied: one branch alone can close a number to two "
        "thirds at most. The paper names the largest number before the mean, here the mean comes "
        "first, as in convolutional block attention. Behind each convolution the authors have batch "
        "normalisation, which is left out here.";
    mechanism.related = {"cbam", "coordinate", "eca"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::triplet, {{"columns", Index(4)}}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "red blue cat dog green black red cow";
    mechanism.example.stage = "feature_gates";
    mechanism.example.look_for =
        "A map of all words and channels. Step to its three parts: gates of rows and channels with a "
        "row for each row of the grid, gates of columns and channels with one for each column, and one "
        "gate for each word. With a kernel of 1x1 both “red” have the same spatial gate, and still "
        "other gates of features, for they stand in other lines.";
    mechanism.properties = {.row_stochastic = false, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
