#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_decomposed() {
    Mechanism mechanism;
    mechanism.name = "Decomposed relative positions";
    mechanism.also_known_as = {"decomposed relative position embeddings", "SAM’s relative positions"};
    mechanism.family = "Positions";
    mechanism.order = 5384;
    mechanism.formula = R"(@output{@weights{\operatorname{softmax}\left(@biased_scores{@scaled_scores{)"
                        R"(\frac{@scores{@query{q_i} \cdot @key{k_j}}}{\sqrt{d_k}}} + @position_bias{\frac{)"
                        R"(@row_scores{q_i \cdot R^h_{y_i - y_j}} + @column_scores{q_i \cdot R^w_{x_i - )"
                        R"(x_j}}}{\sqrt{d_k}}}}\right)}\,@value{V}})";
    mechanism.papers = {
        {"Li et al., MViTv2: Improved Multiscale Vision Transformers for Classification and Detection", 2022},
        {"Kirillov et al., Segment Anything", 2023}};
    mechanism.explanation =
        "Shaw’s relative positions give each offset a vector, which the query asks as it asks a key. On a "
        "grid of h rows and w columns there are (2 h − 1)(2 w − 1) offsets, too many to learn each well. "
        "Here the rows have a table and the columns have one, 2 h − 1 and 2 w − 1 vectors, and the two "
        "answers are added up. Unlike the numbers of Swin’s table they depend on the query, so that a "
        "patch can look up or to the left for what it holds. What the sum cannot say is that one diagonal "
        "offset matters and its row and column do not. Here the words of a text stand for the patches, "
        "three in a row.";
    mechanism.cost = "n (2 h + 2 w − 2) d_k for the answers and 2 n m additions beside n m (d_k + d_v)";
    mechanism.correction =
        "The paper divides both terms by √d_k with the product; its code, and that of SAM, divides the "
        "product alone. Weights of the one do not fit the other. The tables are shared by the heads, "
        "whose queries differ. Where keys are pooled, their coordinates are stretched to those of the "
        "queries, and tables of another size are interpolated; neither is done here.";
    mechanism.equivalences = {equal_when("scaled_dot_product", "with tables of zeros no offset counts",
                                         {.parameters = {{"R_h", "zeros"}, {"R_w", "zeros"}}})};
    mechanism.related = {"shaw", "grid_bias", "grid_rope", "swin"};

    AttentionSpec spec;
    spec.position.type = PositionType::decomposed;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + causal_knob());

    mechanism.example.query = "row row row row row row row row row";
    mechanism.example.look_for =
        "One word nine times over, on a grid of three rows of three: pairs with the same offset have the "
        "same number, and each number is one of the rows plus one of the columns.";
    mechanism.example.stage = "position_bias";
    return mechanism;
}

}  // namespace headlight
