#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_deformable() {
    Mechanism mechanism;
    mechanism.name = "Deformable attention";
    mechanism.also_known_as = {"Deformable DETR", "MSDeformAttn"};
    mechanism.family = "Images";
    mechanism.order = 3945;
    mechanism.formula =
        R"(@output{o_i} = \sum_k @point_weights{a_{ik}}\,@value{v(p_i + @sampling_offsets{\Delta p_{ik}})} )"
        R"(= \sum_j @weights{A_{ij}}\,@value{v_j},\quad )"
        R"(@point_weights{a_i = \operatorname{softmax}(@point_scores{@query{q_i}\,W_A + b_A})},\quad )"
        R"(@sampling_offsets{\Delta p_i = @query{q_i}\,W_\Delta + b_\Delta})";
    mechanism.papers = {
        {"Zhu et al., Deformable DETR: Deformable Transformers for End-to-End Object Detection (equations 2 "
         "and 3)",
         2021}};
    mechanism.explanation =
        "An image has so many places that a map of all pairs is out of reach, and most pairs have nothing to "
        "say to each other. Here each query looks at four points, or some other small number, and it chooses "
        "them itself: one matrix makes of its features the steps from its own place to each point, another "
        "how much each point counts, by a softmax. No query meets a key; what the keys hold plays no part in "
        "where it looks. A step is seldom a whole number. A point between the places has a mixture of the "
        "four around it, more of the nearer ones, as when a picture is enlarged. So the values change "
        "smoothly while a point moves, and learning can move it. A convolution looks at fixed points with "
        "fixed weights; this is one that bends to what it sees, and each head bends in its own way. With "
        "several sizes of the image a query has points in each of them: a point in a small one has the mean "
        "of a patch for its value, so that near things are seen sharply and far ones in outline. Here words "
        "stand for the patches, four in a row.";
    mechanism.cost = "3 n d K multiply-adds for K points and 4 n K d_v for the values of each head, however "
                     "large the image is; L sizes have L K points. Here the map of n² pairs is made, of K "
                     "pieces.";
    mechanism.correction =
        "The weights of a query do not depend on the keys: the word attention stands for the softmax over "
        "points. A point outside the image finds 0 and its share is lost, so that rows may sum to less than "
        "1. The paper has four sizes of the image and four points in each; here the smaller ones are means "
        "of patches, and the paper’s come from layers of a network, each by a convolution. Its offsets start "
        "as a ring around the place, by the bias, which here starts like any parameter. In place of W on the "
        "whole token each head has one on its query.";
    mechanism.related = {"outlook", "dynamic_convolution", "neighbourhood", "local_p"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::deformable, {{"columns", Index(4)}}};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "red blue cat dog green black horse cow music sheep pig goat";
    mechanism.example.look_for =
        "Each point lights at most four words that are neighbours on the grid. Set the points to 1: no row "
        "has more than four weights, and where the point lies outside the grid it has fewer, which sum to "
        "less than 1.";
    mechanism.properties = {.row_stochastic = false, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
