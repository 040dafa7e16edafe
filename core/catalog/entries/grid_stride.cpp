#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_grid_stride() {
    Mechanism mechanism;
    mechanism.name = "Grid attention";
    mechanism.also_known_as = {"MaxViT’s grid attention", "long-distance attention of CrossFormer",
                               "MobileViT’s unfolded attention"};
    mechanism.family = "Images";
    mechanism.order = 3944;
    mechanism.formula = masked_formula(R"((y_i - y_j) \bmod s_y = 0 \text{ and } (x_i - x_j) \bmod s_x = 0)");
    mechanism.papers = {
        {"Tu et al., MaxViT: Multi-Axis Vision Transformer", 2022},
        {"Wang et al., CrossFormer: A Versatile Vision Transformer Hinging on Cross-scale Attention", 2022},
        {"Mehta and Rastegari, MobileViT: Light-weight, General-purpose, and Mobile-friendly Vision "
         "Transformer",
         2022}};
    mechanism.explanation =
        "A window sees what is near and nothing else. The opposite costs no more: a net over the whole "
        "image, of which every query sees the cells that lie a whole number of steps away in both "
        "directions. The two complement each other, for a window whose side is the step has one cell of "
        "every such net. Look around in the window, then along the net, and every cell has been reached in "
        "two layers; MaxViT does just that, block attention and then grid attention. CrossFormer calls "
        "them short-distance and long-distance attention. MobileViT has the nets alone and lets "
        "convolutions do the near part. Here the words of a text stand for the patches, four in a row.";
    mechanism.cost = masked_cost("n H W / (s_y s_x) (d + d_v) multiply-adds per head on a grid of H × W when "
                                 "only the nets are scored.");
    mechanism.correction =
        "MaxViT fixes how many cells a net has, G × G, and its step H / G grows with the image; "
        "CrossFormer and MobileViT fix the step, as here.";
    mechanism.equivalences = {equal_when("scaled_dot_product", "a step of 1 leaves nothing out",
                                         {.here = {{"down", Index(1)}, {"across", Index(1)}}})};
    mechanism.related = {"swin", "dilated", "axial", "strided"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = PatternMask{MaskPattern::grid_stride,
                                 {{"columns", Index(4)}, {"down", Index(2)}, {"across", Index(2)}}};
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query =
        "red cat blue dog one tall two small green cow black horse three wide four short";
    mechanism.example.look_for =
        "A grid of four rows of four: colours, animals, numbers and sizes are a net each, two steps apart "
        "down and across, and see one another alone.";
    mechanism.example.beside = "swin";
    return mechanism;
}

}  // namespace headlight
