#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_mlstm() {
    Mechanism mechanism;
    mechanism.name = "mLSTM (xLSTM)";
    mechanism.also_known_as = {"matrix LSTM", "matrix memory of xLSTM"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3425;
    mechanism.formula =
        R"(@output{O} = @weights{A}\,@value{V},\quad )"
        R"(A_{ij} = \frac{@gated_similarities{@similarities{\frac{@query{q_i} \cdot @key{k_j}}{\sqrt{d}}}\,)"
        R"(@decay_mask{e^{D_{ij} - m_i}}}}{@divisor{\max\left(|\sum_l \tfrac{q_i \cdot k_l}{\sqrt{d}}\, )"
        R"(e^{D_{il} - m_i}|,e^{-m_i}\right)}},\quad )"
        R"(@decay_exponents{D_{ij} = \sum_{l=j+1}^{i} @log_forget_gates{\ln \sigma(\tilde{f}_l)} + )"
        R"(@input_exponents{\tilde{g}_j}} \text{ for } j \le i,\quad )"
        R"(@stabiliser{m_i = \max(0, \max_j D_{ij})})";
    mechanism.papers = {{"Beck et al., xLSTM: Extended Long Short-Term Memory", 2024}};
    mechanism.explanation =
        "An LSTM keeps a number in each cell, a forget gate fades it, and an input gate lets something new "
        "in. The mLSTM of xLSTM makes the cell a matrix C, to which every token writes its key and value. "
        "The forget gate f = σ(f̃) is one number for each head and token, made from the token. The input "
        "gate g = exp(g̃) is an exponential, without an upper end: a token that matters can outweigh all "
        "that was written before it, which a gate between 0 and 1 could not do later on. What a query finds "
        "is divided by the size of its product with n, the sum of the keys under the same gates, where that "
        "is above 1. As a map it is the products q · k times e^D, and D adds up the logarithms of the gates "
        "between two tokens. Such powers overflow. So the largest of each row, m, is taken off D first "
        "where it is above 0, and the 1 under the fraction becomes e^(−m): the weights are the same. "
        "Weights may be negative; a row sums to 1 or −1, or to something in between where little was found.";
    mechanism.cost =
        "3 n d d_v multiply-adds per head recurrently: to fade, to write and to read; state d d_v + d + 1. "
        "From the map, as here, n² (d + d_v)";
    mechanism.correction =
        "The memory is not divided by the sum of the gates but by |q · n|, which may be anything: hence the "
        "lower end of 1, which no row of softmax needs. The authors’ code adds 10⁻⁶ to the divisor, and "
        "makes the gates from q, k and v, where the paper has the layer’s input, as here. The paper also "
        "allows an exponential forget gate. The output gate σ(x W) is a part of its own here, the gate of "
        "the heads.";
    mechanism.equivalences = {
        equal_when("retention",
                   "with gates that no token changes, g = 1 and f = σ(0), it is retention with γ = 0.5 and "
                   "normalised rows",
                   {.there = {{"gamma", 0.5}, {"normalize", true}},
                    .tolerance = 1e-12,
                    .parameters = {{"W_i", "zeros"}, {"b_i", "zeros"}, {"W_f", "zeros"}, {"b_f", "zeros"}}})};
    mechanism.related = {"retention", "gla", "mamba2", "forgetting"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::mlstm;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "The two copies of “the” have one vector and one input gate. From the second one on, every row "
        "gives the first the same part of what it gives the second: what the forget gates of the six tokens "
        "from “door” to the second “the” let through, 0.78.";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
