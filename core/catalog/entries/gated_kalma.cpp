#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_gated_kalma() {
    Mechanism mechanism;
    mechanism.name = "Gated KalmaNet (GKA)";
    mechanism.also_known_as = {"fading ridge regression", "GKA"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3532;
    mechanism.formula =
        R"(@output{o_t = \frac{1}{\sqrt{d}}\,@sharpened_query{\hat{q}_t}\,S_t},\quad )"
        R"(\hat{q}_t = @query{q_t} + @sharpening{a_t}\,(@solved_queries{x_t} - q_t),\quad )"
        R"(x_t\,(H_t + \lambda_t I) = q_t,\quad \lambda_t = r\,|H_t|,\quad )"
        R"(H_t = \gamma_t\,H_{t-1} + @written_key{k_t}^\top k_t,\quad )"
        R"(S_t = \gamma_t\,S_{t-1} + k_t^\top @write_strengths{\beta_t}\,@value{v_t},\quad )"
        R"(@weights{A_{tj} = @read_products{\frac{\hat{q}_t \cdot k_j}{\sqrt{d}}\,@left_of_keys{)"
        R"(\prod_{l=j+1}^{t} \gamma_l}}\,\beta_j})";
    mechanism.papers = {{"Peng et al., Gated KalmaNet: A Fading Memory Layer Through Test-Time Ridge "
                         "Regression",
                         2026}};
    mechanism.explanation =
        "Linear attention adds up keys times values, and a query reads the sum by its products with the "
        "keys: keys that are alike are counted again and again. Least squares takes that back: H, the sum of "
        "the keys times themselves, says in which directions keys have been many, and (H + λ)⁻¹ shortens the "
        "query there. The answer is then that of the best linear map from keys to values, the one that "
        "MesaNet computes. Here both sums fade by the same gate, so that the fit is to the recent past, and "
        "λ grows with H: the system never comes near to one without a solution, whatever was written. A gate "
        "of each token says how much of the query is solved for; with 0 it is gated linear attention, with 1 "
        "the whole fit.";
    mechanism.cost = "n (2 d² + 2 d d_v) multiply-adds per head to write and to read, and for each token a "
                     "system of d equations, which is solved by 30 steps of d² in the authors’ kernels and "
                     "exactly here; state d (d + d_v).";
    mechanism.correction =
        "Not a Kalman filter: that would carry its uncertainty from step to step; the authors begin there "
        "and solve the regression anew. The name of what is inverted misleads as well: nothing is divided by "
        "the keys of one token. Queries and keys have the length 1, and keys and values both are multiplied "
        "by β, so that a token’s weight has β². Convolutions and the gated norm of the layer are left out.";
    mechanism.related = {"mesa", "gla", "gated_delta", "precond_delta"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::gated_kalma;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.values = {{"forgets", false}};
    mechanism.example.look_for =
        "Both “the” have the same number in the row of “blue”, for nothing fades here and a fit does not ask "
        "for the order. Set `forgets` to true: the older one has less.";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
