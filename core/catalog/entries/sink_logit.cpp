#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_sink_logit() {
    Mechanism mechanism;
    mechanism.name = "Learned sink logit";
    mechanism.also_known_as = {"attention sink bias", "gpt-oss sinks"};
    mechanism.family = "Normalisers";
    mechanism.order = 2910;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad@weights{A_{ij}} = \frac{)"
        R"(@exponentials{e^{s_{ij}}}}{e^{b_h} + \sum_k e^{s_{ik}}})";
    mechanism.papers = {{"OpenAI, gpt-oss-120b and gpt-oss-20b Model Card", 2025}};
    mechanism.explanation =
        "Each head h has one learned number b, the score of a sink that belongs to no token and "
        "has no value. It takes part in the softmax, its weight is dropped, and the keys share "
        "the rest. A head that often has nothing to say learns a high b and is quiet until a key "
        "beats it; a head that always has something learns a low one. Models without such a sink "
        "make one of their first token, whose column then fills the picture. Here b is a slider; "
        "at its left end the parameter b_sink of each head counts.";
    mechanism.correction =
        "The sink has no value: it makes the sum below larger and adds nothing to the output. The first "
        "tokens that StreamingLLM keeps are ordinary ones, with keys and values.";
    mechanism.cost = "n m (d + d_v) multiply-adds and n m exponentials per head; memory n m.";
    mechanism.equivalences = {
        equal_when("off_by_one", "a sink of logit 0 adds exp(0) = 1 to the sum", {.here = {{"logit", 0.0}}}),
        equal_when("scaled_dot_product", "a sink far below every score takes nothing",
                   {.here = {{"logit", -19.9}}, .tolerance = 1e-6})};
    mechanism.related = {"off_by_one", "persistent_memory", "soft", "softpick"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::sink;
    spec.normalizer.options["logit"] = 3.5;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs());

    mechanism.example.query = "the government raises the tax while my kitten sleeps";
    mechanism.example.look_for =
        "“kitten” gives more than half of its weight to the sink, “my” hardly any. Raise the "
        "logit: all weights of a row shrink by one factor, and rows of low scores go dark first.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true};
    return mechanism;
}

}  // namespace headlight
