#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_yoso() {
    Mechanism mechanism;
    mechanism.name = "YOSO";
    mechanism.also_known_as = {"you only sample almost once", "Bernoulli sampling attention", "N-YOSO-E"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3297;
    mechanism.formula =
        R"(@output{o_i} = \frac{@attended{\sum_j A_{ij}\,@value{v_j}}}{\lVert\sum_j A_{ij}\,v_j\rVert},)"
        R"(\quad @weights{A_{ij} = \left(1 - \frac{@pair_angles{\varphi_{ij}}}{\pi}\right)^\tau},\quad )"
        R"(@pair_angles{\cos \varphi_{ij} = \frac{@query{q_i} \cdot @key{k_j}}{\lVert q_i\rVert\,\lVert k_j)"
        R"(\rVert}})";
    mechanism.papers = {
        {"Zeng et al., You Only Sample (Almost) Once: Linear Cost Self-Attention Via Bernoulli Sampling",
         2021}};
    mechanism.explanation =
        "Throw a plane through the origin. It has query and key on one side with a chance that only the "
        "angle between them decides: 1 for one direction, a half at a right angle, 0 for opposite ones. With "
        "τ planes, each of which gives a bit, both have the same hash with that chance to the power of τ, a "
        "curve much like the exponential of a softmax. Now nobody needs to compute it: put every value into "
        "the bucket of its key’s hash, and let each query take what lies in its own. Every pair is then "
        "drawn with the right chance at once, and a few hashes later the mean is near. The cost grows with "
        "n. What is shown here is the mean of all hashes that there could be; set `rounds` to draw some, and "
        "see a map of tenths or halves take its place. There is no sum of the row to divide by; the context "
        "is brought to length 1 in its place, and a short filter along the values may be added to it, with a "
        "`convolution` of 33 or 35 places in the authors’ models.";
    mechanism.cost =
        "here n m (d + d_v) multiply-adds per head, for the mean is computed pair by pair; with r "
        "hashes of τ bits r n (τ d + d_v), and 2^τ d_v numbers of buckets.";
    mechanism.correction =
        "Only directions count, so that a long key gets no more than a short one. The gradient of the arc "
        "cosine has no end where query and key are one; the paper replaces it by a lower bound, τ / 2 times "
        "the weight, which is finite and can be sampled too. Here gradients are those of the formula, and 0 "
        "where both are one; drawn hashes have none.";
    mechanism.related = {"reformer", "performer", "cosine", "linear"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::yoso;
    compose(mechanism, spec,
            component_knobs(spec) + causal_knob() + source_knob() + projections_knob() + key_lengths_knob());

    mechanism.example.query = "king queen cat dog red blue king";
    mechanism.example.look_for =
        "Each word gives itself, and the same word elsewhere, exactly 1: their hashes are one whatever the "
        "planes. A right angle leaves 0.004 with 8 planes, and a half with one.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true};
    return mechanism;
}

}  // namespace headlight
