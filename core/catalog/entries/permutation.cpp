#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_permutation() {
    Mechanism mechanism;
    mechanism.name = "Permuted order";
    mechanism.also_known_as = {"permutation language modelling", "XLNet mask", "content stream"};
    mechanism.family = "Masks";
    mechanism.order = 5426;
    mechanism.formula = masked_formula(R"(z_j \le z_i)");
    mechanism.papers = {
        {"Yang et al., XLNet: Generalized Autoregressive Pretraining for Language Understanding", 2019}};
    mechanism.explanation =
        "A causal mask reads a text from left to right, so that no word ever sees what follows. But the "
        "probability of a text can be taken apart in any order: guess the fifth word first, then the second "
        "given the fifth, and so on. Draw an order, number the tokens by their turns z, and let each see "
        "those whose turn was not later. The words stay at their places in the text, with the positions "
        "that belong to them; only who sees whom has changed. Over many orders a word is guessed from its "
        "left, from its right and from both, by a model that still guesses one word after another. The mask "
        "shown is that of the content stream, in which a token sees itself. To be guessed it must not: the "
        "query stream sees only earlier turns, and the first token of the order sees nothing.";
    mechanism.cost = masked_cost("half of all pairs, n² / 2 × (d + d_v) multiply-adds per head, when only "
                                 "allowed pairs are scored; in no blocks, so that tiles save little.");
    mechanism.correction =
        "It is the order that is permuted, and not the text. XLNet runs both streams at once: queries of "
        "the second begin with a learned vector and know the place of their token, but not the token. A "
        "stream of such queries is not shown here, where queries are made of the tokens in both. In training "
        "only the last turns of an order are guessed, for the first ones have little to go by; and in the "
        "released code tokens that are not guessed have no turns: all see each other, and none that is.";
    mechanism.related = {"causal", "prefix_lm", "block_diffusion", "transformer_xl"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = PatternMask{MaskPattern::permutation, {}};
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "new york is a city on the coast";
    mechanism.example.look_for = "The order drawn is york, city, on, coast, the, new, a, is: york sees "
                                 "itself alone, is sees all words. "
                                 "Put the rows in this order in your mind, and it is a causal triangle.";
    return mechanism;
}

}  // namespace headlight
