#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_cosformer() {
    Mechanism mechanism;
    mechanism.name = "cosFormer";
    mechanism.also_known_as = {"cosine-reweighted linear attention"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3320;
    mechanism.formula =
        R"(@weights{A_{ij} = \frac{@similarities{\operatorname{relu}(@query{q_i}) \cdot )"
        R"(\operatorname{relu}(@key{k_j})\,\cos\left(\frac{\pi}{2}\,\frac{i - j}{M}\right)}}{@row_sum{)"
        R"(\sum_j \ldots}}},\quad @output{O = A\,@value{V}})";
    mechanism.papers = {{"Qin et al., cosFormer: Rethinking Softmax in Attention", 2022}};
    mechanism.explanation =
        "Two properties of softmax are kept and its exponential is dropped: weights are not negative, by "
        "cutting negative features of queries and keys off, and they are concentrated, by a cosine that "
        "falls from 1 at distance 0 to 0 at distance M. Because cos(a − b) = cos a cos b + sin a sin b "
        "(Ptolemy), the cosine splits into two features of the query’s place times two of the key’s, and the "
        "whole is linear attention with 2 d features. M is the length of the sequence here unless a longer "
        "one is set, so that no cosine is negative. A query whose features are all cut off attends to "
        "nothing: its row is zero and stays zero.";
    mechanism.correction =
        "ReLU is on queries and keys and not on scores, where it could not be taken apart into features. "
        "Beyond M the cosine is negative: a text that goes on growing needs an M that is set to its longest.";
    mechanism.cost = "4 n d d_v multiply-adds per head; state 2 d d_v";
    mechanism.related = {"linear", "alibi"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::cosformer;
    compose(mechanism, spec, component_knobs(spec) + causal_knob() + projections_knob());

    mechanism.example.query = "the small dog chased the big cat across the old street";
    mechanism.example.look_for =
        "Weights fade to both sides of the diagonal, and pairs whose positive features do not "
        "overlap have weight 0.";
    mechanism.properties = {.row_stochastic = false, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
