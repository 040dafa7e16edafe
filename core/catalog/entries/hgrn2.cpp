#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_hgrn2() {
    Mechanism mechanism;
    mechanism.name = "HGRN2";
    mechanism.also_known_as = {"hierarchically gated recurrent network",
                               "gated recurrence with outer products"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3412;
    mechanism.formula =
        R"(@output{o_i = @query{q_i}\,S_i},\quad )"
        R"(S_i = \operatorname{diag}(@gates{f_i})\,S_{i-1} + @written_keys{(1 - f_i)}^\top @value{v_i},)"
        R"(\quad f_i = \gamma + (1 - \gamma)\,\sigma(@key{k_i}),\quad )"
        R"(@weights{A_{ij} = \sum_c q_{ic}\,(1 - f_{jc}) \prod_{l=j+1}^{i} f_{lc}})";
    mechanism.papers = {{"Qin et al., HGRN2: Gated Linear RNNs with State Expansion", 2024}};
    mechanism.explanation =
        "An old recurrent cell with one number, h ← f h + (1 − f) v, keeps a share f of what it knows and "
        "takes the rest from the new input: writing and forgetting are one decision. HGRN2 gives it a matrix "
        "for a memory, and so it becomes gated linear attention. The gate f now has a number for each row of "
        "the state, and 1 − f, how much each row takes of the new value, stands where the key stood. There "
        "is no other key: the projection that would make one makes the gates. Nothing can be written to a "
        "row that forgets nothing. γ, a floor below the gates, grows from layer to layer, so that upper "
        "layers remember longer.";
    mechanism.cost = "3 n d d_v multiply-adds per head: to fade, to write and to read; state d d_v; no "
                     "projection for keys beside that of the gates";
    mechanism.correction =
        "1 − f is the whole key: it is between 0 and 1 and no feature of it is negative, so that signs come "
        "from the query alone. The layer passes the query through SiLU and normalises the output of each "
        "head, which are left out here; the floor γ is a number for each layer and feature there, made of a "
        "softmax over the layers, and one number here. The code calls a kernel that divides by √d, which the "
        "norm behind it undoes; the paper does not divide.";
    mechanism.related = {"gla", "lightnet", "gsa", "rwkv6", "rodimus"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::hgrn2;
    spec.mask.rule = CausalMask{};
    compose(
        mechanism, spec,
        with_help(without(component_knobs(spec), {"writing"}), "lower_bound",
                  "What every gate keeps at least: in a model more in the upper layers than in the lower.") +
            projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for = "The diagonal is what each word finds of itself. Set γ to 0.9: on the "
                                 "diagonal every number is a tenth of what it was, for no feature takes more "
                                 "than a tenth of a new word; to the left the columns fade far more slowly.";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
