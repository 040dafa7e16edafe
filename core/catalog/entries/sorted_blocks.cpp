#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_sorted_blocks() {
    Mechanism mechanism;
    mechanism.name = "Sparse Sinkhorn attention";
    mechanism.also_known_as = {"Sinkhorn Transformer", "sorted blocks", "SortCut"};
    mechanism.family = "Selections";
    mechanism.order = 5453;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad )"
        R"(A_i = \operatorname{softmax}\left(\frac{@query{q_i}\,[\hat{k};\, @key{k}]^\top}{\sqrt{d}})"
        R"(\right) \text{ over block } b \text{ of both},\quad )"
        R"(\hat{k}_{b,t} = \sum_c @block_order{P_{bc}}\, k_{c,t},\quad )"
        R"(P = \operatorname{Sinkhorn}\left(\exp \frac{\max\left(0, \sum_{t} x_{b,t} W\right)}{\tau}\right))";
    mechanism.papers = {{"Tay et al., Sparse Sinkhorn Attention", 2020}};
    mechanism.explanation =
        "Attention within blocks is cheap, and blind to everything outside. Which other block would a block "
        "like to see? Let a small network say it: from the sum of a block’s tokens it makes a number for "
        "each place that a block may come to, and Sinkhorn’s method brings these numbers to a matrix P "
        "whose rows and columns sum to 1, by dividing columns and rows by their sums in turn. If each row "
        "had a single 1 it would be an order of the blocks; with softer numbers it is nearly one, and it has "
        "a slope, so that sorting is learned with everything else. The keys and values are sorted by it, "
        "block for block and token for token, and a query looks at its own block and at the block that has "
        "come to its place, in one softmax. So a token sees two blocks’ worth of keys, one near and one from "
        "anywhere. SortCut goes further: all queries look at the first few sorted blocks, and there is "
        "nothing to compute that grows with the square of the text. In a decoder only blocks that have come "
        "may be sorted to a place, and what is said of it must be known with its first token.";
    mechanism.cost =
        "2 n (n / c) (d + d_v) multiply-adds per head for c blocks, n d for the sums and r c² for r rounds "
        "of balancing. Here the maps of n rows are written out.";
    mechanism.correction =
        "P does not choose one block for each place: a sorted key is a mixture of the keys of all blocks, "
        "and the weight of a query goes through P to all of them; a small τ makes it nearly one. A network "
        "of two layers sorts in the paper and one here, and in training noise is added to what it says. A "
        "well-known implementation (lucidrains) keeps the largest number of each row of P alone. "
        "In a decoder rows alone are brought to sums of 1, as that implementation has it; the paper balances "
        "columns as well, under a mask, which is not offered here. "
        "The rounds end with the rows here, so that weights sum to 1. Where the last block is shorter, "
        "the places that it lacks are shared by the others.";
    mechanism.equivalences = {equal_when("scaled_dot_product",
                                         "one block holds the text, and comes to its own place",
                                         {.here = {{"blocks", Index(1)}}})};
    mechanism.related = {"sinkhorn", "smyrf", "blocks", "routing"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::sorted_blocks;
    compose(mechanism, spec, component_knobs(spec) + projections_knob() + key_lengths_knob());

    mechanism.example.query = "red blue green cat dog horse king queen prince";
    mechanism.example.look_for =
        "Three blocks of three words on the diagonal, in full. Beside them each row has three numbers or "
        "more that came through P, the same places of other blocks. Step back to P, and let τ be small: "
        "each row keeps one block.";
    mechanism.example.beside = "blocks";
    mechanism.properties.needs_whole_text = true;
    return mechanism;
}

}  // namespace headlight
