#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_grouped_latents() {
    Mechanism mechanism;
    mechanism.name = "Grouped-tied attention (GTA, GLA, MFA)";
    mechanism.also_known_as = {"grouped-tied attention", "grouped latent attention",
                               "multi-matrix factorisation attention"};
    mechanism.family = "Heads";
    mechanism.order = 3120;
    mechanism.formula =
        R"(@value{v_j = u_j = W_u^{g}\,y_j},\quad )"
        R"(k_j = \left[@content_key{u_{j,1:d/2}};\; R_j\,W_r\,y_j\right],\quad )"
        R"(@output{o_i = \sum_{h} @context{@weights{\operatorname{softmax}\left(@scores{\frac{\left[)"
        R"(@query{q_{i,1:d/2}};\; R_i\,q_{i,d/2+1:d}\right] \cdot k_j}{\sqrt{d}}}\right)}\,v_j}\,W_{o,h}})";
    mechanism.papers = {{"Zadouri, Strauss and Dao, Hardware-Efficient Attention for Fast Decoding", 2025},
                        {"Hu et al., Multi-matrix Factorization Attention (form: factorised)", 2025}};
    mechanism.explanation =
        "When a model writes, each new word reads the cache of all words before, and reading takes longer "
        "than computing. Three ways to keep less and use it more. Tied: each group of heads keeps one state "
        "for a word, which is its value, and whose first half is the first half of its key. The other half "
        "of the key says where the word stands; it is turned by its place, and all heads share it. Nothing "
        "that is a value is turned. Latent: each group keeps a latent of which every head makes a key and a "
        "value, as MLA has one latent for all heads; two latents can be kept on two devices, one latent "
        "would be kept on both. Factorised: a key and a value for all heads, as in multi-query attention, "
        "and wide heads, whose many queries are affordable because they are made of few numbers: W_q is a "
        "product of two thin matrices.";
    mechanism.cost =
        "n m (d + d_v) multiply-adds per head; a cache keeps G d_v + d / 2 numbers of each token when tied, "
        "G d_c + d / 2 in the latent form, G (d + d_v) in the factorised one, in place of H (d + d_v).";
    mechanism.correction =
        "Tied is not V = K: half of the key is other numbers, for a turned half would make values depend on "
        "their place. Rotary pairs are neighbours here, halves in the authors’ code: the columns of W_q in "
        "another order. The code of GLA narrows the queries as well, as MLA does, which is left out. In the "
        "factorised form x W_q is narrowed by D and widened by U: W_q D is the paper’s thin matrix, and U "
        "its matrices of the heads. The paper’s keys are turned by their places; here that form has no "
        "positions.";
    mechanism.related = {"latent", "grouped_query", "shared_key_value", "tensor_product", "multi_query"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = 8};
    spec.algorithm.type = AlgorithmType::grouped_latents;
    compose(mechanism, spec,
            std::vector<Knob>{heads_knob()} + component_knobs(spec) + causal_knob() + source_knob());

    mechanism.example.query = "the teacher gave the student a book about music";
    mechanism.example.look_for =
        "Step through the heads: the values of heads 1 to 4 are the same, and those of heads 5 to 8. The "
        "first half of each is the key of the content; the rotary key is one for all heads.";
    mechanism.example.beside = "grouped_query";
    return mechanism;
}

}  // namespace headlight
