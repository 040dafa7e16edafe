#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_retro() {
    Mechanism mechanism;
    mechanism.name = "Chunked cross-attention (RETRO)";
    mechanism.also_known_as = {"RETRO", "retrieval-enhanced Transformer", "CCA", "neighbour chunks"};
    mechanism.family = "Selections";
    mechanism.order = 5478;
    mechanism.formula =
        masked_formula(R"(@neighbour_keys{\lfloor j / c \rfloor \in N(u) \text{ or } \lfloor j / c )"
                       R"(\rfloor - 1 \in N(u)},\ u = \lfloor (i + 1) / c \rfloor - 1)");
    mechanism.papers = {
        {"Borgeaud et al., Improving Language Models by Retrieving from Trillions of Tokens", 2022}};
    mechanism.explanation =
        "A model that has to know everything has to be large. RETRO lets a smaller one look things up. The "
        "text is cut into chunks of c tokens. When a chunk has been read whole, a search finds the chunks of "
        "a large collection that are nearest to it, by vectors that are not trained; with each comes the "
        "chunk that follows it there, which says how such a text may go on. The tokens that are written next "
        "attend to these neighbours. Which ones? A chunk is known from its last token on, and the next one "
        "is known c tokens later; so the c tokens in between, shifted by c − 1 against the chunks, share "
        "one set of neighbours, and no token sees what was found for words after it. Here the collection is "
        "the second sequence, or the part of the same text that lies before the chunk.";
    mechanism.cost =
        masked_cost("2 n k c (d + d_v) multiply-adds per head for k neighbours and the chunks "
                    "that follow them; the search is once for each chunk and not for each token.");
    mechanism.correction =
        "The neighbours of chunk u are not seen by the tokens of chunk u, for which they were found, but "
        "from its last token on. The first c − 1 tokens see nothing, and their output is 0; in the model a "
        "residual carries them. The paper compares vectors of a frozen BERT, averaged over the chunk, by "
        "their distance, encodes the neighbours by layers that look at the chunk, and has such an attention "
        "beside a causal one in every third layer; here the means of the token vectors themselves are "
        "compared, by their cosine, and the keys are the tokens as they are.";
    mechanism.related = {"memorizing", "landmark", "top_k", "moba"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.selection.type = SelectionType::neighbour_chunks;
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "the cat sat down and the dog ran a cat sat down and then it slept";
    mechanism.example.look_for =
        "Chunks of four words. “a cat sat down” finds “the cat sat down”: from its own last word on, the "
        "second “down”, four rows see that chunk and the one behind it, “and the dog ran”.";
    mechanism.example.beside = "causal";
    mechanism.properties = {.row_stochastic = false,
                            .causal = true,
                            .streaming = true,
                            .data_dependent_mask = true,
                            .sparse = true};
    return mechanism;
}

}  // namespace headlight
