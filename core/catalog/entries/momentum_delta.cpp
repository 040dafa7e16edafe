#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_momentum_delta() {
    Mechanism mechanism;
    mechanism.name = "Momentum DeltaNet";
    mechanism.also_known_as = {"MDN", "stepwise momentum delta rule"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3529;
    mechanism.formula =
        R"(M_t = @momentum_gates{\mu_t}\,M_{t-1} + @momentum_steps{\eta_t}\,@unit_key_direction{)"
        R"(\hat{k}_t}^\top (@value{v_t} - \alpha_t\,\hat{k}_t\,S_{t-1}),\quad )"
        R"(S_t = \alpha_t\,S_{t-1} + @write_strengths{\beta_t}\,M_t,\quad )"
        R"(\alpha_t = e^{@log_gates{\ln \cos^2 \theta_t - e^{A} \operatorname{softplus}(x_t W + b)}},\quad )"
        R"(\beta_t = \sin^2 \theta_t\;\sigma(\ldots),\quad )"
        R"(@output{o_t = \frac{@query{q_t}}{\sqrt{d}}\,S_t = \sum_{j \le t} @weights{A_{tj}}\,v_j},\quad )"
        R"(A = @read_products{R}\,@inverse{(I + @asked_products{L})^{-1}},\quad )"
        R"(R_{tj} = \frac{q_t \cdot \hat{k}_j}{\sqrt{d}}\,\eta_j\,@left_of_writes{G_{tj}},\quad )"
        R"(G_{tj} = \sum_{s=j}^{t} \prod_{l=s+1}^{t} \alpha_l\;\beta_s \prod_{l=j+1}^{s} \mu_l)";
    mechanism.papers = {
        {"Huang et al., MDN: Parallelizing Stepwise Momentum for Delta Linear Attention", 2026}};
    mechanism.explanation =
        "The delta rule is one step of gradient descent at each token, and plain gradient descent has two "
        "weaknesses: it follows the last example, and what it has learned fades with every step. Momentum "
        "helps against both. The error of a token is not written to the state at once but set in motion; "
        "the motion M keeps a share μ of itself from token to token, and each token adds a share β of all "
        "motion to the state, so that an error goes on being learned after its token. A system with motion "
        "can swing. That can be wanted, but it must not grow without end, and so two numbers that sum to 1, "
        "cos²θ and sin²θ, bound what is kept and what is written; θ follows from the size of the step η. "
        "Titans, too, has a memory with momentum; there the step is sized where an error enters the motion, "
        "and all of the motion is added.";
    mechanism.cost =
        "5 n d d_v multiply-adds per head: to ask, to push, to move, to fade and to read; state 2 d d_v, for "
        "the state and its motion. As computed here, where the map is shown, of the order of n³.";
    mechanism.correction =
        "The paper and its code take M with the other sign and subtract it. The state is asked after its "
        "gate, α S, as in Gated DeltaNet; that is the code’s default. Left out are the convolutions, SiLU, "
        "the floor of e⁻² under μ, the correction q − D k of the queries, which is Comba’s, and the gated "
        "norm of the output. The authors divide what η is made of by √d and give it no constant.";
    mechanism.equivalences = {
        equal_when("gated_delta", "without momentum and with steps of 1 it is Gated DeltaNet",
                   {.here = {{"momentum", false}, {"balanced", false}},
                    .tolerance = 1e-12,
                    .parameters = {{"W_step", "zeros"}}}),
        equal_when("delta", "nor forgetting anything it is DeltaNet",
                   {.here = {{"momentum", false}, {"balanced", false}, {"forgets", false}},
                    .tolerance = 1e-12,
                    .parameters = {{"W_step", "zeros"}}})};
    mechanism.related = {"gated_delta", "titans", "comba", "longhorn"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::momentum_delta;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "Step to what is left of writes: a column begins with β, for the rest of the error is still in "
        "motion. One row below, what the state has kept of it, α β, and what the next word adds of the "
        "motion, β μ of that word, are summed. With `momentum` off every column only fades.";
    mechanism.example.beside = "gated_delta";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
