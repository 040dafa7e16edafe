#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_attention_on_attention() {
    Mechanism mechanism;
    mechanism.name = "Attention on attention (AoA)";
    mechanism.also_known_as = {"AoA", "AoANet"};
    mechanism.family = "Heads";
    mechanism.order = 3815;
    mechanism.formula =
        R"(@output{O} = @information{(\hat{O} W + X W' + b)} \circ @information_gate{\sigma(\hat{O} U + X )"
        R"(U' + c)},\quad )"
        R"(\hat{O} = \left[@weights{\operatorname{softmax}\left(\frac{@query{Q_h}\,@key{K_h}^\top}{)"
        R"(\sqrt{d}}\right)} @value{V_h}\right]_h W_o)";
    mechanism.papers = {{"Huang, Wang, Chen and Wei, Attention on Attention for Image Captioning", 2019},
                        {"Zhang, Xiong and Su, Accelerating Neural Transformer via an Average Attention "
                         "Network (gates: both)",
                         2018}};
    mechanism.explanation =
        "A softmax always gives something: if no key fits the query, a mean of values comes out all the "
        "same, and what follows takes it for an answer. Attention on attention looks at it once more, "
        "together with the query. From both it makes two vectors: the information, what was found in the "
        "light of what was asked, and a gate between 0 and 1 for each feature, how much of it is to the "
        "point. Their product is the output. A gate that reads the query alone, as in gated attention, knows "
        "what is asked for but not whether it was found. With both gates it is the layer of the average "
        "attention network: in the place of a map each token has the mean of all tokens so far, a layer of "
        "units makes something of it, and one gate says how much of the token goes on, another how much of "
        "its past.";
    mechanism.cost = "2 n d_o (d_o + d_q) multiply-adds more than the attention before it, and as many "
                     "parameters but for n.";
    mechanism.correction =
        "It does not attend twice: there is one map, and it is that of the attention before it. The paper "
        "takes the heads side by side without a W_o, and as query the vector before its projection, as here; "
        "with a W_o before it, W and U could take its part. Averages are the setting `cosine` with β = 0 and "
        "a causal mask.";
    mechanism.related = {"gated", "headwise_gate", "non_local", "multi_head"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = 8};
    spec.algorithm.type = AlgorithmType::attention_on_attention;
    compose(mechanism, spec,
            component_knobs(spec) + heads_knob() + causal_knob() + projection_bias_knob() + source_knob());

    mechanism.example.query = "the king and the queen drink tea";
    mechanism.example.look_for =
        "The maps are those of multi-head attention. Step on to the gate of the information: every number "
        "lies between 0 and 1, and it differs from word to word and from feature to feature.";
    mechanism.example.beside = "multi_head";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
