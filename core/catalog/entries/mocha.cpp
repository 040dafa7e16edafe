#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_mocha() {
    Mechanism mechanism;
    mechanism.name = "Monotonic chunkwise attention";
    mechanism.also_known_as = {"MoChA", "MILk with an unlimited chunk"};
    mechanism.family = "Normalisers";
    mechanism.order = 5550;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad@weights{A_{ij}} = \sum_{k=j}^{j+w-1} )"
        R"(@stopping_weights{a_{ik}}\,\frac{e^{s_{ij}}}{\sum_{l=k-w+1}^{k} e^{s_{il}}})";
    mechanism.papers = {{"Chiu and Raffel, Monotonic Chunkwise Attention", 2018}};
    mechanism.explanation =
        "Monotonic attention looks at one key only, the one where it stops. Chunkwise attention stops in the "
        "same way and then looks back: a softmax over the w keys that end at the stop shares the weight "
        "among them. The reader still moves forward only and can work online, but sees a little context and "
        "may swap neighbours. In training each key gets its share of every chunk that it lies in, times the "
        "chance that the chunk ends there. With no limit on w it looks at all that was heard so far (MILk).";
    mechanism.cost = "n m (d + d_v + w) multiply-adds per head; memory n m.";
    mechanism.correction =
        "The paper learns a second score for the softmax in the chunk; here both use the same one.";
    mechanism.equivalences = {
        equal_when("monotonic", "chunks of one key are the keys themselves", {.here = {{"width", 1}}})};
    mechanism.related = {"monotonic", "soft"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.score.type = ScoreType::dot;
    spec.normalizer.type = NormalizerType::chunkwise;
    spec.normalizer.options["bias"] = -14.5;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + projection_knobs());

    mechanism.example.query = "the cat sleeps on the sofa";
    mechanism.example.key = "the kitten sleeps on the couch";
    mechanism.example.look_for =
        "The staircase of monotonic attention, each step smeared over up to w keys to its left. "
        "With w = 1 it is monotonic attention.";
    mechanism.properties = {.row_stochastic = false, .streaming = true};
    return mechanism;
}

}  // namespace headlight
