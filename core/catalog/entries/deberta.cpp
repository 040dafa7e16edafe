#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_deberta() {
    Mechanism mechanism;
    mechanism.name = "DeBERTa disentangled attention";
    mechanism.also_known_as = {"disentangled attention", "c2p and p2c"};
    mechanism.family = "Positions";
    mechanism.order = 5310;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{@scores{@content_scores{q_i )"
        R"(\cdot k_j} + @content_to_position{q_i \cdot k^r_{\delta(i,j)}} + @position_to_content{k_j \cdot )"
        R"(q^r_{\delta(j,i)}}}}{\sqrt{3\,d_k}}}\right)}\,@value{V}})";
    mechanism.papers = {{"He et al., DeBERTa: Decoding-Enhanced BERT with Disentangled Attention", 2021}};
    mechanism.explanation =
        "A word and its place are two vectors that are never added. Three of their four products are kept: "
        "content with content, the query’s content with the key’s relative place, and the key’s content with "
        "the query’s relative place; the product of two places says nothing about the words and is dropped. "
        "Distances are clipped to 2k vectors, which go through matrices of their own to relative keys and "
        "relative queries. As three terms have three times the variance, the scale is √(3 d_k).";
    mechanism.cost = "2 k n d_k + 2 k m d_k more than without positions, and n m lookups";
    mechanism.correction =
        "Equation 4 lets a key meet the relative query of δ(j, i); the authors’ code, and every library that "
        "took it over, gathers that of δ(i, j), so that trained models need the latter. Both can be had "
        "here, and their weights differ. The scale grows with the number of terms: √(2 d_k) with one of them "
        "dropped.";
    mechanism.equivalences = {
        equal_when("multi_head",
                   "with all distances alike at 0 the larger scale is left: a temperature of √3",
                   {.there = {{"heads", Index(1)},
                              {"projections", std::string("none")},
                              {"temperature", 1.7320508075688772}},
                    .parameters = {{"P_relative", "zeros"}}}),
    };
    mechanism.related = {"shaw", "transformer_xl"};

    AttentionSpec spec;
    spec.position.type = PositionType::deberta;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "a new deep learning model for new deep water";
    mechanism.example.look_for =
        "Bands along the diagonals: in content-to-position both rows of “new” have the same bands, in "
        "position-to-content both of its columns have. With the content map they add up to the scores.";
    mechanism.example.stage = "content_to_position";
    return mechanism;
}

}  // namespace headlight
