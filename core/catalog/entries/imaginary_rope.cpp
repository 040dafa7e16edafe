#include "core/catalog/knob.h"

#include <vector>

namespace headlight {

Mechanism declare_imaginary_rope() {
    Mechanism mechanism;
    mechanism.name = "Rotary positions, real and imaginary (RoPE++)";
    mechanism.also_known_as = {"RoPE++", "imaginary attention"};
    mechanism.family = "Positions";
    mechanism.order = 2528;
    mechanism.formula =
        R"(@weights{A^{2h}_{ij} = \operatorname{softmax}_j \left(@scaled_scores{\frac{@scores{)"
        R"(@rotated_query{R_i\,@query{q_i}} \cdot @rotated_key{R_j\,@key{k_j}}}}{\sqrt{d_k}}}\right)},)"
        R"(\quad )"
        R"(@weights{A^{2h+1}_{ij} = \operatorname{softmax}_j \left(\frac{@rotated_query{R_{-\pi/2}\,R_i)"
        R"(\,q_i} \cdot R_j\,k_j}{\sqrt{d_k}}\right)},\quad )"
        R"(@output{o_i = \left[\sum_j A^{2h}_{ij}\,@value{v_j};\, \sum_j A^{2h+1}_{ij}\,v_j\right]_h W_o})";
    mechanism.papers = {
        paper_of("Liu et al.",
                 {.title = "Beyond Real: Imaginary Extension of Rotary Position Embeddings for Long-Context "
                           "LLMs",
                  .authors = "Liu, Xiaoran and Song, Yuerong and Liu, Zhigeng and Huang, Zengfeng and Guo, "
                             "Qipeng and Liu, Zhaoxiang and Lian, Shiguo and He, Ziwei and Qiu, Xipeng",
                  .kind = Publication::Kind::other,
                  .venue = "arXiv:2512.07525",
                  .year = 2025})};
    mechanism.explanation =
        "Two features of a query are a complex number, and turning them by the place is a product with "
        "e^(iθ). A query and a key so come to a complex number, too, of which rotary positions take the "
        "real part and throw the imaginary one away. RoPE++ keeps it, as the score of one more head, which "
        "has the query, the keys and the values of the first. For that the query need only be turned a "
        "quarter back. Of two vectors that are alike the real part is a cosine of the distance, largest at "
        "the token itself, and the imaginary part a sine, which is 0 there and grows until a quarter turn, "
        "for slow pairs over thousands of tokens: the authors find that such heads look far. The first of "
        "each two heads is real here and the second imaginary. With as many heads as before there are half "
        "as many queries, keys and values to learn and to keep (EH, equal heads); with as many keys as "
        "before there are twice as many heads (EC, equal cache).";
    mechanism.cost =
        "As grouped queries whose heads stand in pairs: n m (d_k + d_v) per head, and the cache of "
        "half as many heads of keys and values.";
    mechanism.correction =
        "It is the imaginary part of q k* e^(iθ(i − j)), or minus that of its conjugate, as the paper writes "
        "it: with the other sign keys before the query would come out below 0 where the two are alike. Keys "
        "are not turned back; were both, nothing would change. A quarter turn of a head with a query of its "
        "own would be no news, for its matrix could learn it: the point is that the two share one. Here W_q "
        "keeps columns for every head, and those of the second of each two are not read. Both heads of a "
        "pair have the same keys where every head of keys serves an even number of heads.";
    mechanism.equivalences = {equal_when(
        "grouped_query", "where no pair turns, nobody knows a place",
        {.here = {{"turned_share", 0.0}, {"quarter_heads", false}}, .there = {{"heads", Index(4)}}})};
    mechanism.related = {"rope", "grouped_query", "complex_order", "pope"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::grouped_query, .heads = 4, .kv_heads = 2};
    spec.position = {PositionType::rope, {{"quarter_heads", true}}};
    compose(mechanism, spec,
            std::vector<Knob>{heads_knob(4), kv_heads_knob()} + component_knobs(spec) + causal_knob() +
                projection_bias_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "Heads 1 and 2 have one query, and so have heads 3 and 4, the second of them a quarter behind: their "
        "maps have little in common. The rotated queries show why: the left half of head 2 is the right half "
        "of head 1, and its right half the left one with the other sign.";
    return mechanism;
}

}  // namespace headlight
