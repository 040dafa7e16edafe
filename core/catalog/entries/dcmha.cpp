#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_dcmha() {
    Mechanism mechanism;
    mechanism.name = "Dynamically composed heads (DCMHA)";
    mechanism.also_known_as = {"DCFormer", "dynamically composable multi-head attention"};
    mechanism.family = "Heads";
    mechanism.order = 5705;
    mechanism.formula =
        R"(@weights{A = C\left(@weights_of_heads{\operatorname{softmax}\left(@composed_scores{C\left()"
        R"(@scores{\frac{@query{Q}\,@key{K}^\top}{\sqrt{d}}}\right)}\right)}\right)},\quad )"
        R"(C(S)_{gij} = S_{gij} + \sum_r w^2_{rg}(x_i) \sum_h w^1_{rh}(x_i)\,S_{hij} + S_{gij} \tanh(x_i )"
        R"(W)_g + \ldots (x_j),\quad @context{O_g = A_g\,@value{V_g}})";
    mechanism.papers = {
        {"Xiao et al., Improving Transformers with Dynamically Composable Multi-Head Attention", 2024}};
    mechanism.explanation =
        "Talking heads mix the maps of all heads by one learned matrix, the same for every word. Here the "
        "matrix depends on the pair: the word that asks makes one, the word that is asked makes another, and "
        "both are added to the identity. A full matrix for every word would be large, so each is of low "
        "rank: a few sums over the heads, read in shares w¹ and given back in shares w², and a number for "
        "each head alone. This is done twice, with the scores before the softmax and with the weights after "
        "it. So heads are put together anew for every pair, and a word may use for one question the search "
        "of head 1 with the values of head 3. The authors report what a model with 1.7 to 2 times the "
        "compute gives.";
    mechanism.cost =
        "n m (d + d_v) multiply-adds per head, and 4 H n m (2 R + 1) for both sides to mix both maps with "
        "rank R; 2 n (4 d H + 8 R H² + d H) for what they mix by. All H maps have to be there at once.";
    mechanism.correction =
        "The mixing is added to the identity: with nothing learned it is multi-head attention. Rows do not "
        "sum to 1 and weights may be negative, for the second mixing comes after the softmax. Of the shares "
        "only those that are read, w¹, are divided by their root mean square. GELU is here its approximation "
        "by tanh. The static matrix that the paper has beside the dynamic ones is the identity, as in the "
        "released models.";
    mechanism.related = {"talking_heads", "multi_head", "compositional", "head_mixture"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = 8};
    spec.algorithm.type = AlgorithmType::dynamically_composed;
    compose(mechanism, spec,
            std::vector<Knob>{heads_knob()} + component_knobs(spec) + causal_knob() + projection_bias_knob() +
                source_knob());

    mechanism.example.query = "two boys played football and three girls played music";
    mechanism.example.look_for =
        "Compare the weights of the heads with the weights: the rows of the first sum "
        "to 1, the others to anything, and some cells are negative.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true, .is_signed = true};
    return mechanism;
}

}  // namespace headlight
