#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_co_attention() {
    Mechanism mechanism;
    mechanism.name = "Co-attention (BiDAF, DCN, ESIM)";
    mechanism.also_known_as = {"bidirectional attention flow", "dynamic coattention",
                               "context-to-query and query-to-context"};
    mechanism.family = "Scores";
    mechanism.order = 5172;
    mechanism.formula =
        R"(@output{O} = @merged{[X;\, \hat{O};\, X \circ \hat{O};\, X \circ h]}\,W + b,\quad )"
        R"(\hat{O} = @weights{\operatorname{softmax}(@scores{S})}\,@value{V},\quad )"
        R"(h = \sum_i @most_asked_shares{\operatorname{softmax}_i\left(\max_j s_{ij}\right)}\,x_i)";
    mechanism.papers = {
        {"Seo, Kembhavi, Farhadi and Hajishirzi, Bidirectional Attention Flow for Machine Comprehension",
         2017},
        {"Xiong, Zhong and Socher, Dynamic Coattention Networks for Question Answering", 2017},
        {"Chen et al., Enhanced LSTM for Natural Language Inference", 2017}};
    mechanism.explanation =
        "A text and a question are read beside each other: which words of the question matter to this word "
        "of the text, and which words of the text matter to the question? One matrix of scores says both, "
        "read along its rows and along its columns. BiDAF takes for each word of the text what it finds in "
        "the question, by a softmax of its row; and, once for all, the words of the text that some word of "
        "the question asks for, by a softmax of the largest score of each row. It lays them side by side "
        "with the word itself, as products, so that what comes next sees word by word where they agree. DCN "
        "goes there and back: each word of the question gathers what it finds in the text, by a softmax of "
        "its column, and each word of the text finds that once more, so that it learns what the rest of the "
        "text has on the same matter. ESIM compares a word with what it finds by their difference and their "
        "product, to say whether one sentence follows from the other, and does the same with both exchanged.";
    mechanism.cost =
        "n m (d + d_v) multiply-adds for the map, n m d more to go back along its columns, and 4 n d² "
        "for the matrix behind it, 3 n d² of DCN";
    mechanism.correction =
        "What is shown as the map is one direction; the other is a map of its own kind, not its transpose: "
        "a softmax of the columns. In all three papers recurrent networks stand before and behind. Here the "
        "matrix that follows is the first of what stands behind. DCN has a vector in each text that words "
        "may look at in vain, and a layer on the question; both are left out. BiDAF’s scores are those of "
        "`trilinear`, which this takes as its score.";
    mechanism.related = {"trilinear", "dual_softmax", "cross", "attention_on_attention"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.score.type = ScoreType::trilinear;
    spec.algorithm.type = AlgorithmType::co_attention;
    compose(mechanism, spec,
            component_knobs(spec) + score_bias_knob() + projections_knob() + key_lengths_knob());

    mechanism.example.query = "the cat sleeps on the sofa";
    mechanism.example.key = "a kitten rests on our couch";
    mechanism.example.look_for =
        "The rows are what each word finds in the other sentence. Step on: one column says which words that "
        "sentence asks for, for all of it together. Set Both directions to dcn: a second map, in which each "
        "column sums to 1.";
    mechanism.properties = {.permutation_equivariant = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
