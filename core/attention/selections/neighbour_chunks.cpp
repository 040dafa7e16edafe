#include "core/attention/component.h"
#include "core/attention/selected_keys.h"
#include "core/attention/selections/kept_pairs.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cstdint>

namespace headlight {
namespace {

/// Whole chunks of so many tokens in a row. A chunk with padding in it is none.
struct TokenChunks {
    TokenChunks(Index the_size, std::vector<std::uint8_t> the_real)
        : size(the_size), count(std::ssize(the_real) / the_size), real(std::move(the_real)) {}
    Index size, count;
    std::vector<std::uint8_t> real;  ///< of each token

    bool is_whole(Index chunk) const {
        return std::all_of(real.begin() + chunk * size, real.begin() + (chunk + 1) * size,
                           [](std::uint8_t is_real) { return is_real != 0; });
    }
};

/// The directions [count, d] of the means of the chunks' tokens.
Expression write_chunk_directions(Composer& composer, const std::string& name, const Expression& tokens,
                                  const TokenChunks& chunks) {
    const Index all = std::ssize(chunks.real);
    const Expression shares = composer.of_places(
        name + "_shares", {0, chunks.count, all}, "means of chunks", [size = chunks.size](Place at) {
            return at.column / size == at.row ? 1 / static_cast<double>(size) : 0.0;
        });
    Expression real = tokens;
    if (std::ranges::find(chunks.real, 0) != chunks.real.end())
        real = choose(composer.truth(name + "_real", {0, all, 1}, "tokens that are no padding",
                                     [real = chunks.real](Index row, Index) {
                                         return real[static_cast<std::size_t>(row)] != 0;
                                     }),
                      tokens, 0);
    return direction_of(composer, name, composer.let(name, product(shares, real), "the mean of each chunk"));
}

/// Neighbours [chunks of the queries, chunks of the keys], 1 or 0: the nearest of those that are known when
/// the chunk has been read.
Expression write_chosen_chunks(Composer& composer, const TokenChunks& asking, const TokenChunks& known) {
    const bool is_one_text = composer.plan.spec.source.type == SourceType::self;
    const Expression own = write_chunk_directions(composer, "asking_chunks", composer.query_tokens, asking),
                     others = write_chunk_directions(composer, "known_chunks", composer.key_tokens, known);
    const Expression likeness =
        composer.let("chunk_likeness", floor_of(product_transposed(own, others) * 1e6 + 0.5),
                     "cosines of the means, in millionths");
    const Expression may_be_found = composer.truth_of_places(
        "may_be_found", {0, asking.count, known.count},
        is_one_text ? "whole chunks before the own one" : "whole chunks",
        [=](Place at) { return known.is_whole(at.column) && (!is_one_text || at.column < at.row); });
    const Expression ranks =
        composer.let("chunk_ranks", rank_of(choose(may_be_found, likeness, minus_infinity())),
                     "how many chunks are nearer");
    const auto most = static_cast<double>(selection_count(composer, "neighbours"));
    return composer.let("chosen_chunks", as_number(both_of(may_be_found, is_above(most, ranks))),
                        "1 for the neighbours of each chunk");
}

/// Keys of the neighbours of the last chunk that was read when the query looks (Borgeaud et al. 2022).
std::optional<Expression> define_neighbour_chunks(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries, m = plan.keys, size = selection_count(composer, "chunk");
    const std::vector<std::uint8_t> real = real_keys(plan);
    const bool is_one_text = plan.spec.source.type == SourceType::self;
    const TokenChunks known(size, real),
        asking(size, is_one_text ? real : std::vector<std::uint8_t>(static_cast<std::size_t>(n), 1));
    const char* const note = "1 for keys of the chunks that were found";
    if (asking.count == 0 || known.count == 0)
        return and_allowed(composer, is_above(composer.let("neighbour_keys",
                                                           composer.of_places("no_neighbours", {0, n, m},
                                                                              "no chunk is whole",
                                                                              [](Place) { return 0.0; }),
                                                           note),
                                              0.5));
    const Expression chosen = write_chosen_chunks(composer, asking, known);
    // Keys that lie `behind` chunks after a neighbour.
    const auto keys_behind = [&](Index behind) {
        const std::string suffix = behind > 0 ? "_behind" : "";
        const Expression is_there = composer.truth_of_places(
            "has_chunks" + suffix, {0, n, m}, "a chunk was read, and the key is of one",
            [=, count = known.count](Place at) {
                const Index chunk = at.column / size;
                return at.row + 1 >= size && chunk >= behind && chunk < count;
            });
        const Places rows{n, 1, {n, [=](Index i) { return std::max<Index>((i + 1) / size, 1) - 1; }}};
        const Places columns{1, m, {m, [=, count = known.count](Index j) {
                                        return std::clamp<Index>(j / size - behind, 0, count - 1);
                                    }}};
        return choose(is_there, pick(chosen, rows, columns), 0);
    };
    Expression found = keys_behind(0);
    if (plan.selection().flag("continued"))
        found = larger_of(found, keys_behind(1));
    return and_allowed(composer, is_above(composer.let("neighbour_keys", found, note), 0.5));
}

}  // namespace

SelectionComponent declare_selections_neighbour_chunks() {
    SelectionComponent component;
    component.reads_no_keys = true;
    component.meaning =
        "keys of the chunks that are nearest to the last chunk of c tokens that was read whole, token i’s "
        "⌊(i + 1) / c⌋, and of those that follow them: near by the cosine of the means of their tokens, and "
        "of one text those before it alone; of equal ones the first (RETRO, Borgeaud et al. 2022)";
    component.options = {
        count_option("chunk", "Chunk c", 4, token_counts,
                     "How many tokens a chunk has; the paper has 64. What is left at the end is no chunk."),
        count_option("neighbours", "Neighbours", 1, token_counts,
                     "How many chunks are found for each chunk that was read; the paper has 2 in training."),
        flag_option("continued", "With what follows", true,
                    "Whether the chunk behind a neighbour is seen too: how the text went on there.")};
    component.check = [](const Plan& plan) {
        const Index asking = plan.tokens.query_width, known = plan.tokens.key_width;
        if (asking != known)
            throw Error({"neighbour_chunks selection", "source",
                         "two sequences of one width, for the means of their tokens are compared",
                         std::to_string(asking) + " and " + std::to_string(known) + " numbers"});
    };
    component.declared_stages = {
        made_stage("neighbour_keys", "Neighbours", {"1 for keys of the chunks that were found"},
                   {.lights = "weights", .role = StageRole::weights, .is_share = true})};
    component.define = define_neighbour_chunks;
    component.reads_one_sequence = [](const AttentionSpec&) {
        return "a chunk has earlier chunks of its own text as neighbours here";
    };
    return component;
}

}  // namespace headlight
