#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_strided() {
    Mechanism mechanism;
    mechanism.name = "Strided attention";
    mechanism.also_known_as = {"Sparse Transformer, strided", "strided factorised attention"};
    mechanism.family = "Masks";
    mechanism.order = 2700;
    mechanism.formula = masked_formula(R"(j \le i \text{ and } (i - j < l \text{ or } (i - j) \bmod l = 0))");
    mechanism.papers = {{"Child, Gray, Radford and Sutskever, Generating Long Sequences with Sparse "
                         "Transformers (section 4.3)",
                         2019}};
    mechanism.explanation =
        "Full causal attention is factored into two sparse ones: part A sees the latest l keys, part B every "
        "l-th key before. One step of each reaches every earlier token: B jumps back whole strides, A walks "
        "the rest. With l near √n each query sees about 2 √n keys, and a layer costs n √n instead of n². The "
        "paper gives the parts to different heads or interleaves them; here they can also be joined in one. "
        "It suits images, where a stride is a row, better than text.";
    mechanism.correction =
        "The two parts are of different heads or layers, or of one mask that joins them. Part B by itself "
        "never reaches most tokens, however many layers there are, and part A only after n / l layers.";
    mechanism.cost = masked_cost("n (l + n / l) (d + d_v) multiply-adds per head when only allowed pairs are "
                                 "scored: n √n for l = √n.");
    mechanism.equivalences = {
        equal_when("window", "only part A is used",
                   {.here = {{"part", std::string("A")}}, .there = {{"size", Index(3)}}}),
        equal_when("causal", "the stride is 1: part B sees every key before",
                   {.here = {{"stride", Index(1)}}})};
    mechanism.related = {"fixed", "dilated", "log_sparse"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = PatternMask{MaskPattern::strided, {{"stride", Index(3)}}};
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "one two three four five six seven eight nine ten";
    mechanism.example.look_for =
        "A short band along the diagonal and lines parallel to it, three cells apart.";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight
