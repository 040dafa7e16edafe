#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_shaw() {
    Mechanism mechanism;
    mechanism.name = "Relative positions of Shaw";
    mechanism.also_known_as = {"relative position representations", "clipped relative embeddings"};
    mechanism.family = "Positions";
    mechanism.order = 2300;
    mechanism.formula =
        R"(@weights{A} = \operatorname{softmax}\left(@scaled_scores{\frac{@scores{@query{q_i} \cdot )"
        R"(@key{k_j} + @relative_scores{@query{q_i} \cdot a^K_{j-i}}}}{\sqrt{d_k}}}\right),\quad )"
        R"(@output{o_i = \sum_j @weights{A_{ij}}\,(@value{v_j} + a^V_{j-i})})";
    mechanism.papers = {
        {"Shaw, Uszkoreit and Vaswani, Self-Attention with Relative Position Representations", 2018}};
    mechanism.explanation =
        "Instead of telling each token where it stands, tell each pair how far apart it is. A "
        "learned vector for the distance j − i is added to the key before the query meets it, and "
        "another to the value before it is summed. Distances beyond a limit share the vector of the "
        "limit. What is learned at one place then holds at every other. The score splits into q·k "
        "and q·a, so that a query has to meet only the 2k + 1 vectors of the table and not one for "
        "each pair; Music Transformer’s skewing is the same trick on the whole matrix.";
    mechanism.correction =
        "The vector is that of j − i, key less query: with the other sign past and future change places. It "
        "is added to the key before the product, so that √d divides both parts.";
    mechanism.cost =
        "n m d_k for the scores plus n (2 k + 1) d_k for the distances; n m d_v more for the values "
        "of distances";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "with tables of zeros no distance counts",
                   {.parameters = {{"a_K", "zeros"}, {"a_V", "zeros"}}}),
    };
    mechanism.related = {"t5", "transformer_xl", "deberta", "learned_positions"};

    AttentionSpec spec;
    spec.position.type = PositionType::shaw;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + causal_knob());

    mechanism.example.query = "the cat sat and the dog sat and the bird sat";
    mechanism.example.look_for =
        "The stage of relative scores has diagonal bands, and from the largest distance on each row "
        "keeps one number.";
    mechanism.example.stage = "relative_scores";
    return mechanism;
}

}  // namespace headlight
