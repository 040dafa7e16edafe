#include "core/catalog/knob.h"
#include "core/catalog/publication_years.h"

namespace headlight {

Mechanism declare_page() {
    Mechanism mechanism;
    mechanism.name = "Places on a page (LayoutLM)";
    mechanism.also_known_as = {"spatial-aware self-attention", "LayoutLMv2", "2-D relative position bias"};
    mechanism.family = "Positions";
    mechanism.order = 5383;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@biased_scores{@scaled_scores{\frac{@scores{)"
        R"(@query{q_i} \cdot @key{k_j}}}{\sqrt{d_k}}} + @position_bias{@line_biases{b[\beta(j - i)]} + )"
        R"(@column_biases{b^x[\beta(x_j - x_i)]} + @row_biases{b^y[\beta(y_j - y_i)]}}}\right)}\,)"
        R"(@value{V}},\quad \beta: \text{bucket})";
    mechanism.papers = {
        paper_of("Xu et al.",
                 {.title = "LayoutLMv2: Multi-modal Pre-training for Visually-rich Document Understanding",
                  .authors =
                      "Xu, Yang and Xu, Yiheng and Lv, Tengchao and Cui, Lei and Wei, Furu and Wang, "
                      "Guoxin and Lu, Yijuan and Florencio, Dinei and Zhang, Cha and Che, Wanxiang and "
                      "Zhang, Min and Zhou, Lidong",
                  .kind = Publication::Kind::proceedings,
                  .venue = venues::acl,
                  .year = 2021,
                  .first_year = 2020},
                 "section 2.2"),
        paper_of("Huang, Lv, Cui, Lu and Wei",
                 {.title = "LayoutLMv3: Pre-training for Document AI with Unified Text and Image Masking",
                  .authors = "Huang, Yupan and Lv, Tengchao and Cui, Lei and Lu, Yutong and Wei, Furu",
                  .kind = Publication::Kind::proceedings,
                  .venue = "ACM International Conference on Multimedia",
                  .year = 2022},
                 "scaled")};
    mechanism.explanation =
        "On a form, what belongs together stands side by side or one below the other, and the order in "
        "which a scanner reads it out says little: the sum at the foot of a column may come fifty words "
        "after the number above it. LayoutLM knows the box of every word. Three tables of learned numbers, "
        "one for each head, are added to the scores: one by how far the words are apart in the text, one "
        "by how far their left edges lie apart, one by their lower edges. As in T5 a number stands for a "
        "bucket of distances, narrow ones near and wide ones far, so that a millimetre counts among "
        "neighbours and none at the other end of the page. Words of one column have the distance 0 across, "
        "wherever they stand in the text. Here the words fill a grid like the cells of a table, three in a "
        "row; lists of edges put them anywhere.";
    mechanism.cost =
        "3 n m additions beside n m (d_k + d_v); (buckets + 2 buckets of the page) × h parameters, which all "
        "layers share.";
    mechanism.correction =
        "Distances are between one edge of each box, the left one and the lower one, not between boxes: a "
        "wide word and a narrow one that begin together are at the distance 0. Sizes of boxes are told by "
        "vectors that the model adds to its tokens, which is left out here. LayoutLMv2 adds the biases "
        "behind 1/√d_k, LayoutLMv3 divides them by √d_k as well (`scaled`); weights of the one do not fit "
        "the other.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "with tables of zeros no place counts",
                   {.parameters = {{"line_table", "zeros"}, {"x_table", "zeros"}, {"y_table", "zeros"}}})};
    mechanism.related = {"t5", "grid_bias", "decomposed", "grid_rope"};

    AttentionSpec spec;
    spec.position.type = PositionType::page;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + causal_knob());

    mechanism.example.query = "red dog bread green cat cheese blue horse apple";
    mechanism.example.look_for =
        "A table of three columns: colours, animals, food. Across the page “red”, “green” and “blue” are at "
        "no distance, though two words stand between them in the text: every row has one number for each "
        "column, three times over. Step on to the biases down the page, which have one for each row of the "
        "table, and to their sum.";
    mechanism.example.stage = "column_biases";
    return mechanism;
}

}  // namespace headlight
