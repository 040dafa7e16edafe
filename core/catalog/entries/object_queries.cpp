#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_object_queries() {
    Mechanism mechanism;
    mechanism.name = "Decoder with learned queries (DETR, Q-Former)";
    mechanism.also_known_as = {"object queries", "DETR decoder", "Q-Former", "querying Transformer"};
    mechanism.family = "Sources";
    mechanism.order = 1422;
    mechanism.formula =
        R"(\tilde x^l = x^l + @among_weights{\operatorname{softmax}\left(\frac{\hat q^l \cdot \hat k^l}{)"
        R"(\sqrt{d}}\right)}\,\hat v^l \hat W_o,\quad )"
        R"(@layer_input{x^{l+1} = \tilde x^l + @layer_weights{A^l}\,@value{V} W_o},\quad )"
        R"(@output{o = @context{@weights{\operatorname{softmax}\left(@scores{\frac{q(\tilde x^L) \cdot )"
        R"(@key{k}}{\sqrt{d}}}\right)}\,@value{V}}},\quad x^1 = @query{\text{the learned queries}})";
    mechanism.papers = {
        {"Carion et al., End-to-End Object Detection with Transformers", 2020},
        {"Li et al., BLIP-2: Bootstrapping Language-Image Pre-training with Frozen Image Encoders and Large "
         "Language Models",
         2023}};
    mechanism.explanation =
        "What is in the picture? A detector with a hundred learned vectors answers with a hundred rows, one "
        "for each vector, whatever the size of the picture: some rows become objects, the others say that "
        "they have found none. The vectors are the queries, the patches are the keys. Two queries might find "
        "the same dog; so in every layer the queries look at each other first, and then at the picture, and "
        "both finds are added. Nothing hides one from another, for they are a set, and nothing but their "
        "vectors tells them apart. A Q-Former is the same with fewer queries, which carry what a language "
        "model is to know of a picture. In this program a learned vector is a word of the asking text: give "
        "it as many words as there are to be rows.";
    mechanism.cost = "Per layer n m (d + d_v) multiply-adds per head for n queries and m keys, and 2 n² d "
                     "for the queries among themselves; memory n m and n².";
    mechanism.correction =
        "Queries are no tokens of the picture and no words that are being written: there is no causal mask, "
        "all rows come at once, and shuffling the queries shuffles the rows. In DETR the states begin at 0 "
        "and a query is added to them before each attention; here, as in the Q-Former, states begin as the "
        "queries. Feed-forward layers and norms, which look at each row alone, are left out, and so is the "
        "loss that matches rows to objects, which is no attention.";
    mechanism.equivalences = {
        equal_when("cross", "one layer in which queries do not see each other is cross-attention",
                   {.here = {{"layers", Index(1)}, {"among", false}}})};
    mechanism.related = {"cross", "predicted_mask", "attention_pooling", "inducing_points", "slot_attention"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.algorithm = {AlgorithmType::layer_stack, {{"among", true}}};
    compose(mechanism, spec,
            without(component_knobs(spec), {"link"}) + projections_knob() + key_lengths_knob());

    mechanism.example.query = "animal fruit animal colour place number";
    mechanism.example.key = "the red apple and the black dog lie on the green grass";
    mechanism.example.look_for =
        "Six rows for six queries, however long the other text is. The first and the third query are one "
        "vector, and so they find the same to the last digit: looking at each other does not tell them "
        "apart, and a detector would count the object twice. Step to the weights among the queries: six "
        "rows, six columns.";
    return mechanism;
}

}  // namespace headlight
