#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_bi_level_routing() {
    Mechanism mechanism;
    mechanism.name = "Bi-level routing";
    mechanism.also_known_as = {"BiFormer", "BRA", "regions chosen by their means"};
    mechanism.family = "Images";
    mechanism.order = 3933;
    mechanism.formula =
        masked_formula(R"(@region_pairs{R(j) \text{ is one of the } k \text{ regions with the largest } })"
                       R"(@region_products{\bar q_{R(i)} \cdot \bar k_{R(j)}})");
    mechanism.papers = {
        {"Zhu et al., BiFormer: Vision Transformer with Bi-Level Routing Attention (section 3.2)", 2023}};
    mechanism.explanation =
        "Windows of an image save the cost of distant pairs and lose what lies there. Bi-level routing looks "
        "twice. First coarsely: the image is cut into square regions, each with the mean of its queries and "
        "the mean of its keys, and each region keeps the k regions whose mean keys go best with its mean "
        "query. Then in full: every patch attends to all patches of these regions, one by one, with a "
        "softmax over them. The regions may lie anywhere, as the sky on both sides of a tree, and since they "
        "are gathered as a whole a graphics card multiplies them as it does windows. Here words stand for "
        "the patches, four in a row, and regions are 2 × 2.";
    mechanism.cost =
        masked_cost("(n / s²)² d multiply-adds for the means of regions of s × s and n k s² (d + d_v) for "
                    "the patches. With the best size of regions that grows as n to the power of 4/3.");
    mechanism.correction =
        "The means are those of all heads side by side, so that the heads choose together; in MoBA, which "
        "chooses blocks of a text for each query by itself, every head chooses alone. Nothing is learned by "
        "the choice, for its rank has no gradient. A region need not keep itself. BiFormer also adds a 5 × 5 "
        "filter over the values (LCE) to the context; that is not here. It cuts every image into 7 × 7 "
        "regions, where here a region has a given size.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "every region is kept", {.here = {{"regions", Index(65536)}}}),
        equal_when("scaled_dot_product", "the image is one region", {.here = {{"side", Index(4096)}}}),
        equal_when("top_k", "every patch is a region, and no two products are equal",
                   {.here = {{"side", Index(1)}, {"regions", Index(3)}}, .there = {{"k", Index(3)}}})};
    mechanism.related = {"swin", "moba", "minference", "video_sparse"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.selection = {SelectionType::region_means, {{"columns", Index(4)}}};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "cat dog red blue cow pig green black one two horse sheep three four goat bird";
    mechanism.example.look_for =
        "A grid of four rows: animals above on the left and below on the right, colours and numbers in the "
        "other two corners. The animals keep each other’s region, and colours and numbers keep one another.";
    mechanism.example.beside = "swin";
    mechanism.properties = {.data_dependent_mask = true, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
