#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_online_softmax() {
    Mechanism mechanism;
    mechanism.name = "Online softmax";
    mechanism.also_known_as = {"tiled attention", "the softmax of FlashAttention", "block-sparse skipping"};
    mechanism.family = "Execution";
    mechanism.order = 3200;
    mechanism.formula =
        R"(@running_maximum{m' = \max(m,\, \max_j @masked_scores{s_j})},\quad )"
        R"(@running_sum{\ell' = @corrections{e^{m - m'}}\,\ell + \sum_j e^{s_j - m'}},\quad )"
        R"(@weights{A_{ij} = \frac{e^{s_{ij} - m_i}}{\ell_i}},\quad @output{O = @weights{A}\,@value{V}})";
    mechanism.papers = {{"Milakov and Gimelshein, Online Normalizer Calculation for Softmax", 2018},
                        {"Dao, Fu, Ermon, Rudra and Ré, FlashAttention", 2022},
                        {"Dong et al., Flex Attention: A Programming Model for Generating Optimized "
                         "Attention Kernels (blocks of a mask)",
                         2024}};
    mechanism.explanation =
        "A softmax seems to need its whole row before it can divide by the sum. It does not: keep the "
        "largest score so far and the sum of exponentials so far, and whenever a larger score turns up, "
        "multiply the sum by exp(old maximum − new maximum). The weighted sum of values is corrected by the "
        "same factor. So keys can be taken tile by tile, and what has to be kept is two numbers and one "
        "vector per query, whatever the length. FlashAttention does this in the fast memory of a graphics "
        "processor, which is why it is exact and still quicker: a tile of queries stays there while the "
        "tiles of keys pass by. Where the mask leaves a tile empty, there is nothing to do, and where it "
        "fills one, nothing to test; a list of which tiles are which is all that a kernel has to know of a "
        "mask (FlexAttention). Nothing in the result depends on the size of the tiles.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head, as always, and a correction per tile; memory n "
                     "(d_v + 2) and one tile of scores in place of n m.";
    mechanism.correction = "FlashAttention is often described as an approximation, or as linear in time: it "
                           "is exact, takes as many operations as before, and saves memory and traffic.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "only the order of the work differs, whatever the tile"),
        equal_when("online_softmax", "key by key, or all keys at once",
                   {.here = {{"tile", Index(1)}}, .there = {{"tile", Index(512)}}})};
    mechanism.related = {"scaled_dot_product", "kv_cache", "off_by_one"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::online_softmax;
    compose(mechanism, spec,
            component_knobs(spec) + causal_knob() + source_knob() + projections_knob() + key_lengths_knob());

    mechanism.example.query = "the sun rose slowly over the quiet green hills";
    mechanism.example.look_for =
        "The map of plain softmax to the last digit. Step to the running maximum and the running sum: tile "
        "by tile they grow toward the numbers of the whole row; change the tile and the weights stay.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
