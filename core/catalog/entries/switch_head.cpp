#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_switch_head() {
    Mechanism mechanism;
    mechanism.name = "SwitchHead";
    mechanism.also_known_as = {"mixture of experts of values and outputs", "MoE attention"};
    mechanism.family = "Heads";
    mechanism.order = 5732;
    mechanism.formula =
        R"(@mixed_value{v_{jh} = \sum_{e \in E_{jh}} @value_experts{\sigma(W_r y_j)_{he}}\,@value{W_{v,he})"
        R"(\,y_j}},\quad )"
        R"(@output{o_i = \sum_{h} \sum_{e \in F_{ih}} @output_experts{\sigma(W_s x_i)_{he}}\,@attended{()"
        R"(@weights{A_h}\,V_h)_i}\,W_{o,he}},\quad |E_{jh}| = |F_{ih}| = k)";
    mechanism.papers = {{"Csordás, Piękos, Irie and Schmidhuber, SwitchHead: Accelerating Transformers with "
                         "Mixture-of-Experts Attention",
                         2024}};
    mechanism.explanation =
        "A model that is given twice as many heads computes twice as many maps, and maps are what costs. "
        "SwitchHead keeps few heads and gives each of them several matrices: E that make values and E that "
        "carry what was found to the output. Which of them a token takes, a router says from the token: a "
        "sigmoid for each expert, of which the k largest are kept. Keys and queries have one matrix, so that "
        "there is one map for each head. The token that is looked at chooses how its value is made, and the "
        "token that looks chooses how the answer is read. Unlike a softmax the gates need not sum to 1: an "
        "expert that fits is not weakened because another one fits too.";
    mechanism.cost =
        "n m (d + d_v / E) multiply-adds for each head with k / E of the work of W_v and W_o, if only the "
        "chosen experts are computed, and 2 n D H E for the routers. Here all experts are computed.";
    mechanism.correction =
        "Experts are chosen for each token and each head, not heads for a token as in MoH. Here E experts "
        "share the columns of one head in W_v and its rows in W_o, each with d_v / E of them, so that the "
        "matrices keep their size; the paper gives each expert a head’s full width and has fewer heads for "
        "it. A loss that uses all experts evenly belongs to the training.";
    mechanism.related = {"head_mixture", "multi_head", "head_scale", "compositional"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = 4};
    spec.algorithm.type = AlgorithmType::switch_head;
    compose(mechanism, spec,
            std::vector<Knob>{heads_knob(4)} + component_knobs(spec) + causal_knob() +
                projection_bias_knob() + source_knob());

    mechanism.example.query = "the king met the queen and the man met the woman";
    mechanism.example.look_for =
        "Look at the gates of the value experts: each word has one of two in every head, 0 for the other. "
        "The four copies of “the” chose the same ones, and so did both of “met”.";
    mechanism.example.beside = "multi_head";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
