#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_muse() {
    Mechanism mechanism;
    mechanism.name = "Parallel multi-scale attention (MUSE)";
    mechanism.also_known_as = {"attention beside convolutions"};
    mechanism.family = "Scores";
    mechanism.order = 5197;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{\left(@attention_weights{A_{ij}} + @convolution_weights{\sum_s )"
        R"(@size_shares{\alpha_s}\,K_{s,\,i,\,j - i}}\right)}\,@value{v_j},\quad )"
        R"(@attention_weights{A = \operatorname{softmax}(@scores{\tfrac{1}{\sqrt{d}}\,@query{Q}\,)"
        R"(@key{K}^\top})},\quad K_{s,\,i} = \operatorname{softmax}(@value{v_i}\,W_s),\quad )"
        R"(@size_shares{\alpha = \operatorname{softmax}(g)})";
    mechanism.papers = {{"Zhao, Sun, Xu, Zhang and Luo, MUSE: Parallel Multi-Scale Attention for Sequence to "
                         "Sequence Learning",
                         2019}};
    mechanism.explanation =
        "Attention sees the whole text, and in deep models it becomes scattered: the longer the text, the "
        "less is left for the words around. A convolution sees nothing but the words around. Here both work "
        "side by side and are added. The convolutions are dynamic: each token makes a kernel of its own "
        "values, a softmax over 3 places around it, another one over 5, and a learned share says how much "
        "each size counts. What made the sum work, the authors write, is that both mix the same values: they "
        "then speak of the same space. So the two can be seen as one map, a band along the diagonal on top "
        "of the map of attention, and that sum is what is shown.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head for the attention, and n s (h d_v + d_v) per head "
                     "for each kernel of s places; memory n m.";
    mechanism.correction =
        "Rows sum to 2, and to less where a kernel reaches beyond the text: those shares are lost. In the "
        "authors’ code each of the two branches has an output matrix of its own. Set Output matrix to own: "
        "what the kernels give goes through one before it is added, and through W_o with the rest, which is "
        "any second matrix where W_o is square and loses nothing; the one map is then no longer all that "
        "there is. A third branch of their module, a layer of each token by itself, belongs to the block "
        "around it. A much copied short form has plain convolutions, the same kernel for all tokens. That is "
        "here for each head, by a softmax, as lightweight convolutions are; there each feature has a kernel, "
        "without one, and each size a matrix behind it.";
    mechanism.related = {"dynamic_convolution", "multi_head", "contextual", "key_value_shift"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::muse;
    compose(mechanism, spec, component_knobs(spec) + causal_knob() + projection_knobs());

    mechanism.example.query = "the government raises the tax while my kitten sleeps";
    mechanism.example.look_for =
        "A band along the diagonal, five words wide, lies on the map of attention. Rows in the middle of the "
        "text sum to 2; the first and the last sum to less, for their kernels reach beyond it. Step back to "
        "see both maps alone.";
    mechanism.properties.row_stochastic = false;
    return mechanism;
}

}  // namespace headlight
