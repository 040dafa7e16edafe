#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_based() {
    Mechanism mechanism;
    mechanism.name = "Based";
    mechanism.also_known_as = {"Taylor linear attention"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3330;
    mechanism.formula =
        R"(@weights{A_{ij} = \frac{@similarities{1 + s_{ij} + \frac{1}{2} s_{ij}^2}}{@row_sum{\sum_{j \le )"
        R"(i} \ldots}}},\quad @output{O = A\,@value{V}},\quad )"
        R"(s_{ij} = \frac{@query{q_i} \cdot @key{k_j}}{\sqrt{d}})";
    mechanism.papers = {
        {"Arora et al., Simple linear attention language models balance the recall-throughput tradeoff",
         2024}};
    mechanism.explanation =
        "The exponential of softmax is replaced by the start of its power series, 1 + s + s²/2, which is "
        "never below one half, so that rows can be normalised. Each term is a product of features: of 1, of "
        "the vectors, and of all products of two of their entries. With these 1 + d + d² features it is "
        "linear attention whose kernel is close to softmax where scores are small and falls far behind it "
        "where they are large. The state is large, therefore the paper makes d as small as 16 and adds a "
        "short sliding window of true softmax attention for exact local recall, which is left out here.";
    mechanism.correction =
        "The series is of s = q·k/√d: without the division its square rules. Its least value is one half and "
        "not 0, so that keys which do not fit keep weight that a softmax would take off them.";
    mechanism.cost = "2 n (1 + d + d²) d_v multiply-adds per head; state (1 + d + d²) d_v";
    mechanism.related = {"linear", "rebased", "causal"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::based;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the king met the queen and the man met the woman";
    mechanism.example.look_for =
        "Beside causal softmax attention the peaks are lower: a parabola grows more slowly than "
        "the exponential.";
    mechanism.example.beside = "causal";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight
