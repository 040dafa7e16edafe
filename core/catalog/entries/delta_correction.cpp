#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_delta_correction() {
    Mechanism mechanism;
    mechanism.name = "Delta correction of sparse rows";
    mechanism.also_known_as = {"delta attention", "Δ attention", "corrected window"};
    mechanism.family = "Selections";
    mechanism.order = 5475;
    mechanism.formula =
        R"(@weights{A_i = @sparse_weights{S_i} + @missing_weights{\left(@full_weights{F_a} - S_a\right)}},)"
        R"(\quad a = g \left\lfloor \frac{i}{g} \right\rfloor,\quad )"
        R"(@sparse_weights{S_i = \operatorname{softmax}_{i - w < j \le i \text{ or } j < r}\left(@scores{)"
        R"(\frac{@query{q_i} \cdot @key{k_j}}{\sqrt{d}}}\right)},\quad )"
        R"(@full_weights{F_a = \operatorname{softmax}_{j \le a}\left(\frac{q_a \cdot k_j}{\sqrt{d}})"
        R"(\right)},\quad @context{O = A\,@value{V}})";
    mechanism.papers = {
        {"Willette, Lee and Hwang, Delta Attention: Fast and Accurate Sparse Attention Inference "
         "by Delta Correction",
         2025}};
    mechanism.explanation =
        "A model that was trained with full attention reads a long text faster if each word looks only at "
        "the newest ones and at the first. But then it is another model: every context is a little off, the "
        "next layer makes its queries and keys of that, and when later a word does look for something far "
        "back, the key there no longer fits. Here what is off is measured. Every g-th query is answered "
        "twice, with its window and in full, and the difference of both answers is added to those of the "
        "queries up to the next one. In a long text neighbours lack about the same, mostly what all have to "
        "share with many far keys, and g may be 64: one row in 64 is full, and most of what the model had "
        "known is back. Nothing is learned, and any other sparse attention could be in the window’s place.";
    mechanism.cost =
        "n (w + r) (d + d_v) multiply-adds per head for the window w and r first keys and n² (d + d_v) / 2 g "
        "for the full rows. As computed here, with all maps, n² (d + d_v).";
    mechanism.correction =
        "It is the difference of contexts that is added, and with it weights of either sign: a row still "
        "sums to 1, for both rows of the difference do. What one query found far back is given to those "
        "after it, which may not want it: with single words as tokens, as here, that is easily seen. The "
        "authors compute the last rows of a text in full, at least 128, and the answer that is then written "
        "with full attention; here no row knows how long the text is.";
    mechanism.equivalences = {
        equal_when("causal", "every row is a full one", {.here = {{"stride", Index(1)}}}),
        equal_when("causal", "the window reaches back to the first key, so that nothing is lacking",
                   {.here = {{"window", Index(65536)}}})};
    mechanism.related = {"window", "streaming_sinks", "causal", "minference"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::delta_correction;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the king spoke and the queen and the king and the people heard the king";
    mechanism.example.look_for =
        "The rows of “the”, “the”, “king” and “heard”, the first, fifth, ninth and thirteenth, are those of "
        "full attention. The ninth finds the first “king” far behind its window; the three rows below it are "
        "given that column too, and lose at the second “king” what it had too much.";
    mechanism.example.beside = "causal";
    mechanism.properties = {.causal = true, .streaming = true, .is_signed = true};
    return mechanism;
}

}  // namespace headlight
