#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_delta_product() {
    Mechanism mechanism;
    mechanism.name = "Gated DeltaProduct";
    mechanism.also_known_as = {"DeltaProduct", "products of Householder matrices"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3522;
    mechanism.formula =
        R"(S_{t,0} = \alpha_t\,S_{t-1,n_h},\quad )"
        R"(S_{t,i} = S_{t,i-1} + @write_strengths{\beta_{t,i}}\,k_{t,i}^\top\,(v_{t,i} - k_{t,i})"
        R"(\,S_{t,i-1}) \text{ for } i = 1 \ldots n_h,\quad )"
        R"(\alpha_t = e^{@log_gates{-e^{A} \operatorname{softplus}(x_t W + b)}},\quad )"
        R"(@output{o_t = \frac{@query{q_t}}{\sqrt{d}}\,S_{t,n_h} = \sum_{j \le t} \sum_i )"
        R"(@weights_of_writes{A_{t,(j,i)}}\,v_{j,i}},\quad @weights{A_{tj} = \sum_i A_{t,(j,i)}})";
    mechanism.papers = {
        {"Siems et al., DeltaProduct: Improving State-Tracking in Linear RNNs via Householder Products",
         2025}};
    mechanism.explanation =
        "DeltaNet changes its state along one direction at each token, that of the key: with β = 1 it clears "
        "what lies there, and with β = 2 it mirrors the state. A mirror can tell even from odd, but it "
        "cannot turn anything, and so a layer cannot follow five things that change places. Any rotation in "
        "a plane is a product of two mirrors, and any exchange of places is a product of a few. DeltaProduct "
        "takes n_h such steps at every token, each with a key, a value and a strength of its own, made from "
        "the token by further matrices; the gate acts once, before the first. More steps make a layer more "
        "expressive and slower, and need no more memory. Here a token has a weight for each of its writes; "
        "the map of tokens is their sum, and Σ A v holds for the writes, whose values differ. Weights may be "
        "negative, and rows do not sum to 1.";
    mechanism.cost = "(2 n_h + 2) n d d_v multiply-adds per head: to fade and to read, and for each write to "
                     "ask and to write; state d d_v, whatever n_h. As computed here, where the map is shown, "
                     "of the order of (n_h n)³.";
    mechanism.correction =
        "Two writes are not one of twice the strength: the second asks the state as the first has left it. β "
        "is twice a sigmoid, as in the authors’ layer; with `overshoot` off it stays below 1, and the writes "
        "clear but do not mirror. The convolutions, the SiLU of queries, keys and values, the norm of the "
        "queries and the gated norm of the output are left out. The authors’ code computes it as Gated "
        "DeltaNet over a text of n_h n tokens, of which all but the last of each group are not read.";
    mechanism.equivalences = {
        equal_when("gated_delta", "with one write a token it is Gated DeltaNet",
                   {.here = {{"writes", Index(1)}}, .there = {{"overshoot", true}}, .tolerance = 1e-12}),
        equal_when(
            "delta", "with one write, α = 1 and β below 1 it is DeltaNet",
            {.here = {{"writes", Index(1)}, {"forgets", false}, {"overshoot", false}}, .tolerance = 1e-12})};
    mechanism.related = {"gated_delta", "delta", "rwkv7", "comba"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::delta_product;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.values = {{"forgets", false}};
    mechanism.example.look_for =
        "In the row of the second “door” the first one has −0.50 and the second 1.31: what the first had "
        "written was not cleared but mirrored. With `overshoot` off the two are 0.07 and 0.65, as in a delta "
        "rule that writes twice.";
    mechanism.example.beside = "delta";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
