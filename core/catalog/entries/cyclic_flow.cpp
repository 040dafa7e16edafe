#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_cyclic_flow() {
    Mechanism mechanism;
    mechanism.name = "Cyclic flow attention (CyFA)";
    mechanism.also_known_as = {"relative-time-partitioned memory", "slots on a clock"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3443;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad )"
        R"(@weights{A_{ij} = \sum_r \left(R^\top p_i\right)_r h_{irj}},\quad )"
        R"(@slot_weights{p_i = \operatorname{softmax}\left(R\,@slot_scores{\sum_j h_{irj}\,@scores{\frac{)"
        R"(@query{q_i} \cdot @key{k_j}}{\sqrt{d}}}}\right)},\quad )"
        R"(h_{irj} = @left_of_tokens{@write_strengths{\beta_j} \prod_{l=j+1}^{i} \alpha_l}\,D\left(r - ()"
        R"(@clock{\lambda_i} - \lambda_j)\right),\quad )"
        R"(@clock{\lambda_i = \sum_{l \le i} @clock_steps{\delta_l}},\quad )"
        R"(D(x) = \frac{1 + 2 \sum_{p=1}^{w} \cos \frac{2 \pi p x}{2 w + 1}}{2 w + 1})";
    mechanism.papers = {
        {"Chen, Yang and Hu, CyFA: Linear Sequence Modeling with Relative-Time-Partitioned Memory", 2026}};
    mechanism.explanation =
        "Slots of a memory can be told apart by what is written to them, as gates decide. Here it is time "
        "that tells them apart: slot 0 has what is new, slot 3 what was three steps ago. But steps of what? "
        "Each token says how far the clock goes on, between 0 and 1: a filler word may hardly move it, and "
        "what was said before it stays as recent as it was. At every step all slots would have to move on by "
        "that much, and by parts of a slot. As waves they do at once: a circle of 2 w + 1 slots is held as a "
        "constant and w waves, and to go on in time is to turn each wave. What lies between two whole times "
        "is spread over the slots around it, and what has gone round the circle meets what is new. The query "
        "compares itself with the keys of the slots, a learned matrix R lets each read look at several "
        "times, a softmax chooses, and the same weights read the values.";
    mechanism.cost =
        "3 n s (d + d_v) multiply-adds per head for s slots, to fade, to write and to read both memories, "
        "and 4 n s² for the waves and R; state s (d + d_v) and the time. From the map, as here, n m (d + d_v "
        "+ 2 s).";
    mechanism.correction =
        "Nothing is moved in memory: keys are written at the time of the clock, and the query’s scores and "
        "weights are turned instead. Rows sum to anything, and weights may be negative, between whole times "
        "even where R is the unit matrix, with which training starts. The steps of the clock do not train "
        "what is below them in the paper. It passes q, k and v through a short convolution, and divides the "
        "result by its root mean square and gates it, which is left to what comes before and after; it has "
        "127 slots and normed queries and keys, as here.";
    mechanism.related = {"gsa", "mamba2", "retention", "fourier"};

    AttentionSpec spec;
    spec.score.vector_norm = VectorNorm::rms;
    spec.algorithm.type = AlgorithmType::cyclic_slots;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + vector_norm_knob(VectorNorm::rms) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "Step to the clock: it goes on with every word, and as far at the second “the door was” as at the "
        "first. In the weights rows fade towards older words, and cells may fall below 0: what lies between "
        "two whole times is a little in every slot, in some of them with a minus.";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
