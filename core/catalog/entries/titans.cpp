#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_titans() {
    Mechanism mechanism;
    mechanism.name = "Titans (linear memory)";
    mechanism.also_known_as = {"neural long-term memory", "memory with momentum"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3570;
    mechanism.formula =
        R"(M_i = (1 - @forgetting{\alpha_i})\,M_{i-1} + Z_i,\quad )"
        R"(Z_i = @momentum_gates{\eta_i}\,Z_{i-1} - @write_strengths{\beta_i}\,@unit_key_direction{)"
        R"(\hat{k}_i}^\top (\hat{k}_i M_{i-1} - @value{v_i}),\quad )"
        R"(@output{o_i = \frac{@query{q_i}}{\sqrt{d}}\,M_i},\quad )"
        R"(@weights{A = @read_products{R}\,@inverse{(I + @asked_products{L})^{-1}}},\quad )"
        R"(R_{ij} = \frac{q_i \cdot \hat{k}_j}{\sqrt{d}}\,\beta_j\,@left_of_writes{G_{ij}},\quad )"
        R"(L_{ij} = \hat{k}_i \cdot \hat{k}_j\,\beta_j\,G_{i-1,j},\quad )"
        R"(G_{ij} = \sum_{s=j}^{i} \prod_{l=s+1}^{i} (1 - \alpha_l) \prod_{l=j+1}^{s} \eta_l)";
    mechanism.papers = {{"Behrouz et al., Titans: Learning to Memorize at Test Time", 2025}};
    mechanism.explanation =
        "A memory that is a little model: given a key, it should answer with the value. Every token trains "
        "it by one step of gradient descent on its own error, |k M − v|², which the paper calls surprise. "
        "DeltaNet does just that. Titans adds what training of large models has: momentum, so that a "
        "surprise goes on acting in the tokens after it, which belong to the same event though they may not "
        "surprise by themselves, and weight decay, so that old things are forgotten. All three numbers are "
        "set by each token: the size of the step β, the momentum η and the loss α. In the paper the memory "
        "may be a deep network; with a matrix, as here, what is read is linear in the values, and so there "
        "is a map. The stage “what is left of writes” shows what momentum does: a write is not strongest "
        "when it is made, but grows for some tokens and fades then.";
    mechanism.cost =
        "5 n d d_v multiply-adds per head: to ask, to push, to move, to fade and to read; state 2 d d_v, for "
        "the memory and its motion. As computed here, where the map is shown, of the order of n³.";
    mechanism.correction =
        "The gradient is taken at the memory before it fades; Gated DeltaNet lets it fade first and asks "
        "then, so that with η = 0 the two are not yet the same. The factor 2 of the square is a part of β. "
        "The paper also makes queries and keys of length 1 after SiLU and a short convolution; here keys "
        "have length 1 and queries are divided by √d. A library’s version takes the gradient once for a "
        "chunk of tokens, and through a layer norm, which are options of its own: chunks are those of TTT.";
    mechanism.equivalences = {equal_when(
        "delta", "without momentum and with nothing forgotten each token writes its error once, for good",
        {.here = {{"momentum", false}, {"forgets", false}}, .tolerance = 1e-12})};
    mechanism.related = {"delta", "gated_delta", "ttt", "mesa"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::titans;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "Step to what is left of writes: every column begins with 1 on the diagonal, where the token is "
        "written. One row below it is 1 − α + η of that row’s word, above 1 wherever the motion goes on "
        "faster than the memory fades. Without momentum columns only fade.";
    mechanism.example.beside = "delta";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
