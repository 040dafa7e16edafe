#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_hstu() {
    Mechanism mechanism;
    mechanism.name = "Pointwise SiLU attention (HSTU)";
    mechanism.also_known_as = {"hierarchical sequential transduction unit", "pointwise aggregated attention"};
    mechanism.family = "Normalisers";
    mechanism.order = 5515;
    mechanism.formula =
        R"(@weights{A_{ij} = \frac{1}{n}\operatorname{silu}\left(@scores{@activated_query{q_i} \cdot )"
        R"(@activated_key{k_j}}\right)} \text{ for } j \le i,\quad )"
        R"(@context{O = @normalized_context{\operatorname{LN}\left(@attended{A\,@activated_value{V}})"
        R"(\right)} \odot @output_gate{\operatorname{silu}(@tokens{X} W_u)}},\quad )"
        R"(\operatorname{silu}(x) = x\,\sigma(x))";
    mechanism.papers = {
        {"Zhai et al., Actions Speak Louder than Words: Trillion-Parameter Sequential Transducers for "
         "Generative Recommendations (equations 1 to 3)",
         2024}};
    mechanism.explanation =
        "A softmax shares out a whole: who has bought coffee a hundred times and who has bought it once "
        "look alike, since each gives all of the row to coffee. For what somebody will do next the amount "
        "counts, so here nothing is shared out. Each pair is weighed by itself: the score goes through "
        "SiLU, which lets positive numbers pass nearly as they are and holds negative ones above −0.28, and "
        "is divided by the length n. What the keys add up to may be large or small, and so it is brought to "
        "one size by a layer normalisation (LN) over all heads of a token. Then a gate made of the token "
        "itself, SiLU of x W_u, multiplies it number by number: that does the work of the feed-forward "
        "layer, which these models do without. Queries, keys and values pass through SiLU as well.";
    mechanism.cost =
        "n m (d + d_v) multiply-adds per head and n D h d_v for the gate; memory n m. No sum over the row.";
    mechanism.correction =
        "n is not the number of keys that a query sees: it is that of the authors’ code, which divides by "
        "the length that the sequences of a batch are padded to, or by the longest one allowed, the same "
        "for every row. Here it is the number of keys, padding included, or what you set. Scores are not "
        "divided by √d. The paper adds a learned bias for distance and time to the scores, which is left "
        "out here; its layer norm has no learned scale, and later code has one.";
    mechanism.related = {"sigmoid", "relu", "gated", "off_by_one"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::hstu;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "coffee tea coffee bread coffee milk coffee tea";
    mechanism.example.look_for =
        "A softmax would share 1 among the cups; here each “coffee” gives the same 1.35 to the row of a "
        "later one, so that the four of them come to 5.4: what has happened more often weighs more.";
    mechanism.properties = {
        .row_stochastic = false, .causal = true, .is_signed = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
