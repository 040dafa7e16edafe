#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_local_linear() {
    Mechanism mechanism;
    mechanism.name = "Local linear attention";
    mechanism.also_known_as = {"LLA", "local linear regression"};
    mechanism.family = "Heads";
    mechanism.order = 3806;
    mechanism.formula =
        R"(@context{o = \sum_j @weights{p_j\,(1 + @leanings{(k_j - \bar{k}) \cdot r})}\,@value{v_j}},\quad )"
        R"(@solved_offset{r = \left(C + \lambda I\right)^{-1} @query_offset{(@query{q} - @mean_key{)"
        R"(\bar{k}})}},\quad @mean_key{\bar{k} = \sum_j p_j\,@key{k_j}},\quad )"
        R"(C = \sum_j p_j\,(k_j - \bar{k})(k_j - \bar{k})^\top,\quad )"
        R"(@soft_weights{p = \operatorname{softmax}\left(@scaled_scores{\frac{@scores{q\,K^\top}}{)"
        R"(\sqrt{d_k}}}\right)})";
    mechanism.papers = {
        {"Zuo et al., Local Linear Attention: An Optimal Interpolation of Linear and Softmax Attention For "
         "Test-Time Regression",
         2026}};
    mechanism.explanation =
        "Attention guesses a value at the query from values at keys. Softmax attention fits a constant to "
        "those around it: a weighted mean. Where the keys lie to one side of the query, so does the guess. "
        "Linear attention fits one line to all keys, wherever they are. This does both: at every query it "
        "fits a line to the keys, those nearby counting most, and reads off its value at the query. k̄ is "
        "the key that the query expects, C how its keys spread, and r how far one has to go from k̄ to "
        "arrive at q, measured by that spread. A key that lies on the query’s side of k̄ gains weight, one "
        "on the other side loses it, perhaps to below 0; a row still sums to 1. Values that are a linear "
        "function of the keys are met the more exactly the smaller λ is, which no mean can do. λ holds the "
        "line level: the larger, the more it is softmax attention.";
    mechanism.cost =
        "n m (d² + 3 d + d_v) + n d³ multiply-adds per head, a system of d equations for every query; the "
        "authors solve it by conjugate gradients. Memory n m; n m d as computed here.";
    mechanism.correction =
        "The paper writes z = k − q, ρ = (Σ w z zᵀ + λ I)⁻¹ Σ w z and Aⱼ = wⱼ (1 − zⱼ · ρ) over Σ w − ρ · Σ "
        "w z, with w = exp(q · k / √d). That is the same formula, but for λ, which is one to weights that "
        "sum to 1 here. “Linear” is the line, not the cost, which is above that of softmax attention.";
    mechanism.equivalences = {equal_when("scaled_dot_product",
                                         "a large λ holds the line level, and a mean remains",
                                         {.here = {{"lambda", 1e6}}, .tolerance = 1e-3})};
    mechanism.related = {"parallax", "mesa", "gaussian_kernel", "scaled_dot_product"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::local_linear;
    compose(mechanism, spec,
            component_knobs(spec) + projections_knob() + causal_knob() + source_knob() + temperature_knob());

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for =
        "The softmax of “king” gives 0.06 to each “a”, four times: their mean pulls the guess away from "
        "king. A line sees that they lie on the far side: they keep 0.004 each, and “king” has 0.87 in the "
        "place of 0.45. Raise λ to bring the mean back.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties = {.permutation_equivariant = true, .is_signed = true};
    return mechanism;
}

}  // namespace headlight
