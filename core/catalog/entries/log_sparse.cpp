#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_log_sparse() {
    Mechanism mechanism;
    mechanism.name = "LogSparse attention";
    mechanism.also_known_as = {"logarithmic attention", "power-of-two attention"};
    mechanism.family = "Masks";
    mechanism.order = 5430;
    mechanism.formula = masked_formula(R"(i - j \in \{0, 1, 2, 4, 8, \ldots\})");
    mechanism.papers = {{"Li et al., Enhancing the Locality and Breaking the Memory Bottleneck of "
                         "Transformer on Time Series Forecasting (section 4.2)",
                         2019}};
    mechanism.explanation =
        "A token sees itself and the tokens 1, 2, 4, 8 … steps back: near ones densely, far ones ever more "
        "thinly, about log₂ n keys in all. Any distance is a sum of powers of two, so after log₂ n layers "
        "every earlier token has been reached. It was made for time series with fine steps and long "
        "memories, where the paper also adds a few neighbours around each of the seen keys and restarts the "
        "pattern in ranges.";
    mechanism.correction = "Steps back are powers of two from the query on, which is not every second or "
                           "fourth key. One layer does not see everything: log₂ n do.";
    mechanism.cost = masked_cost(
        "n (⌊log₂ n⌋ + 2) (d + d_v) multiply-adds per head at most when only allowed pairs are scored.");
    mechanism.related = {"strided", "window", "causal"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = PatternMask{MaskPattern::logarithmic, {}};
    compose(mechanism, spec, token_knobs());

    mechanism.example.query = "one two three four five six seven eight nine ten";
    mechanism.example.look_for =
        "Lines parallel to the diagonal, each twice as far from it as the one before.";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight
