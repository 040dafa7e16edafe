#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_bigbird() {
    Mechanism mechanism;
    mechanism.name = "BigBird";
    mechanism.also_known_as = {"window, global and random attention"};
    mechanism.family = "Masks";
    mechanism.order = 2630;
    mechanism.formula =
        masked_formula(R"(|i - j| \le r \text{ or } i \in G \text{ or } j \in G \text{ or } j \in R_i)");
    mechanism.papers = {{"Zaheer et al., Big Bird: Transformers for Longer Sequences", 2020}};
    mechanism.explanation =
        "Three patterns in one: a window around each token, a few global tokens, and for each query some "
        "keys drawn at random, once and for all. Random edges make any two tokens close in a few steps, as "
        "in a random graph; with the global tokens the paper proves that such a sparse attention can compute "
        "what full attention can. The paper works with blocks of tokens, so that the processor reads whole "
        "tiles; here a block is one token, and the numbers drawn depend on the seed and on nothing else.";
    mechanism.correction = "The random keys belong to the model: they are drawn once, and not for each text. "
                           "Global tokens see all, and are seen by all.";
    mechanism.cost = masked_cost("n (2 r + 1 + 2 g + k) (d + d_v) multiply-adds per head for g global tokens "
                                 "and k random keys when only allowed pairs are scored.");
    mechanism.equivalences = {equal_when("longformer", "no key is drawn", {.here = {{"keys", Index(0)}}})};
    mechanism.related = {"longformer", "symmetric_window", "reformer"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = AnyOf{{Mask{PatternMask{MaskPattern::symmetric_window, {{"reach", Index(1)}}}},
                            Mask{PatternMask{MaskPattern::global, {{"tokens", std::vector<Index>{0}}}}},
                            Mask{PatternMask{MaskPattern::random, {{"keys", Index(1)}}}}}};
    compose(mechanism, spec, component_knobs(spec) + global_tokens_knob() + token_knobs());

    mechanism.example.query = "question the small dog chased the black cat home";
    mechanism.example.look_for = "The band and the cross of Longformer, with single cells strewn over the "
                                 "rest: turn the seed and only these move.";
    mechanism.example.beside = "longformer";
    mechanism.properties.needs_whole_text = true;
    return mechanism;
}

}  // namespace headlight
