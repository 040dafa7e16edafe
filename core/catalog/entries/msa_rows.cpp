#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_msa_rows() {
    Mechanism mechanism;
    mechanism.name = "Rows of an alignment with a bias from pairs";
    mechanism.also_known_as = {"MSA row-wise gated self-attention with pair bias", "outer product mean"};
    mechanism.family = "Positions";
    mechanism.order = 5390;
    mechanism.formula =
        R"(@context{@weights{\operatorname{softmax}\left(@biased_scores{@scaled_scores{\frac{@scores{)"
        R"(@query{Q}\,@key{K}^\top}}{\sqrt{d_k}}} + @position_bias{b_{ij}}}\right)}\,@value{V}},\quad )"
        R"(@position_bias{b_{ij} = \frac{1}{S} \sum_s x_{si}\,A\,W_h\,(x_{sj}\,B)^\top},\quad )"
        R"(@output{O = (\sigma(X G) \circ [O_h]_h)\,W_o})";
    mechanism.papers = {
        {"Jumper et al., Highly Accurate Protein Structure Prediction with AlphaFold (algorithms 7 and 10)",
         2021}};
    mechanism.explanation =
        "To guess how a protein folds, its relatives are written below one another, place under place: an "
        "alignment. Two places that touch each other in space change together from row to row. AlphaFold "
        "looks along each row: a place looks at the places of its own sequence, as words of a sentence do. "
        "But what two places have to do with each other is a matter of all rows, and so a bias is added to "
        "the score that is the same in all: for each two columns, the outer product of what stands there, in "
        "the mean over the rows. The outer product keeps every pair of features, so that a matrix can read "
        "off that one is up where the other is down. A gate of each token closes what comes out. Here words "
        "stand for amino acids, and two sentences of four words for two sequences.";
    mechanism.cost =
        "S n² (d + d_v) multiply-adds per head for S rows of n places, and S n² c² for the means of outer "
        "products of width c. Here all S² n² pairs of tokens have a product and a bias.";
    mechanism.correction =
        "The bias does not say how far apart two places are: it is made of what stands there. AlphaFold "
        "keeps a vector for each pair, which layers change and triangles look at; here it is made of the "
        "tokens anew, and the norms of both are left out. Columns are looked along without a bias; that is "
        "the mask of columns alone.";
    mechanism.related = {"triangle", "gated", "invariant_points", "decomposed"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = 4, .gate = Gate::elementwise};
    spec.position = {PositionType::outer_product, {{"columns", Index(4)}}};
    spec.mask = {PatternMask{MaskPattern::blocks, {{"size", Index(4)}}}};
    compose(mechanism, spec, component_knobs(spec) + heads_knob() + projection_bias_knob());

    mechanism.example.query = "red blue cat dog green black horse cow";
    mechanism.example.look_for =
        "Nobody looks beyond the four words of a row. Step back to the bias of the places: both rows have "
        "the same numbers, for those are of columns.";
    mechanism.example.stage = "position_bias";
    mechanism.properties.needs_whole_text = true;
    return mechanism;
}

}  // namespace headlight
