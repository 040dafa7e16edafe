#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_persistent_memory() {
    Mechanism mechanism;
    mechanism.name = "Persistent memory";
    mechanism.also_known_as = {"all-attention", "memory key/values", "learned null keys", "bias_kv"};
    mechanism.family = "Memory";
    mechanism.order = 5750;
    mechanism.formula =
        R"(@context{o_i = \sum_s @memory_weights{B_{is}}\,M^V_s + \sum_j @weights{A_{ij}}\,@value{v_j}},)"
        R"(\quad )"
        R"([@memory_weights{B_i}; @weights{A_i}] = \operatorname{softmax}\left(\left[@memory_scores{)"
        R"(\frac{q_i \cdot M^K_s}{\sqrt{d}}}; @scores{\frac{@query{q_i} \cdot @key{k_j}}{\sqrt{d}}}\right])"
        R"(\right))";
    mechanism.papers = {{"Sukhbaatar et al., Augmenting Self-attention with Persistent Memory", 2019}};
    mechanism.explanation =
        "What a feed-forward layer does looks much like attention: an input is compared with the rows of a "
        "matrix, and rows of a second one are added up by what came out. So those rows can move into the "
        "attention, as keys and values that belong to no token. They are learned, the same for every text, "
        "and no mask hides them. One softmax runs over slots and tokens, so that they compete: what a query "
        "gives to slots it takes from tokens. In the paper some thousand slots take the place of the "
        "feed-forward layer. A few do something else: they are where a head can look when no token fits, as "
        "models otherwise misuse the first token for. Only the tokens’ columns are shown as the map; its "
        "rows sum to what the slots leave.";
    mechanism.cost =
        "n (m + s) (d + d_v) multiply-adds per head for s slots; memory n (m + s). A cache holds "
        "the slots once.";
    mechanism.correction =
        "It is no memory that is written to: nothing of the text gets into the slots. A slot has a value; a "
        "sink or the 1 of “softmax off by one” is a slot whose value is 0, and so only takes. In the paper "
        "tokens have relative positions and slots have none; here both are compared by content alone.";
    mechanism.equivalences = {equal_when(
        "off_by_one",
        "one slot whose key and value are 0 has the score 0 and gives nothing: the 1 in the sum",
        {.here = {{"slots", Index(1)}}, .parameters = {{"K_memory", "zeros"}, {"V_memory", "zeros"}}})};
    mechanism.related = {"off_by_one", "sink_logit", "external_memory", "streaming_sinks"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::persistent_memory;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + source_knob() + causal_knob());

    mechanism.example.query = "the government raises the tax while my kitten sleeps";
    mechanism.example.stage = "memory_weights";
    mechanism.example.look_for =
        "The slots are random here, and so no query fits them well. They get most from the words that fit "
        "least of what is here: 0.13 of “kitten” and 0.07 of “sleeps”, but 0.01 of “the”.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true};
    return mechanism;
}

}  // namespace headlight
