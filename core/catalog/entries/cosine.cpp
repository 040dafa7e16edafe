#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_cosine() {
    Mechanism mechanism;
    mechanism.name = "Cosine attention with key strength";
    mechanism.also_known_as = {"content-based addressing", "NTM content addressing"};
    mechanism.family = "Scores";
    mechanism.order = 5130;
    mechanism.formula = R"(@scores{s_{ij} = \frac{@query{q_i} \cdot @key{k_j}}{|@query{q_i}|\,|)"
                        R"(@key{k_j}|}},\quad )"
                        R"(@output{@weights{\operatorname{softmax}(@scaled_scores{\beta\,@scores{S}})}\,)"
                        R"(@value{V}})";
    mechanism.papers = {{"Graves, Wayne and Danihelka, Neural Turing Machines (equations 5 and 6)", 2014}};
    mechanism.explanation =
        "The score is the cosine of the angle between query and key: 1 when they point the same way, −1 when "
        "they are opposed, however long they are. Multiplying a query or a key by any positive number "
        "changes nothing, so no long vector can be everybody’s favourite. Cosines are small, and a softmax "
        "over numbers between −1 and 1 is nearly flat; therefore they are multiplied by a key strength β, "
        "which the controller of a Neural Turing Machine emits for each read. β = 0 looks everywhere alike, "
        "a large β at the nearest key alone. The cosine with a vector of zeros is 0. Features can be parted "
        "into groups, each with a length of its own, so that no group outweighs the others; and keys alone "
        "can be divided by their lengths, as Reformer has it.";
    mechanism.cost = "n m (d + d_v) + (n + m) d multiply-adds per head; memory n m";
    mechanism.correction =
        "The formula divides by the lengths of both vectors; dividing by the product of squares, as "
        "is sometimes printed, makes long vectors weak instead of indifferent.";
    mechanism.related = {"scaled_cosine", "qk_norm", "dot", "hard"};

    AttentionSpec spec;
    spec.score.type = ScoreType::cosine;
    compose(mechanism, spec, component_knobs(spec) + source_knob() + projections_knob());

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for =
        "“king” and “queen” find each other, and so do “man” and “woman”, at whatever length their "
        "vectors have. Turn β from 0 up: uniform rows sharpen until each word sees only itself.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
