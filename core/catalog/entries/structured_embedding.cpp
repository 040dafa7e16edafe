#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_structured_embedding() {
    Mechanism mechanism;
    mechanism.name = "Structured self-attentive embedding";
    mechanism.also_known_as = {"self-attentive sentence embedding", "multi-hop pooling"};
    mechanism.family = "Sources";
    mechanism.order = 1416;
    mechanism.formula =
        R"(@pooled_values{M = @pooling_weights{A}\,@query{H}},\quad )"
        R"(@pooling_weights{A = \operatorname{softmax}\left(@pooling_scores{w\,@pooling_hidden{\tanh(H )"
        R"(V)}^\top}\right)},\quad @output{o_i = \frac{1}{r} \sum_k M_k},\quad )"
        R"(@weights{\bar{A}_{ij} = \frac{1}{r} \sum_k A_{kj}},\quad )"
        R"(P = \lVert @row_overlaps{A A^\top} - I \rVert^2)";
    mechanism.papers = {{"Lin et al., A Structured Self-attentive Sentence Embedding", 2017}};
    mechanism.explanation =
        "A sentence has several parts, and one vector for all of it blurs them. Here a sentence becomes a "
        "matrix: r rows, each a mean of the hidden states by weights of its own. The weights come from a "
        "small network that looks at one word at a time: a layer with tanh, which all rows share, then a "
        "vector w for each row, then a softmax over the words. That is additive attention without a query: "
        "what asks is learned. Nothing keeps two rows from looking at the same words, and so the authors "
        "punish it. A Aᵀ has in row k and column l how much the rows k and l look at the same words; its "
        "distance to the unit matrix is added to the loss, and is 0 if each row looks at one word, and each "
        "at another. In the paper the states come from an LSTM in both directions and the rows are put one "
        "behind the other; here every token gets their mean.";
    mechanism.cost = "n u (d + r) + r n d multiply-adds per head for u hidden units and r rows; memory r n.";
    mechanism.correction =
        "It is called self-attention, but no word looks at another: the score of a word depends on that word "
        "alone, and words meet in the softmax only. The penalty is no part of what is computed here: the "
        "matrix that it is made of is a stage, and rows that are equal have equal rows in it.";
    mechanism.related = {"gated_pooling", "hierarchical_pooling", "attention_pooling", "additive"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::additive_pooling;
    compose(mechanism, spec, without(component_knobs(spec), {"gated"}) + projections_knob());

    mechanism.example.query = "the storm was terrible but the harbour was safe";
    mechanism.example.stage = "row_overlaps";
    mechanism.example.look_for =
        "A row and a column for each of the four rows of weights. The number on the diagonal is the sum of "
        "the squares of a row, 1/9 at least for nine words: 1 would be a row that looks at one word alone. "
        "What stands beside it is what training would bring to 0.";
    mechanism.properties = {.permutation_equivariant = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
