#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_lucid() {
    Mechanism mechanism;
    mechanism.name = "LUCID attention";
    mechanism.also_known_as = {"preconditioned softmax attention"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3550;
    mechanism.formula =
        R"(@output{O = @read_weights{\operatorname{softmax}\left(@scores{\frac{@query{Q}\,@key{K}^\top}{)"
        R"(\sqrt{d}}} + M\right)}\,@solved_values{@inverse{G^{-1}}\,@value{V}}},\quad )"
        R"(@key_overlaps{G_{ij} = \exp\left(\sqrt{d}\,(@key_cosines{\cos(k_i, k_j)} - 1)\right)} \text{ )"
        R"(for } j \le i \text{, else } 0,\quad @weights{A = \operatorname{softmax}(\ldots)\,G^{-1}})";
    mechanism.papers = {{"Duvvuri et al., LUCID: Attention with Preconditioned Representations", 2026}};
    mechanism.explanation =
        "Softmax attention is a memory whose keys are features of infinitely many numbers, and a product of "
        "two keys is an exponential there. Keys that are alike answer for one another: a query that fits "
        "one of them gets a mixture, and the more keys a text has, the more noise there is. A sharper "
        "softmax would single one out, but leaves hardly any gradient to learn from. LUCID changes the "
        "values instead. M is the causal mask, 0 for keys up to the query and −∞ after it. G says how much "
        "the keys overlap as the softmax sees them, 1 for a key and itself, less the farther they are "
        "apart, and G⁻¹ takes from each value what keys before it that are alike have stored: the delta "
        "rule of DeltaNet, in that infinite space. A query that lies along its own token’s key then keeps "
        "that token’s value, at the weight that the softmax gave it, and gets nothing of earlier ones like "
        "it: of several equal keys the newest answers. Where keys are far apart G is near the identity, and "
        "causal attention remains. Weights may be negative, and rows do not sum to 1.";
    mechanism.cost =
        "n² (d + d_v) multiply-adds per head by forward substitution: the map, the overlaps, both sums. As "
        "computed here, where the inverse and the map are shown, of the order of n³. A cache keeps the "
        "changed value in the place of v.";
    mechanism.correction =
        "Keys are normalised for G alone, k̂ = √d k / |k|, and meet the queries as they are. Without the "
        "−√d in exp(k̂ · k̂ / √d − √d) the diagonal would be e^√d in the place of 1. It is the values that "
        "change, not the softmax: what reads them is the causal map as it was.";
    mechanism.related = {"deltaformer", "delta", "causal", "mesa"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::lucid;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "the king met the queen and the man met the woman";
    mechanism.example.look_for =
        "In the row of the last “the” causal attention gives each of the four copies 0.22. Here the last one "
        "keeps it, and the others have next to nothing: keys of one direction overlap fully, and only the "
        "newest answers. “queen” gives “king” 0.09 in the place of 0.24.";
    mechanism.example.beside = "causal";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
