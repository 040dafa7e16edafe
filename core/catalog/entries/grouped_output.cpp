#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_grouped_output() {
    Mechanism mechanism;
    mechanism.name = "Grouped output projection";
    mechanism.also_known_as = {"grouped low-rank output", "W_o in groups", "DeepSeek-V4’s output"};
    mechanism.family = "Heads";
    mechanism.order = 5768;
    mechanism.formula =
        R"(@output{o = \left[@narrowed_output{\left[@context{@weights{\operatorname{softmax}\left()"
        R"(@scaled_scores{\frac{@scores{@query{Q_h}\,@key{K_h}^\top}}{\sqrt{d}}}\right)}\,@value{V_h}})"
        R"(\right]_{h \in g} A_g}\right]_g B})";
    mechanism.papers = {
        {"DeepSeek-AI, DeepSeek-V4: Towards Highly Efficient Million-Token Context Intelligence", 2026}};
    mechanism.explanation =
        "What the heads find is put side by side and projected by one matrix, W_o. Where there are many wide "
        "heads, for they cost little when all read one key and one value, W_o becomes the largest matrix of "
        "the layer: 128 heads of 512 numbers are 65,536 rows. Here the heads are parted into groups. What a "
        "group finds is narrowed to a few numbers by a matrix of its own, and one small matrix projects "
        "those of all groups to the output.";
    mechanism.cost = "n (H d_v r + G r D) multiply-adds for G groups of rank r, in place of n H d_v D.";
    mechanism.correction =
        "A group only narrows: its heads look where they like, and have keys and values of their own or "
        "shared ones, as the other settings say. It is not a matrix W_o of low rank, for G r may be as large "
        "as the model is wide; low is the rank of what each group may say. With one group it is a W_o of "
        "rank r.";
    mechanism.related = {"multi_head", "latent", "grouped_latents", "multi_query"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = 8};
    spec.algorithm.type = AlgorithmType::grouped_output;
    compose(mechanism, spec,
            std::vector<Knob>{heads_knob()} + component_knobs(spec) + causal_knob() + source_knob());

    mechanism.example.query = "two boys played football and three girls played music";
    mechanism.example.look_for =
        "The maps are those of multi-head attention. Step on to the narrowed output: of each group of four "
        "heads half as many numbers are left as the heads found.";
    mechanism.example.beside = "multi_head";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
