#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_hopfield_pooling() {
    Mechanism mechanism;
    mechanism.name = "Hopfield pooling";
    mechanism.also_known_as = {"HopfieldPooling", "associative pooling"};
    mechanism.family = "Sources";
    mechanism.order = 1412;
    mechanism.formula =
        R"(\xi_0 = @pooling_queries{P W_q},\quad )"
        R"(\xi_{t+1} = \operatorname{softmax}(\beta\,\xi_t\,@key{K}^\top)\,K,\quad )"
        R"(@pooled_values{O = @pooling_weights{\operatorname{softmax}(@pooling_scores{\beta\,\xi_T)"
        R"(\,K^\top})}\,@value{V}},\quad @output{o_i = \frac{1}{s} \sum_r O_r},\quad )"
        R"(@weights{A_{ij} = \frac{1}{s} \sum_r \operatorname{softmax}(\ldots)_{rj}})";
    mechanism.papers = {{"Ramsauer et al., Hopfield Networks is All You Need (section 3)", 2021}};
    mechanism.explanation =
        "Take the tokens of a text as the patterns that an associative memory has stored, and learned "
        "vectors as cues. A cue is replaced by what it retrieves, the mean of the keys under its softmax, "
        "and asks again with that; after some updates nothing moves, and the values are read by the weights "
        "of the last one. With one step it is pooling by learned queries. With more a cue does not stay "
        "where it was learned: it goes to the nearest pattern of this text, or to a mean of patterns that "
        "are alike. β, the inverse temperature, says which: the larger it is, the fewer tokens a row is "
        "made of. The authors found by it the few receptors among hundreds of thousands that tell of an "
        "immune response: a set in which a mean drowns what matters. As with all pooling here, every token "
        "gets the mean of the rows.";
    mechanism.cost = "T s m · 2 d multiply-adds per head for s cues and T steps; memory s m.";
    mechanism.correction =
        "What is learned is the cue, not what it finds: patterns are those of each text. The authors’ code "
        "normalises cues and patterns before they are projected, which is left out here, and stops where "
        "nothing moves; here the number of steps is given, the reading of the values included.";
    mechanism.equivalences = {equal_when("attention_pooling",
                                         "one step with β = 1/√d is pooling by learned queries",
                                         {.here = {{"steps", Index(1)}, {"beta", 0.0}}})};
    mechanism.related = {"hopfield", "attention_pooling", "gated_pooling"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::attention_pooling, {{"seeds", Index(4)}, {"steps", Index(3)}}};
    compose(mechanism, spec,
            without(component_knobs(spec), {"query", "block"}) + source_knob() + projections_knob());

    mechanism.example.query = "king queen man woman apple orange banana";
    mechanism.example.stage = "pooling_weights";
    mechanism.example.look_for =
        "The cues are random here, and with one step their rows are nearly flat and all different. After "
        "three they are much alike, with most for “man” and “woman”: the cues have been drawn to the same "
        "words. With 50 all four are in one place.";
    mechanism.properties = {.permutation_equivariant = true, .needs_whole_text = true};
    mechanism.tolerance = 1e-4;  // between two patterns each step enlarges the rounding of the one before
    return mechanism;
}

}  // namespace headlight
