#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_prefix_lm() {
    Mechanism mechanism;
    mechanism.name = "Prefix language model mask";
    mechanism.also_known_as = {"prefix-LM", "UniLM mask", "causal with prefix"};
    mechanism.family = "Masks";
    mechanism.order = 5420;
    mechanism.formula = masked_formula(R"(j < p \text{ or } j \le i)");
    mechanism.papers = {{"Raffel et al., Exploring the Limits of Transfer Learning with a Unified "
                         "Text-to-Text Transformer (section 3.2.1)",
                         2020}};
    mechanism.explanation =
        "The beginning of the text is given, an instruction or a sentence to translate, so it can be read in "
        "both directions; only what follows has to be causal, because it is generated. One decoder then does "
        "what an encoder and a decoder do: within the prefix all p tokens see one another, and later tokens "
        "see the prefix and what came before them. With p = 0 this is a causal model, with p = n an encoder. "
        "UniLM trained one network with all three masks.";
    mechanism.cost = masked_cost(
        "about (n² + p²) / 2 × (d + d_v) multiply-adds per head when only allowed pairs are scored.");
    mechanism.correction = "With a cache the prefix must be computed as one: adding a token to it changes "
                           "the rows of all its tokens, unlike in a causal model.";
    mechanism.equivalences = {
        equal_when("causal", "the prefix is empty", {.here = {{"length", Index(0)}}}),
        equal_when("scaled_dot_product", "everything is prefix", {.here = {{"length", Index(65536)}}})};
    mechanism.related = {"causal", "documents", "cross"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = PatternMask{MaskPattern::prefix, {{"length", Index(3)}}};
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "translate good morning into french please now thanks";
    mechanism.example.look_for =
        "A full square in the corner, three words that see one another, and the causal triangle below it.";
    return mechanism;
}

}  // namespace headlight
