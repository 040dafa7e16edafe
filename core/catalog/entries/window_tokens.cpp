#include "core/catalog/knob.h"
#include "core/catalog/publication_years.h"

namespace headlight {

Mechanism declare_window_tokens() {
    Mechanism mechanism;
    mechanism.name = "Window tokens (SepViT)";
    mechanism.also_known_as = {"SepViT", "depthwise separable self-attention"};
    mechanism.family = "Images";
    mechanism.order = 3953;
    mechanism.formula =
        R"(@context{o_{i,p} = \sum_j @weights_of_windows{P_{ij}}\,\operatorname{attention}(@query{q_{j,p}},)"
        R"(\, [@key{K_j};\, k_w],\, [@value{V_j};\, v_w])},\quad )"
        R"(@weights_of_windows{P = \operatorname{softmax}\left(@scores_of_windows{\frac{(G W_q + b_q)\,(G )"
        R"(W_k + b_k)^\top}{\sqrt{d}}}\right)},\quad G = \operatorname{gelu}(\operatorname{norm}(T)),\quad )"
        R"(@window_tokens{T_j = @window_reads{\operatorname{softmax}\left(\frac{q_w\,[K_j;\, k_w]^\top}{)"
        R"(\sqrt{d}}\right)} [V_j;\, v_w]},\quad )"
        R"(@weights{A_{(i,p),k} = P_{ij}\,@inside_weights{D_{(j,p),k}}},\, k \in j)";
    mechanism.papers = {paper_of("Li et al.", {.title = "SepViT: Separable Vision Transformer",
                                               .authors = "Li, Wei and Wang, Xing and Xia, Xin and Wu, Jie "
                                                          "and Li, Jiashi and Xiao, Xuefeng and Zheng, Min "
                                                          "and Wen, Shiping",
                                               .kind = Publication::Kind::other,
                                               .venue = "arXiv:2203.15380",
                                               .year = 2022})};
    mechanism.explanation =
        "Attention in windows is cheap, but a window knows nothing of the next one. Swin moves the windows "
        "every second layer; here one layer does both, as a separable convolution first filters each channel "
        "and then mixes channels. Each window gets one token more, the same learned vector in all, which "
        "attends with the others inside and so becomes a summary of its window. The summaries then look at "
        "one another: through a norm and an activation they make queries and keys of their own, and their "
        "map says how much window i takes of window j. What is mixed are whole windows that have already "
        "been attended: the upper left place of one gets what the upper left places of all others have "
        "found, by the same weights for all places. A small map of windows stands for a map of all pairs.";
    mechanism.cost =
        "n s² (d + d_v) multiply-adds per head inside windows of s × s tokens, and (n / s²)² d + (n² / s²) "
        "d_v for the windows; memory n s² + (n / s²)². As computed here, with all maps, n² (d + d_v).";
    mechanism.correction =
        "A place takes from another window what its counterpart there has found, not what it would look for "
        "itself: its own query is asked in its own window alone. Shown is the map through all windows, whose "
        "rows lack what the windows’ tokens get. The paper also joins neighbouring windows to larger ones "
        "(grouped self-attention), which is left out; norm and activation are of each head by itself, as in "
        "vit-pytorch. A window that the grid’s end cuts lacks places: a place without a like in some windows "
        "mixes those that have one.";
    mechanism.related = {"swin", "shifted_swin", "region_tokens", "grid_stride", "memory_tokens"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::window_tokens;
    spec.algorithm.options = {{"columns", Index(4)}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "red blue cat dog green black horse cow";
    mechanism.example.look_for =
        "The words are a grid of two rows of four, in two windows. “red” gives 0.25 to itself and, through "
        "the right window, 0.14 to “cat” and 0.16 to “dog”: those are what “cat” looks at, which lies there "
        "where “red” lies here. Untrained, the left window’s token takes 0.60 of its own window and "
        "0.40 of the other, the right one’s 0.49 and 0.51.";
    mechanism.example.beside = "swin";
    mechanism.properties = {.row_stochastic = false, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
