#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_separable() {
    Mechanism mechanism;
    mechanism.name = "Separable self-attention (MobileViTv2)";
    mechanism.also_known_as = {"MobileViTv2 attention", "context vector"};
    mechanism.family = "Low rank";
    mechanism.order = 3670;
    mechanism.formula =
        R"(@context_vector{c = \sum_j @context_shares{\operatorname{softmax}_j\left(w \cdot @query{q_j})"
        R"(\right)}\,@key{k_j}},\quad @output{o_i} = @context{\max(@value{v_i}, 0) \circ c},\quad )"
        R"(@weights{A_{ij} = \operatorname{softmax}_j\left(w \cdot q_j\right)})";
    mechanism.papers = {
        {"Mehta and Rastegari, Separable Self-attention for Mobile Vision Transformers", 2023}};
    mechanism.explanation =
        "A phone has no time for n² products. So a softmax over the tokens, of one number for each, makes "
        "one mean of all keys, the context vector, and every token’s value, with its negative numbers set to "
        "0, is multiplied by it, feature by feature. Each step is a sum over the tokens or a product of "
        "single numbers; no matrix of tokens by tokens is formed. What a token learns of the others is one "
        "vector that is the same for all. As a map it is one row, the same for every query, which says what "
        "the context vector is made of. It is Fastformer with one global vector instead of two, and a gate "
        "of channels, as in squeeze-and-excitation, that looks where it averages.";
    mechanism.cost = "n (2 d + d_v) multiply-adds per head; memory n";
    mechanism.correction =
        "The paper projects a token to its number at once, x w, and so has no queries; with learned "
        "projections it is x W_q w here, which says the same. It has one head. A widely read "
        "reimplementation leaves out the max(v, 0). Pooling over patches, as the paper’s network does it, "
        "lets each place of a patch look only at the same place in other patches.";
    mechanism.related = {"fastformer", "squeeze_excitation", "gcnet", "efficient"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::separable;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the storm was terrible but the harbour was safe";
    mechanism.example.look_for = "All rows are one row, and the copies of “the” and of “was” have one share "
                                 "each, whatever their places.";
    mechanism.properties = {.permutation_equivariant = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
