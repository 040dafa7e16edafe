#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_multiresolution() {
    Mechanism mechanism;
    mechanism.name = "Multi-resolution attention";
    mechanism.also_known_as = {"MRA", "MRA-2", "multi resolution analysis"};
    mechanism.family = "Low rank";
    mechanism.order = 3657;
    mechanism.formula =
        R"(@output{O} = @weights{\operatorname{softmax}(S)}\,@value{V},\quad )"
        R"(@scores{S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d}}} \text{ in the } R \text{ blocks } )"
        R"(@refined_pairs{(a, c)} \text{ with the largest } @coarse_scores{\mu_{ac} = \frac{@query{)"
        R"(\bar{q}_a} \cdot @key{\bar{k}_c}}{\sqrt{d}}},\quad S_{ij} = \mu_{ac} \text{ in others})";
    mechanism.papers = {
        {"Zeng et al., Multi Resolution Analysis (MRA) for Approximate Self-Attention", 2022}};
    mechanism.explanation =
        "A photograph is stored as a coarse picture, and as finer details where there are some: a blue sky "
        "needs few numbers. This does the same with a map of attention. Queries and keys are averaged over "
        "blocks of neighbours, and the products of the means are a map of large squares. Where these are "
        "large, detail matters, for the softmax takes powers: a small error there is a large one in the "
        "weights. So the R largest squares of the whole map are looked at again, pair by pair, and the "
        "others stay what they are. No pattern is laid down beforehand: the text decides where its map is "
        "sharp.";
    mechanism.cost =
        "(n / s) (m / s) d multiply-adds per head for blocks of s, R s² (d + d_v) for the refined "
        "ones. Here all pairs are scored, and the map is written out.";
    mechanism.correction =
        "The mean of products is the product of the means, but exp of it is less than the mean of exp: "
        "coarse squares get too little. The R blocks are the largest of the whole map, as in the paper’s "
        "algorithm 1, so that some rows may have none; its released code first takes the largest of each row "
        "off, and has one in every row. MRA-2-s leaves the coarse squares out; queries without a refined "
        "block then look at nothing.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "every block is refined", {.here = {{"refined", Index(65536)}}}),
        equal_when("scaled_dot_product", "a block is one token",
                   {.here = {{"block", Index(1)}, {"refined", Index(0)}}})};
    mechanism.related = {"h_transformer", "clustered", "moba", "nystrom"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::multiresolution;
    compose(mechanism, spec, component_knobs(spec) + projections_knob() + source_knob() + key_lengths_knob());

    mechanism.example.query = "the red cat sat on the warm mat near the old door";
    mechanism.example.look_for =
        "Squares of three by three words; four of them have a number for each pair, and are where the coarse "
        "map is largest. Step back to the coarse scores, and let more blocks be refined.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties = {.row_stochastic = false, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
