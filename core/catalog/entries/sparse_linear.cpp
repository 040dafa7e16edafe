#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_sparse_linear() {
    Mechanism mechanism;
    mechanism.name = "Sparse-linear attention";
    mechanism.also_known_as = {"SLA", "SageSLA", "critical, marginal and negligible blocks"};
    mechanism.family = "Selections";
    mechanism.order = 5474;
    mechanism.formula =
        R"(@context{o_i} = @fine_weights{\operatorname{softmax}\left(\frac{@query{q_i} \cdot @key{k_j}}{)"
        R"(\sqrt{d}},\ j \in \text{the best blocks}\right)}\,@value{V} + @linear_weights{\frac{)"
        R"(@query_features{\varphi(q_i)} \cdot @key_features{\varphi(k_j)}}{\sum_l \varphi(q_i) \cdot )"
        R"(\varphi(k_l)},\ j, l \in \text{the others}}\,V\,W + b,\quad )"
        R"(\text{by } @coarse_weights{\operatorname{softmax}\left(\frac{\bar{q}_a \cdot \bar{k}_c}{)"
        R"(\sqrt{d}}\right)},\quad @weights{A} = F + \frac{\operatorname{tr} W}{d_v}\, L)";
    mechanism.papers = {{"Zhang et al., SLA: Beyond Sparsity in Diffusion Transformers via Fine-Tunable "
                         "Sparse-Linear Attention",
                         2026}};
    mechanism.explanation =
        "Sparse attention drops what is small, and in a video of a hundred thousand tokens the small weights "
        "together are much. Linear attention keeps everything, but its maps are of low rank and cannot have "
        "peaks. The authors took maps apart: without its few large weights a map is of very low rank. So "
        "each part gets what suits it. The means of blocks of queries meet the means of blocks of keys, and "
        "each block of queries sees the blocks of its largest scores by the softmax, token by token. The "
        "others it sees by linear attention, whose sums are made once for each block and added up, and what "
        "that finds goes through a small layer, learned from 0, so that a trained model starts as its own "
        "sparse version and learns to make up for the rest. The blocks of the smallest scores may be left "
        "out altogether.";
    mechanism.cost =
        "(n / b)² d multiply-adds per head for blocks of b tokens, n k b (d + d_v) for k blocks of the "
        "softmax, and 2 n d d_v + n d_v² for linear attention and the layer, and the states of the blocks "
        "that are added or taken off. Here the maps of n rows are written out.";
    mechanism.correction =
        "There are two sums: what the softmax gives away is complete without the linear part, which does not "
        "know how much the others would have got in one softmax, and the layer has to learn that. In the "
        "paper and the first code the linear part has the other blocks alone; in the newest code all keys "
        "(`over`), and the blocks of the smallest scores, which the paper leaves out, are not left out in "
        "either. The keys’ mean is taken off them before blocks are compared, which moves a row of scores "
        "and no choice. The layer is one for all heads, and its map here is the mean of its diagonal.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product",
                   "the softmax sees every block, and the layer of what nobody is left for adds nothing",
                   {.here = {{"selected", Index(65536)}},
                    .parameters = {{"W_linear", "zeros"}, {"b_linear", "zeros"}}})};
    mechanism.related = {"video_sparse", "linear", "fmmformer", "moba"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::sparse_linear;
    compose(mechanism, spec, component_knobs(spec) + source_knob() + projections_knob() + key_lengths_knob());

    mechanism.example.query = "red blue green cat dog horse king queen prince";
    mechanism.example.stage = "linear_weights";
    mechanism.example.look_for =
        "Blocks of three words. The square that a softmax has taken, each block’s own, is empty, and in the "
        "others every word has about a sixth: a map so flat needs no softmax. Step back to the weights in "
        "the best blocks, where the peaks are.";
    mechanism.properties = {.row_stochastic = false, .is_signed = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
