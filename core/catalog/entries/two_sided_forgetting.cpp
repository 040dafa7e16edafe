#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_two_sided_forgetting() {
    Mechanism mechanism;
    mechanism.name = "Forget gates to both sides";
    mechanism.also_known_as = {"bidirectional forgetting transformer", "bidirectional data-dependent ALiBi"};
    mechanism.family = "Positions";
    mechanism.order = 5331;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@biased_scores{@scaled_scores{\frac{@scores{)"
        R"(@query{Q}\,@key{K}^\top}}{\sqrt{d_k}}} + @position_bias{B}}\right)}\,@value{V}},\quad )"
        R"(B_{ij} = \sum_{t=j+1}^{i} \log @forget_gates{f_t} \text{ if } j \le i \text{, else } )"
        R"(\sum_{t=i+1}^{j} \log @behind_gates{g_t},\quad )"
        R"(@forget_gates{f_t = \sigma(x_t \cdot w_f + b_f)},\quad )"
        R"(@behind_gates{g_t = \sigma(x_t \cdot w_g + b_g)})";
    mechanism.papers = {
        {"Wang, x-transformers (DataDependentAlibi)", 2025},
        {"Lin et al., Forgetting Transformer: Softmax Attention with a Forget Gate (to one side)", 2025}};
    mechanism.explanation =
        "The forget gates of a decoder run one way: a token holds back what was before it. An encoder looks "
        "both ways, and what a word hides of the text before it need not be what it hides of the text "
        "behind. So each token has two gates. To the left of a query the first ones add up, from behind the "
        "key to the query; to its right the second ones, from behind the query to the key. Both are "
        "differences of running sums, so that two sums do for all pairs. With one gate for both sides it is "
        "the plain rule, taken to the other side as well; with all gates alike it is ALiBi by distances.";
    mechanism.correction =
        "The two sides are not mirrored. To the left the query’s own gate counts and the key’s does not; to "
        "the right the key’s counts and the query’s does not: in both it is the gate of the later token of "
        "the two. A token sees itself undimmed.";
    mechanism.cost = "2 n d h for the gates and n m additions beside n m (d_k + d_v)";
    mechanism.related = {"forgetting", "pair_forgetting", "alibi"};

    AttentionSpec spec;
    spec.position.type = PositionType::forgetting;
    spec.position.options = {{"two_sided", true}};
    Knob heads = heads_knob();
    heads.parameter.standard = Index(1);
    compose(mechanism, spec, without(component_knobs(spec), {"two_sided"}) + heads + projections_knob());

    mechanism.example.query = "the key to the cabinets in the old house is lost";
    mechanism.example.look_for =
        "At “old” the two sides differ most. Whoever looks back over it loses 0.54 of a score, a step down "
        "in all rows below; whoever looks ahead over it loses 0.05.";
    mechanism.example.stage = "position_bias";
    return mechanism;
}

}  // namespace headlight
