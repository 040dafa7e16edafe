#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_native_sparse() {
    Mechanism mechanism;
    mechanism.name = "Native sparse attention";
    mechanism.also_known_as = {"NSA"};
    mechanism.family = "Selections";
    mechanism.order = 3710;
    mechanism.formula =
        R"(@weights{A_i = @branch_gates{g_i^c}\,@compressed_weights{\operatorname{softmax}\left(\frac{q_i\,)"
        R"(\operatorname{mean}(K_b)^\top}{\sqrt{d_k}}\right)} + @branch_gates{g_i^s}\,@selected_weights{)"
        R"(\operatorname{softmax}\left(@masked_scores{\frac{q_i K_{\text{chosen}}^\top}{\sqrt{d_k}}})"
        R"(\right)} + @branch_gates{g_i^w}\,@window_weights{\operatorname{softmax}\left(\frac{q_i K_{)"
        R"(\text{newest}}^\top}{\sqrt{d_k}}\right)}},\quad @output{O = @weights{A}\,@value{V}})";
    mechanism.papers = {
        {"Yuan et al., Native Sparse Attention: Hardware-Aligned and Natively Trainable Sparse Attention",
         2025}};
    mechanism.explanation =
        "Three views of the past, each cheap, added up under gates that the token itself opens. The "
        "compressed branch sees every block of keys that is wholly in the past as a single mean: coarse, but "
        "of everything. Its weights say which blocks matter, and the selected branch reads those few in "
        "full, together with the query’s own block, the one before and the first. The window branch reads "
        "the newest keys, so that the other two need not learn the local pattern. Heads that share keys "
        "choose together, so that each block is fetched once. Gates do not sum to 1, so neither do rows. The "
        "paper learns its compression; here it is the mean.";
    mechanism.cost = "n (n / b + s b + w) (d + d_v) multiply-adds per head for blocks of b keys, s of them "
                     "selected and a window of w: the quadratic part is divided by b.";
    mechanism.correction =
        "The first tokens see no compressed block at all: that branch is zero there, not a softmax over "
        "nothing. Selection goes by the compressed weights added up over the group, not by each head’s own.";
    mechanism.related = {"moba", "longformer", "bigbird", "dsa", "top_k"};

    AttentionSpec spec;
    spec.mask.rule = CausalMask{};
    spec.algorithm.type = AlgorithmType::native_sparse;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the old sailor told the young sailor about the sea";
    mechanism.example.look_for = "Step through the three branches: blocks in one shade, two blocks in full, "
                                 "the diagonal band; the weights are their gated sum.";
    mechanism.properties = {
        .row_stochastic = false, .causal = true, .streaming = true, .data_dependent_mask = true};
    return mechanism;
}

}  // namespace headlight
