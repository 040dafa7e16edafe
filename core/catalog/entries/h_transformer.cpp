#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_h_transformer() {
    Mechanism mechanism;
    mechanism.name = "H-Transformer-1D";
    mechanism.also_known_as = {"hierarchical attention by an H-matrix", "near and far attention"};
    mechanism.family = "Low rank";
    mechanism.order = 3656;
    mechanism.formula =
        R"(@output{O} = @weights{\operatorname{softmax}(S)}\,@value{V},\quad )"
        R"(@scores{S_{ij} = \frac{@query{\bar{q}_i^{(\ell)}} \cdot @key{\bar{k}_j^{(\ell)}}}{\sqrt{d}}},)"
        R"(\quad )"
        R"(@halvings{\ell = \min\{l : |\lfloor i / (2^l b) \rfloor - \lfloor j / (2^l b) \rfloor| \le 1\}})";
    mechanism.papers = {
        {"Zhu and Soricut, H-Transformer-1D: Fast One-Dimensional Hierarchical Attention for Sequences",
         2021}};
    mechanism.explanation =
        "Who reads a page knows the words of this line, and of the chapter before roughly what it was about. "
        "So let pairs that are near meet exactly, and let those that are far apart meet by their means. The "
        "text is cut into blocks of b tokens; within a block, and between a block and the next, every pair "
        "has its own score. What is farther away is halved: two neighbours become one, with the mean of "
        "their queries and of their keys, blocks of b of these are again compared with their neighbours, and "
        "so on until two blocks are left. Each pair takes its number from the finest level at which it is "
        "near. The map is then of large squares far from the diagonal and of small ones beside it, as "
        "physicists write down a field: near charges one by one, far ones as a cloud. The finest level has "
        "about 3 n b numbers, all levels together less than 5 n b, and nothing is left out.";
    mechanism.cost =
        "about 3 n b (d + d_v) multiply-adds per head for the finest level, at most twice that for all; "
        "memory 6 n b. Here the map of n rows is written out.";
    mechanism.correction =
        "A far square is not a sum of what its pairs would have: it is exp of the product of means, which is "
        "less than the mean of exp. Queries are averaged too, so that a token has a share of those after it. "
        "A decoder leaves the squares to the right out, and here it averages keys alone: each query is "
        "itself, and nothing of later tokens is in its row. A well-known implementation (lucidrains) gives "
        "what a mean of queries has found to the last of their tokens alone, and lets a block meet only its "
        "partner of the same pair, so that two neighbours of different pairs meet at a coarser level; here, "
        "as in the paper, a block meets both of its neighbours.";
    mechanism.equivalences = {equal_when("scaled_dot_product", "one block holds half the text",
                                         {.here = {{"block", Index(65536)}}})};
    mechanism.related = {"multiresolution", "log_linear", "landmark", "clustered"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::h_transformer;
    compose(mechanism, spec, component_knobs(spec) + projections_knob() + key_lengths_knob());

    mechanism.example.query = "the cat sat on the mat and the dog lay by the old door there";
    mechanism.example.look_for =
        "Beside the diagonal every cell has a number of its own; farther away two by two cells are one, and "
        "then four by four. Step back to the halvings, and let the block be 4.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties.needs_whole_text = true;
    return mechanism;
}

}  // namespace headlight
