#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_distance_curves() {
    Mechanism mechanism;
    mechanism.name = "Learned distance curves";
    mechanism.also_known_as = {"relative logits", "Inkling positions"};
    mechanism.family = "Positions";
    mechanism.order = 5375;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@biased_scores{@scaled_scores{\frac{@scores{)"
        R"(@query{Q}\,@key{K}^\top}}{\sqrt{d_k}}} + @position_bias{\sum_b @curve_shares{(@tokens{x_i} )"
        R"(W)_{hb}}\,D_b[i - j]}}\right)}\,@value{V}})";
    mechanism.papers = {{"Thinking Machines Lab, Inkling", 2026}};
    mechanism.explanation =
        "T5’s bias is a curve over the distance that each head has for good: what the token says makes no "
        "difference to how far it looks. Here every token draws its own. There is a small stock of learned "
        "curves, D, which all heads of a layer share, and a matrix W says how much of each curve a "
        "head of this token takes. A noun may look for the word just before it, and a full stop at "
        "everything alike. The bias is a product of two narrow matrices, so that a query asks for as "
        "many numbers as there are distances and not for one for each key. Inkling has 16 curves and no "
        "rotary positions. Here both matrices are drawn at random, so that the curves are some curves.";
    mechanism.cost =
        "n d h b for the shares and n h b L for the curves, b curves that reach L places back, beside "
        "n m (d_k + d_v)";
    mechanism.correction =
        "The curves look back only: keys after the query and those beyond the reach have a bias of "
        "0, and are not forbidden by it.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "with curves of zeros no distance counts",
                   {.here = {{"heads", Index(1)}}, .parameters = {{"curves", "zeros"}}}),
    };
    mechanism.related = {"t5", "fire", "shaw", "cope"};

    AttentionSpec spec;
    spec.position.type = PositionType::distance_curves;
    spec.position.options = {{"reach", Index(4)}};
    compose(mechanism, spec, component_knobs(spec) + heads_knob(2) + projections_knob() + causal_knob());

    mechanism.example.query = "the cat sat and the dog sat and the bird sat";
    mechanism.example.look_for =
        "The rows of “sat” hold one curve, moved along with the word, and those of “the” another. Each ends "
        "three places back. The other head mixes the same curves in its own way.";
    mechanism.example.stage = "position_bias";
    return mechanism;
}

}  // namespace headlight
