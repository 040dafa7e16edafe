#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_capsules() {
    Mechanism mechanism;
    mechanism.name = "Routing by agreement";
    mechanism.also_known_as = {"capsules", "CapsNet", "dynamic routing"};
    mechanism.family = "Memory";
    mechanism.order = 5765;
    mechanism.formula = R"(@output{o_i = @context{\operatorname{squash}}(@capsule_sums{s_i})},\quad )"
                        R"(@capsule_sums{s_i = \sum_j @weights{A_{ij}}\,\hat u_{ij}},\quad )"
                        R"(\hat u_{ij} = @value{v_j}\,W_i,\quad )"
                        R"(@weights{A_{ij} = \frac{e^{b_{ij}}}{\sum_l e^{b_{lj}}}},\quad )"
                        R"(b_{ij} \leftarrow b_{ij} + \hat u_{ij} \cdot o_i,\quad )"
                        R"(\operatorname{squash}(s) = \frac{|s|^2}{1 + |s|^2}\,\frac{s}{|s|})";
    mechanism.papers = {{"Sabour, Frosst and Hinton, Dynamic Routing Between Capsules (procedure 1)", 2017}};
    mechanism.explanation =
        "A nose, a mouth and two eyes make a face when they agree where the face is. Each part, a child, "
        "tells every possible whole, its parents, what it would be if the child belonged to it: the child’s "
        "vector times a matrix of the parent, its vote. At first every child belongs to all parents alike. A "
        "parent is the sum of its votes, squashed to a length below 1, which says how sure it is that it is "
        "there. Then each child looks where its vote agrees with what the parent has become, and by a "
        "softmax over the parents belongs to these more: what one parent gets another loses. After a few "
        "rounds the votes of a whole that is there have gathered, and the others were left alone. Turned "
        "round that is attention: here the parents look, and the children are what they look at; slot "
        "attention, with queries that are learned, has the same competition.";
    mechanism.cost =
        "n m d_v² multiply-adds per head for the votes, where every parent has its own matrix, and 2 T n m "
        "d_v for T rounds; memory n m d_v.";
    mechanism.correction =
        "Columns sum to 1, not rows: a parent may get nearly nothing. The queries say only how many parents "
        "there are and give them names; what they hold, and the keys, are not looked at, for routing begins "
        "without a preference. In the paper each pair of a child and a parent has a matrix of its own; for "
        "texts of any length the children share that of the parent, as those of one kind share it over an "
        "image. It is no gradient that routes: in training the rounds are a part of the layer, and the "
        "gradient goes through all of them.";
    mechanism.related = {"slot_attention", "slot", "memory_hops", "clustered"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.algorithm.type = AlgorithmType::capsules;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "king queen man woman dog song";
    mechanism.example.key = "the dog ate bread while london played a song";
    mechanism.example.stage = "round_weights";
    mechanism.example.look_for =
        "Three maps side by side, one for each round, nine words wide. In the first each word is shared out "
        "evenly among the six parents; in the next ones it goes to those that said what it said, and every "
        "column still comes to 1. Nothing is trained here: which parent gets a word is chance.";
    mechanism.properties = {.row_stochastic = false, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
