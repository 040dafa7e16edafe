#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_qk_norm() {
    Mechanism mechanism;
    mechanism.name = "Query-key normalisation";
    mechanism.also_known_as = {"QK-norm", "QK layer norm", "RMS-normalised attention"};
    mechanism.family = "Scores";
    mechanism.order = 5110;
    mechanism.formula = R"(@output{@weights{\operatorname{softmax}(@scaled_scores{\frac{@scores{)"
                        R"(@normalized_query{\operatorname{norm}(Q)}\,@normalized_key{)"
                        R"(\operatorname{norm}(K)}^\top}}{\sqrt{d_k}}})}\,@value{V}})";
    mechanism.papers = {
        {"Henry, Dachapally, Pawar and Chen, Query-Key Normalization for Transformers", 2020},
        {"Dehghani et al., Scaling Vision Transformers to 22 Billion Parameters (with layer norms)", 2023},
        {"Qwen Team, Qwen3 Technical Report (with RMS norms)", 2025},
        {"Gemma Team, Gemma 3 Technical Report (with RMS norms)", 2025}};
    mechanism.explanation =
        "Before they meet, every query and every key of every head is brought to a standard length, "
        "and then scaled feature by feature with learned gains g_q and g_k. Scores can no longer "
        "grow with the lengths of the vectors, so large models train without exploding logits. What "
        "remains is the angle: with gains of 1 an RMS norm makes the score √d_k times the cosine, "
        "between −√d_k and √d_k. The norm comes before a rotation by position, which keeps lengths. "
        "Variants divide by the length (L2), or subtract the mean first (layer norm).";
    mechanism.cost = "n m (d + d_v) + 3 (n + m) d multiply-adds per head; memory n m";
    mechanism.correction =
        "1e-6 is added to the mean square under the root of the RMS and layer norms, as in PyTorch’s, "
        "Qwen3’s and Gemma 3’s code (the L2 norm has nothing added), so that vectors much shorter than 0.001 "
        "stay short. It is the heads’ queries and keys that are normalised, after projection and split, not "
        "the token vectors before it: that is the layer norm of the block.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "Without the norm it is the scaled dot product.",
                   {.here = {{"vector_norm", std::string("none")}}}),
    };
    mechanism.related = {"scaled_dot_product", "cosine", "scaled_cosine", "softcap"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.score.vector_norm = VectorNorm::rms;
    compose(mechanism, spec, {vector_norm_knob(VectorNorm::rms), source_knob(), projections_knob()});

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for =
        "No word is everybody’s favourite any more: each row has its largest weight on its own "
        "word, because a vector is never nearer in angle to another than to itself.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
