#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_stick_breaking() {
    Mechanism mechanism;
    mechanism.name = "Stick-breaking attention";
    mechanism.also_known_as = {"nearest match first"};
    mechanism.family = "Normalisers";
    mechanism.order = 5560;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad@weights{A_{ij}} = )"
        R"(@break_probabilities{\beta_{ij}} \prod_{j < k < i} \left(1 - @break_probabilities{\beta_{ik}})"
        R"(\right),\quad@break_probabilities{\beta_{ij}} = \sigma\left(@scaled_scores{s_{ij}}\right))";
    mechanism.papers = {{"Tan, Yang, Courville, Panda and Shen, Scaling Stick-Breaking Attention: An "
                         "Efficient Implementation and In-depth Study",
                         2025}};
    mechanism.explanation =
        "Picture a stick of length 1. From the token just before the query backward, each token breaks off a "
        "share of what is left, the sigmoid of its score. A near token that matches well takes nearly all "
        "and leaves little for similar ones further back. So recency comes out of the scores alone, with no "
        "position term and nothing that changes with length. What remains after the first token is lost, or "
        "nobody’s: a row sums to at most 1, and the first token, with nothing before it, has an empty row.";
    mechanism.correction = "Shares are broken off from the query backward, the nearest first. A row is not "
                           "divided by its sum afterwards: what nobody took is left.";
    mechanism.cost =
        "n m (d + d_v) multiply-adds and n m exponentials per head; memory n m. A running product "
        "along each row.";
    mechanism.related = {"monotonic", "soft", "causal"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::stick_breaking;
    spec.normalizer.options["own_key"] = false;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs());

    mechanism.example.query = "the king and the queen saw the king again";
    mechanism.example.look_for =
        "Rows are brightest just left of the diagonal, which is empty. At temperature 100 every "
        "token breaks off one half: ½, ¼, ⅛ … from the query back.";
    mechanism.properties = {.row_stochastic = false, .causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight
