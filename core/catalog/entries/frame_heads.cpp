#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_frame_heads() {
    Mechanism mechanism;
    mechanism.name = "Heads of space and heads of time";
    mechanism.also_known_as = {"Sparse VideoGen", "SVG"};
    mechanism.family = "Selections";
    mechanism.order = 5446;
    mechanism.formula = masked_formula(
        R"(@frame_pairs{|f_i - f_j| \le r} \text{ or } p_i = p_j, \text{ as the head says,} \text{ or } )"
        R"(f_j = 0)");
    mechanism.papers = {{"Xi et al., Sparse VideoGen: Accelerating Video Diffusion Transformers with "
                         "Spatial-Temporal Sparsity",
                         2025}};
    mechanism.explanation =
        "In models that make videos heads have two habits. Some look about in the own frame: they care for "
        "what is beside what. Others look at one place through all frames: they see to it that nothing "
        "jumps. Each needs a small part of the map, but which head has which habit depends on the video and "
        "on how far the picture has come. So it is tried out: for a few queries a head’s attention is "
        "computed in full, with the mask of space and with that of time, and the mask that changes the "
        "outputs less is used for all queries. Both see the first frame, at which every token looks.";
    mechanism.cost = masked_cost(
        "n (F (2 r + 2)) (d + d_v) multiply-adds for a head of space with frames of F tokens, n (m / F + F) "
        "(d + d_v) for one of time, and 3 s m (d + d_v) for the s queries that are tried.");
    mechanism.correction =
        "The two masks are laid down beforehand; what is chosen by the numbers is one of them for a whole "
        "head. The paper tries queries that are drawn at random, here they are spread over the text; its "
        "masks have a width that is set by the share of pairs to be kept.";
    mechanism.equivalences = {
        equal_when("multi_head", "the video is one frame", {.here = {{"frame", Index(65536)}}})};
    mechanism.related = {"sliding_tile", "video_sparse", "head_windows", "dilated"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads.type = HeadsType::multi;
    spec.score.type = ScoreType::scaled_dot;
    spec.selection.type = SelectionType::frame_heads;
    compose(mechanism, spec, component_knobs(spec) + heads_knob() + projection_bias_knob());

    mechanism.example.query = "cat dog red cat dog blue cow horse green cow horse black";
    mechanism.example.look_for =
        "Four frames of three places: two animals and a colour. Every map has the columns of the first "
        "frame. Beside them seven heads have squares on the diagonal, their own frame, and head 5 has "
        "slanted lines, its own place in every frame.";
    mechanism.properties = {.data_dependent_mask = true, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
