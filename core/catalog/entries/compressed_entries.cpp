#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_compressed_entries() {
    Mechanism mechanism;
    mechanism.name = "Compressed sparse attention (DeepSeek-V4)";
    mechanism.also_known_as = {"CSA", "HCA", "heavily compressed attention", "DeepSeek-V4"};
    mechanism.family = "Selections";
    mechanism.order = 5482;
    mechanism.formula =
        R"(@output{o_t} = @newest_weights{\alpha_t}\,@value{V} + @entry_weights{\beta_t}\,@entries{E},)"
        R"(\quad )"
        R"([\alpha_t;\, \beta_t] = \operatorname{softmax}\left(\left[\frac{@query{q_t}\,@key{k_j}^\top}{)"
        R"(\sqrt{d}};\, \frac{q_t\, e_w^\top}{\sqrt{d}};\, \text{sink}\right]\right),\quad )"
        R"(@entries{e_w = \operatorname{norm} \sum_{j \in w} \operatorname{softmax}_j(Z_j + B_j) \circ )"
        R"(C_j},\quad @weights{A = \alpha + \beta\, S})";
    mechanism.papers = {
        {"DeepSeek-AI, DeepSeek-V4: Towards Highly Efficient Million-Token Context Intelligence", 2026}};
    mechanism.explanation =
        "The cache of a very long text is filled with tokens of which few are ever looked at again. Here b "
        "of them become one entry. Each token says, feature by feature, what it would put into the entry "
        "and how much of it; a softmax over the tokens of the window divides each feature up, and a number "
        "of the place within the window has a say too. The entry is key and value at once. So that windows "
        "do not cut a thought in two, an entry is made of the window before it as well, by contents and "
        "gates of their own. A query sees the newest tokens as they are, and of what lies before entries "
        "alone, in one softmax: a small indexer with entries of its own says which k of them. In another "
        "form, heavily compressed attention, windows are long, there is no overlap, and every entry is read. "
        "The model has layers of both kinds in turn.";
    mechanism.cost =
        "n (w + k) d · 2 multiply-adds per head for a window of w tokens and k entries, n · m / b "
        "products of the indexer, and 2 n d s d for contents and gates of s series; the cache "
        "has (m / b) d numbers and the newest w tokens.";
    mechanism.correction =
        "An entry is not the mean of its tokens: each feature is divided up by itself, so that no one "
        "weight says how much of a token is in it. The map has the mean over the features; what the "
        "heads get is summed from the entries. An entry counts as soon as its window is full, also when "
        "its tokens are still among the newest: these are then seen twice. A share of each row goes to "
        "the sink. The norm has no ε here, and the indexer knows no places, whose entries and queries "
        "turn in the paper; queries that come from a small vector, and an output in groups, are not here.";
    mechanism.related = {"native_sparse", "dsa", "streaming_sinks", "sink_logit", "linformer"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi_query, .sharing = Sharing::key_value};
    spec.mask.rule = CausalMask{};
    spec.algorithm.type = AlgorithmType::compressed_entries;
    compose(mechanism, spec, component_knobs(spec) + heads_knob() + projection_bias_knob());

    mechanism.example.query = "once upon a time there lived a wise old king near the deep sea";
    mechanism.example.look_for =
        "Along the diagonal a band of three words. Behind it squares of three words that share one entry’s "
        "weight. Step back to the weights of the entries: none before its window is full, and two in a row.";
    mechanism.example.beside = "causal";
    mechanism.properties = {.row_stochastic = false,
                            .causal = true,
                            .streaming = true,
                            .data_dependent_mask = true,
                            .sparse = true};
    return mechanism;
}

}  // namespace headlight
