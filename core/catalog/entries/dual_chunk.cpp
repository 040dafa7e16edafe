#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_dual_chunk() {
    Mechanism mechanism;
    mechanism.name = "Dual chunk attention";
    mechanism.also_known_as = {"DCA", "ChunkLlama"};
    mechanism.family = "Positions";
    mechanism.order = 2566;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{@scores{s_{ij}}}{\sqrt{d_k}}})"
        R"(\right)}\,@value{V}},\quad )"
        R"(@scores{s_{ij}} = @query{q_i} \cdot R_{(j \bmod s) - p_{ij}}\,@key{k_j},\quad )"
        R"(p_{ij} = @intra_scores{i \bmod s} \text{ in one chunk, } @successive_scores{s + \min(i \bmod s,)"
        R"(\, w - 1)} \text{ in the next one, else } @inter_scores{s + w - 1})";
    mechanism.papers = {{"An et al., Training-Free Long-Context Scaling of Large Language Models", 2024}};
    mechanism.explanation =
        "A model that has learned from texts of c tokens reads longer ones without training again: the text "
        "is cut into chunks of s tokens, s below c, and the places of keys begin again in each. A query has "
        "three places. For keys of its own chunk it stands where it stands in the chunk, so that their "
        "distances are as they were. For keys of all chunks before the last one it stands at the farthest "
        "place of all, c − 1: they are far away, and how far is not told but for their place in their chunk. "
        "The chunk right before is between the two. There the first w = c − s tokens go on counting, s, s + "
        "1, ..., so that words on both sides of a border are the neighbours that they are, and later ones "
        "stay at c − 1. So no distance is c or more. Self-Extend draws its line between near and far around "
        "each query; here it lies where chunks meet, and each part is attention as kernels have it, put "
        "together by their sums.";
    mechanism.cost = "3 n m d_k for three maps of scores here, of which each pair keeps one; n m d_k where "
                     "chunks are computed apart";
    mechanism.correction =
        "The farthest place is c − 1 in the paper and c in its authors’ code; here it is s + w − 1, the "
        "paper’s. Two chunks back a nearer key may have the larger distance: only its place in its chunk "
        "counts. Keys after the query, which the paper does not have, have the same distances with the other "
        "sign here.";
    mechanism.equivalences = {
        equal_when("rope", "in one chunk every distance is itself",
                   {.here = {{"chunk", Index(65536)}}, .there = {{"causal", true}}}),
        equal_when(
            "self_extend",
            "with chunks of one token and w = 2 all that is not next to the query is at the distance 2",
            {.here = {{"chunk", Index(1)}, {"window", Index(2)}},
             .there = {{"window", Index(2)}, {"far", std::string("constant")}}})};
    mechanism.related = {"self_extend", "rope", "position_interpolation", "yarn"};

    AttentionSpec spec;
    spec.position.type = PositionType::dual_chunk;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "row row row row row row row row row row row row";
    mechanism.example.look_for = "One word twelve times over: triangles along the diagonal are alike, each a "
                                 "chunk of four. Two chunks "
                                 "back all rows are the same, and their columns rise and fall anew.";
    mechanism.example.stage = "scores";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight
