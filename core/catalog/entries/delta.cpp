#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_delta() {
    Mechanism mechanism;
    mechanism.name = "DeltaNet";
    mechanism.also_known_as = {"delta rule", "fast weight programmer"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3500;
    mechanism.formula =
        R"(@state{S_i = S_{i-1} + @write_strengths{\beta_i}\,@key_features{k_i}^\top @errors{(@value{v_i} )"
        R"(- @predictions{k_i S_{i-1}})}},\quad @output{o_i = \frac{@query{q_i}}{\sqrt{d}}\,S_i},\quad )"
        R"(@weights{A = \operatorname{tril}\left(\frac{Q K^\top}{\sqrt{d}}\right) (I + )"
        R"(\operatorname{tril}_{-1}(\beta K K^\top))^{-1} \beta})";
    mechanism.papers = {
        {"Schlag et al., Linear Transformers Are Secretly Fast Weight Programmers", 2021},
        {"Yang et al., Parallelizing Linear Transformers with the Delta Rule over Sequence Length", 2024}};
    mechanism.explanation =
        "Linear attention only adds: a key that comes twice with different values is answered with both. The "
        "delta rule first asks the state what it holds for the key, and writes only the error, what is "
        "missing to the new value, with strength β. With keys of length 1 and β = 1 the old value is "
        "replaced, and with orthogonal keys the state is a dictionary in which the last write wins. So the "
        "weight of an earlier token can fall when a similar key comes, even below 0, which no softmax can "
        "do. β is a sigmoid of the token’s vector; up to 2 it may undo more than there was.";
    mechanism.correction = "The error is that of the state before the write. Keys need length 1, and have it "
                           "here, while queries "
                           "keep theirs (later code gives them length 1 too): a longer key overshoots at β = "
                           "1, and the same key again and again can make the state grow without bound.";
    mechanism.cost = "3 n d d_v multiply-adds per head: to predict, to write and to read; state d d_v; the "
                     "map by forward substitution n² d";
    mechanism.related = {"linear", "gated_delta", "kda", "longhorn", "mesa", "deltaformer"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::delta;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "In the row of the second “door” the first one has far less weight than its own: it has been "
        "overwritten. Some weights are below 0.";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
