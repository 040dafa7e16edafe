#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_memory_hops() {
    Mechanism mechanism;
    mechanism.name = "End-to-end memory network";
    mechanism.also_known_as = {"MemN2N", "multi-hop attention", "memory hops"};
    mechanism.family = "Memory";
    mechanism.order = 5760;
    mechanism.formula =
        R"(u^{k+1} = u^k + \sum_j @hop_weights{p^k_j}\,c^k_j,\quad )"
        R"(@weights{p^k = \operatorname{softmax}_j(@scores{u^k \cdot m^k_j})},\quad u^1 = @query{q},\quad )"
        R"(m^1 = @key{K},\quad c^1 = @value{V},\quad m^{k+1} = c^k,\quad )"
        R"(@output{o = u^K + @attended{\sum_j p^K_j c^K_j}})";
    mechanism.papers = {{"Sukhbaatar et al., End-To-End Memory Networks (section 2)", 2015}};
    mechanism.explanation =
        "Where is the milk? Sam took the milk; Sam went to the kitchen. The question finds the first "
        "sentence, which does not answer it: only with “Sam” in mind can the second be found. So ask more "
        "than once. A hop is attention of the question u over a memory: a key m and a value c for each "
        "entry. What it finds is added to the question, and the sum is asked next; after K hops the last sum "
        "is what the answer is made of. Every hop may look elsewhere, and the weights of all hops, side by "
        "side, show the chain of thought. Each hop could have two matrices of its own. To have fewer they "
        "are tied: adjacent, what one hop reads is what the next one compares with; or layer-wise, all hops "
        "have the same two, and the question goes through a matrix H in between, so that the network is a "
        "recurrent one. Two years later the same residual stood in every Transformer: its layers are hops in "
        "which all tokens ask.";
    mechanism.cost = "K n m (d + d_v) multiply-adds per head for K hops, and (K − 1) m d d_v for their "
                     "matrices, or K n d² for H; memory n m of one hop, of all hops here.";
    mechanism.correction =
        "Hops are not heads: they come one after another, and each asks with what the one before has found. "
        "Products are not divided by √d. In the paper an entry of the memory is a sentence, the sum of its "
        "words by place, and tables of times are added to keys and values; here a memory is what tokens are "
        "given, and knows of no order.";
    mechanism.related = {"hopfield", "non_local", "compositional", "slot_attention"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.algorithm.type = AlgorithmType::memory_hops;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "where is the milk and the man";
    mechanism.example.key = "man took milk to kitchen while woman went to garden";
    mechanism.example.stage = "hop_weights";
    mechanism.example.look_for =
        "Three maps side by side, one for each hop, ten words wide; each row sums to 1 in each of them. In "
        "the first “milk” finds itself, and “man” finds “man”; behind it stand random matrices here. Set the "
        "hops to 1: now the output is the query and what attention gives it.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
