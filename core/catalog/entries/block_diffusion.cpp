#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_block_diffusion() {
    Mechanism mechanism;
    mechanism.name = "Block diffusion mask";
    mechanism.also_known_as = {"BD3-LM", "semi-autoregressive diffusion mask"};
    mechanism.family = "Masks";
    mechanism.order = 5424;
    mechanism.formula =
        masked_formula(R"(b_j = b_i \text{ (both noised) or } b_j < b_i \text{ (} i \text{ noised, } j )"
                       R"(\text{ clean) or } b_j \le b_i \text{ (both clean)})");
    mechanism.papers = {
        {"Arriola et al., Block Diffusion: Interpolating Between Autoregressive and Diffusion "
         "Language Models (section 3.1)",
         2025}};
    mechanism.explanation =
        "A diffusion model writes all words at once: it begins with masked words and replaces them by "
        "better guesses, step by step. A language model writes one word after another and knows all before "
        "it. Block diffusion writes blocks one after another, and the words of a block together. To train "
        "all blocks at once the text stands there twice, a noised copy first and the clean text behind it. "
        "A noised word sees its own noised block, in both directions, and the clean text of the blocks "
        "before, as it will when it writes. Clean words see clean blocks up to their own and never a "
        "noised one, so that they can be computed once and kept. b is the number of the block within its "
        "copy. With blocks of one word this is a causal model, and with a single block plain diffusion.";
    mechanism.cost = masked_cost(
        "about L² (d + d_v) multiply-adds per head for a text of L tokens, 2 L with its copy, when only "
        "allowed pairs are scored: a quarter of the square.");
    mechanism.correction =
        "A noised word must not see the clean words of its own block: they are the answer. Clean words see "
        "their whole block, though, and not only what comes before them in it.";
    mechanism.equivalences = {
        equal_when("blocks", "nothing is clean, and the noised blocks know nothing of one another",
                   {.here = {{"noised", Index(65536)}, {"size", Index(3)}}})};
    mechanism.related = {"blocks", "prefix_lm", "causal", "documents"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = PatternMask{MaskPattern::block_diffusion, {{"size", Index(2)}}};
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "the blank was blank blank blue the door was red and blue";
    mechanism.example.look_for =
        "Six words, “the door was red and blue”, and before them a copy in which “blank” stands for what "
        "is to be guessed. Its first half has small squares on the diagonal, and to the right of them the "
        "clean words of earlier blocks; the clean half is a staircase of squares.";
    mechanism.properties.needs_whole_text = true;
    return mechanism;
}

}  // namespace headlight
