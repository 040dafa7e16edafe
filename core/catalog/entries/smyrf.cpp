#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_smyrf() {
    Mechanism mechanism;
    mechanism.name = "SMYRF";
    mechanism.also_known_as = {"asymmetric clustering", "balanced hashing", "HyperAttention", "KDEformer"};
    mechanism.family = "Selections";
    mechanism.order = 5452;
    mechanism.formula = masked_formula(
        R"(@shared_blocks{\lfloor r_q(i) / s_q \rfloor = \lfloor r_k(j) / s_k \rfloor} \text{ in some )"
        R"(round},\quad )"
        R"(r \text{ the rank of } a \cdot \left(q_i,\, \sqrt{M - \lVert q_i \rVert^2},\, 0\right) \text{ )"
        R"(and of } a \cdot \left(k_j,\, 0,\, \sqrt{M - \lVert k_j\rVert^2}\right))");
    mechanism.papers = {
        {"Daras et al., SMYRF: Efficient Attention Using Asymmetric Clustering", 2020},
        {"Zandieh et al., KDEformer: Accelerating Transformers via Kernel Density Estimation", 2023},
        {"Han et al., HyperAttention: Long-Context Attention in Near-Linear Time", 2024}};
    mechanism.explanation =
        "Reformer’s hash puts queries and keys into buckets, but asks for two things: that queries are keys, "
        "and that one can live with buckets of any size. SMYRF does without. A hash finds near vectors, "
        "while attention wants large products, and a long key may have a large product with a query that is "
        "far away. Two features more, of which queries fill one and keys the other, bring all to one length "
        "without changing any product, and among vectors of one length the nearest has the largest product. "
        "Then everything is put in order along a random direction, queries by themselves and keys by "
        "themselves, and both orders are cut into as many blocks of equal size; a query sees the keys of the "
        "block of its number. Equal blocks are what processors like, and a trained model can take the "
        "clusters as they are, without learning again. HyperAttention lets blocks find the large weights and "
        "draws a few keys at random for the rest: each of these stands for as many as there are for each "
        "draw, so that the sum of a row is right in the mean. KDEformer came to it before, with chances of "
        "its own.";
    mechanism.cost =
        masked_cost("r n (m / c) (d + d_v) multiply-adds per head for r rounds of c clusters, and "
                    "r (n + m) d for the hashes.");
    mechanism.correction =
        "With two rounds the paper attends in each and merges by the sums of the exponentials, which counts "
        "twice a key that shares both blocks; here it counts once, unless rounds are merged by their sums. "
        "HyperAttention and KDEformer have another order: of the signs of a few products, as a Gray code has "
        "them, so that neighbours differ in one (the released code has them as the code counts, in which "
        "from three signs on some neighbours differ in two). KDEformer gives keys of large values a larger "
        "chance to be drawn, and lets them stand for less. The hash of the paper is a rounded number, of "
        "which only the order matters; here it is the order of the products themselves, to a millionth. A "
        "direction that lies badly parts vectors that are near: more rounds help.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "one block holds every key", {.here = {{"clusters", Index(1)}}})};
    mechanism.related = {"reformer", "routing", "clustered", "yoso"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.selection.type = SelectionType::balanced_hashing;
    compose(mechanism, spec, component_knobs(spec) + token_knobs() + key_lengths_knob());

    mechanism.example.query = "cat dog horse red blue green king queen prince";
    mechanism.example.look_for = "Every row has three cells, and every column three: blocks of equal size, "
                                 "wherever their words stand. "
                                 "Let there be two rounds, and rows have up to six.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties = {
        .row_stochastic = false, .data_dependent_mask = true, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
