#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_trilinear() {
    Mechanism mechanism;
    mechanism.name = "Trilinear attention";
    mechanism.also_known_as = {"BiDAF similarity", "trilinear similarity"};
    mechanism.family = "Scores";
    mechanism.order = 5170;
    mechanism.formula =
        R"(@scores{s_{ij} = w^\top [ @query{q_i};\, @key{k_j};\, @query{q_i} \ast @key{k_j} ]},\quad )"
        R"(@output{@weights{\operatorname{softmax}(@scores{S})}\,@value{V}})";
    mechanism.papers = {
        {"Seo, Kembhavi, Farhadi and Hajishirzi, Bidirectional Attention Flow for Machine Comprehension",
         2017}};
    mechanism.explanation =
        "One vector of 3d weights scores the query, the key, and their product feature by feature. "
        "The third part is a dot product in which every feature counts as much as it was learned "
        "to; the second says how interesting a key is to anybody; the first is the same for a whole "
        "row, which a softmax over the keys ignores, but not one over the queries: BiDAF takes "
        "both, from the words of a question to those of a text and back. With the first two parts 0 "
        "and the third 1 it is the dot product. The star is the product feature by feature.";
    mechanism.cost = "n m (d + d_v) + (n + m) d multiply-adds per head; memory n m; 3 d parameters";
    mechanism.correction =
        "It is often called a matrix W; it is a vector, and the matrix of scores is what it yields.";
    mechanism.related = {"dot", "linear_score", "general"};

    AttentionSpec spec;
    spec.score.type = ScoreType::trilinear;
    compose(mechanism, spec, {score_bias_knob(), source_knob(), projections_knob()});

    mechanism.example.query = "she plays the violin and he plays football";
    mechanism.example.look_for =
        "Unlike with the linear score the rows differ: only the product of query and key lets a "
        "query have a taste of its own.";
    mechanism.example.beside = "linear_score";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
