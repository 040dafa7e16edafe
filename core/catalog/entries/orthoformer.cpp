#include "core/catalog/knob.h"

#include <string>

namespace headlight {

Mechanism declare_orthoformer() {
    Mechanism mechanism;
    mechanism.name = "Orthoformer";
    mechanism.also_known_as = {"orthogonal landmarks", "most orthogonal subset"};
    mechanism.family = "Low rank";
    mechanism.order = 3652;
    mechanism.formula =
        R"(@weights{A = @unpack_weights{\operatorname{softmax}\left(@unpack_scores{\frac{@query{Q}\,)"
        R"(@agents{P}^\top}{\sqrt{d}}}\right)}\,@pack_weights{\operatorname{softmax}\left(@pack_scores{)"
        R"(\frac{@agents{P}\,@key{K}^\top}{\sqrt{d}}}\right)}},\quad @output{O = A\,@value{V}},\quad )"
        R"(@agents{P = Q_{c_1}, \ldots, Q_{c_s}},\quad )"
        R"(@chosen_queries{c_{r+1} = \operatorname{argmin}_i \max_{l \le r} \frac{|q_i \cdot )"
        R"(q_{c_l}|}{|q_i|\,|q_{c_l}|}})";
    mechanism.papers = {
        {"Patrick et al., Keeping Your Eye on the Ball: Trajectory Attention in Video Transformers", 2021}};
    mechanism.explanation =
        "Points in the middle save time only if they stand for all queries, and means of neighbours stand "
        "for what is near, not for what is different. Orthoformer takes some of the queries themselves: one "
        "that is drawn, and then again and again the one that is least like those it has, whose largest "
        "cosine with any of them, of either sign, is the smallest. So the points are as nearly at right "
        "angles as the queries allow, and few of them cover many directions. The rest is two attentions, one "
        "behind the other: the points ask the keys, and the queries ask the points. Unlike in "
        "Nyströmformer no inverse corrects for points that are alike; they are not.";
    mechanism.cost =
        "s (n + m) (d + d_v) multiply-adds per head for s points and s n d to choose them; memory s (n + m)";
    mechanism.correction =
        "The points are queries as long as they are, not directions, and no keys are among them. A choice "
        "depends on the first draw: the authors draw anew each time, here the seed decides. They let no "
        "gradient through the points; here queries that are points learn from being so. In their video "
        "model the softmax of a point runs over one frame at a time.";
    mechanism.related = {"agent", "nystrom", "inducing_points", "clustered"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::agent;
    spec.algorithm.options = {{"points", std::string("orthogonal")}};
    compose(mechanism, spec, without(component_knobs(spec), {"points"}) + projections_knob());

    mechanism.example.query = "king dog queen cat prince horse princess cow";
    mechanism.example.look_for =
        "Royals and animals take turns. The two points are “dog”, which was drawn, and “prince”, the word "
        "least like it; so the map has two kinds of rows, and “queen” gives 0.07 to “cat” and “cow” "
        "together. Agents make her give 0.19: each of them is a mean of two royals and two animals.";
    mechanism.example.beside = "agent";
    mechanism.example.values = {{"agents", Index(2)}};
    mechanism.properties = {.random = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
