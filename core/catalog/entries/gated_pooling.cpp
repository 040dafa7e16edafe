#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_gated_pooling() {
    Mechanism mechanism;
    mechanism.name = "Gated pooling of many instances";
    mechanism.also_known_as = {"gated attention MIL pooling", "ABMIL", "multiple-instance attention"};
    mechanism.family = "Sources";
    mechanism.order = 1418;
    mechanism.formula =
        R"(@output{o_i = @pooled_values{\sum_j @weights{@pooling_weights{a_j}}\,@query{h_j}}},\quad )"
        R"(a = \operatorname{softmax}_j\left(@pooling_scores{w \cdot @pooling_hidden{\left(\tanh(h_j V) )"
        R"(\circ @pooling_gates{\sigma(h_j U)}\right)}}\right))";
    mechanism.papers = {{"Ilse, Tomczak and Welling, Attention-based Deep Multiple Instance Learning", 2018}};
    mechanism.explanation =
        "A slide of tissue is cut into thousands of patches, and all that is known is whether there is "
        "cancer in one of them. So the patches are a bag of instances with one label, and the network has to "
        "make one vector of the bag. The mean drowns the few patches that matter, and the maximum learns "
        "from one at a time. Here each instance gets a weight from a small network, a softmax over the bag "
        "brings them to a sum of 1, and the vector of the bag is the mean by these weights. As a gift the "
        "weights say where the cancer is, though nobody ever marked a patch. The hidden layer has two "
        "halves: tanh says what is there, of either sign, and the sigmoid, unit by unit, how much of it is "
        "heard. The authors add it because tanh is nearly a straight line around 0. A bag has no order: "
        "shuffle it and the weights are shuffled along.";
    mechanism.cost = "n u (2 d + 1) + n d multiply-adds per head for u hidden units; memory n.";
    mechanism.correction =
        "Weights are a softmax over the bag, and so say which instances matter in this bag, not whether "
        "there is anything in it: in a bag without cancer they sum to 1 as well. Where U is 0 all gates are "
        "one half, and what is left is the plain form with w / 2.";
    mechanism.equivalences = {equal_when("structured_embedding",
                                         "without gates it is a self-attentive embedding of one row",
                                         {.here = {{"gated", false}}, .there = {{"rows", Index(1)}}})};
    mechanism.related = {"structured_embedding", "attention_pooling", "hopfield_pooling",
                         "squeeze_excitation"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::additive_pooling, {{"rows", Index(1)}, {"gated", true}}};
    compose(mechanism, spec, without(component_knobs(spec), {"rows"}) + projections_knob());

    mechanism.example.query = "dog cat horse cow dog pig music sheep cat";
    mechanism.example.look_for =
        "All rows are one row. Both “dog” have one weight and both “cat” have one, wherever they stand in "
        "the bag. Step to the gates: a column for each hidden unit, and no number outside 0 and 1.";
    mechanism.properties = {.permutation_equivariant = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
