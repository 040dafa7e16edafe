#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_landmark() {
    Mechanism mechanism;
    mechanism.name = "Landmark attention";
    mechanism.also_known_as = {"grouped softmax", "landmark tokens"};
    mechanism.family = "Selections";
    mechanism.order = 5475;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad )"
        R"(A_{ij} = @group_weights{S_{ij}} \text{ in the own block},\quad )"
        R"(A_{ij} = S_{i p_j}\,@block_shares{B_{ij}} \text{ in others},\quad )"
        R"(B_{ij} = \operatorname{softmax}_{j \in \text{block}}\left(s_{ij}\right),\quad )"
        R"(S_i = \operatorname{softmax}\left(s_{ij},\ j \in \text{own block or } j = p_j\right),\quad )"
        R"(@scores{s_{ij} = \frac{@query{q_i} \cdot @key{k_j}}{\sqrt{d}}})";
    mechanism.papers = {
        {"Mohtashami and Jaggi, Random-Access Infinite Context Length for Transformers", 2023}};
    mechanism.explanation =
        "To find a sentence in a long book one looks for its chapter first. After every block of words "
        "stands a token that means nothing by itself, the landmark; its key is trained to stand for the "
        "block. A query compares itself with the words of its own block and with the landmarks of all "
        "others, in one softmax. What a landmark gets it passes on: the words of its block share it by a "
        "softmax of their own. So every word can still be reached, and no word of a block that is not "
        "wanted needs to be looked at: a model that was trained so may keep the landmarks alone at hand, "
        "and fetch the words of a few blocks. Rows sum to 1, and landmarks themselves get nothing. Here the "
        "last word of each block is its landmark; the words of a block that is not yet full have none and "
        "are reached from within.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head in training; when only k blocks of w tokens are "
                     "fetched, n (m / w + (k + 1) w) (d + d_v).";
    mechanism.correction =
        "It is one softmax over own words and landmarks, and not first one over blocks and then one over "
        "words: near words compete with far blocks. A query that is a landmark looks at its own block as its "
        "words do. The paper inserts landmarks into the text, and never computes a loss for them; that a "
        "word is one is a simplification of this page.";
    mechanism.equivalences = {equal_when(
        "causal", "a text of one block that is not yet full has no landmark, and all words are near",
        {.here = {{"block", Index(65536)}}})};
    mechanism.related = {"moba", "quest", "native_sparse", "causal"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::landmark;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the cat sleeps here the dog drinks there the king is old";
    mechanism.example.look_for =
        "“here” and “there” end their blocks, and their columns are empty, though many later words have "
        "looked at them: in the row of “king” the three words before “here” share what “here” has got in the "
        "stage of tokens and landmarks, and no more.";
    mechanism.properties = {.causal = true, .streaming = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight
