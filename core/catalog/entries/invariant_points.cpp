#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_invariant_points() {
    Mechanism mechanism;
    mechanism.name = "Invariant point attention";
    mechanism.also_known_as = {"IPA", "structure module of AlphaFold"};
    mechanism.family = "Positions";
    mechanism.order = 5391;
    mechanism.formula =
        R"(@weights{A = \operatorname{softmax}\left(@biased_scores{@scaled_scores{w \frac{@scores{q_i )"
        R"(\cdot k_j}}{\sqrt{d_k}}} @position_bias{- w \frac{\gamma_h c}{2} \sum_p \lVert T_i\,)"
        R"(\tilde{q}_{ip} - T_j\,\tilde{k}_{jp} \rVert^2}}\right)},\quad )"
        R"(@context{o_i = \sum_j A_{ij}\,@value{v_j} + [p_i;\, \lVert p_i \rVert]\,W},\quad )"
        R"(p_i = T_i^{-1} \sum_j A_{ij}\,T_j\,\tilde{v}_j)";
    mechanism.papers = {
        {"Jumper et al., Highly Accurate Protein Structure Prediction with AlphaFold (algorithms 22 and 23)",
         2021}};
    mechanism.explanation =
        "The parts of a protein lie in space, each turned in some way, and it does not matter where the "
        "whole of it lies: if all is moved and turned as one, what the network says must stay. Invariant "
        "point attention has that by how it is built. Each token has a frame, a place and a turn. It makes "
        "points in its own frame, as it makes a query and a key, and the frame puts them into space. There "
        "the points of the query meet those of the key, and their squared distance is taken from the score: "
        "near points attract. Distances do not change when all is moved as one. The values have points too; "
        "each query takes their mean in space and brings it back into its own frame, where it has numbers "
        "that again do not change. Here each word makes its frame of itself.";
    mechanism.cost =
        "3 n m P multiply-adds per head for P points beside the n m (d + d_v) of the attention, and 3 n m P' "
        "for P' points of the values.";
    mechanism.correction =
        "Invariant are the outputs, not the points. In AlphaFold the frames are the structure itself, which "
        "each layer moves by a step that it makes of the tokens as they are made here: a quaternion beside "
        "1, and a place. Its pairs have vectors that other layers made; here they are products of what both "
        "tokens say, where the option has some. Without pairs two terms are left of the score, and weigh √½ "
        "each in the place of √⅓.";
    mechanism.related = {"euclidean", "triangle", "msa_rows", "shaw"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = 4};
    spec.position.type = PositionType::invariant_points;
    compose(mechanism, spec, component_knobs(spec) + heads_knob() + causal_knob() + projection_bias_knob());

    mechanism.example.query = "the king and the queen drink tea";
    mechanism.example.look_for =
        "Both “the” make the same frame and the same points, so their rows are alike. Step back to the bias "
        "of the points: it is nowhere above 0, and nearest to 0 where two words put their points into one "
        "place.";
    mechanism.example.stage = "position_bias";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
