#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_dat() {
    Mechanism mechanism;
    mechanism.name = "Attention to shared points (DAT)";
    mechanism.also_known_as = {"vision transformer with deformable attention", "deformed points"};
    mechanism.family = "Images";
    mechanism.order = 3951;
    mechanism.formula =
        R"(@output{o_i} = \sum_p @point_weights{P_{ip}}\,@point_values{\tilde{v}_p},\quad )"
        R"(@point_weights{P_i = \operatorname{softmax}\left(@point_scores{\tfrac{1}{\sqrt{d}}\,@query{q_i} )"
        R"(\cdot @point_keys{\tilde{k}_p} + @place_biases{B(i - z_p)}}\right)},\quad )"
        R"(@point_keys{\tilde{k}_p = \sum_j @point_shares{S_{pj}}\,@key{k_j}},\quad )"
        R"(@weights{A = P\,S},\quad )"
        R"(z_p = p + @point_steps{s \tanh(\operatorname{GELU}(\operatorname{LN}(q \ast K))\,W)_p})";
    mechanism.papers = {{"Xia, Pan, Song, Li and Huang, Vision Transformer with Deformable Attention", 2022}};
    mechanism.explanation =
        "In Deformable DETR each query has points of its own, and no keys. Here all queries share a few "
        "points, fewer than there are places: one begins in the middle of each patch, and what the queries "
        "around it say moves it to where something is to be seen. Then it is plain attention: the points "
        "have keys and values, mixtures of the four places around them, and every query looks at all points "
        "by products of query and key. So the image says which places are worth looking at, and each query "
        "which of those it looks at. As a point seldom lies on a place, a bias for how far it is from the "
        "query is taken between the cells of a table, in the same way as the keys. Here words stand for the "
        "places, four in a row, and a point begins in each square of four.";
    mechanism.cost =
        "2 n m d multiply-adds per head for m points, a few for their keys and values, and k² m d for the "
        "kernels of k² places; here also n m times the cells of the table.";
    mechanism.correction =
        "A point is moved for all queries, not for one. The paper’s heads share points in groups; here each "
        "head has its own, by one network for all heads, as groups of one head have it. What lies outside "
        "the image is 0, so that the key of a point there is small and not forbidden. The norm in the "
        "network has no gain and shift here, and the kernel stands over the middle of the patch.";
    mechanism.related = {"deformable", "spatial_reduction", "grid_bias", "agent"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::shared_points, {{"columns", Index(4)}}};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "red blue cat dog green black horse cow music sheep pig goat";
    mechanism.example.look_for =
        "Four points, each among at most four words that are neighbours, and every row lights the same "
        "words: only how much differs. With a reach of 0 the points stay in the middle of their squares.";
    mechanism.properties = {.row_stochastic = false, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
