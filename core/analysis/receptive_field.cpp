#include "core/analysis/receptive_field.h"

#include "core/tensor/error.h"

#include <algorithm>
#include <bit>

namespace headlight {
namespace {

/// Rows of bits, 64 to a word: a product of 512 x 512 is then two million operations.
class BitMatrix {
public:
    explicit BitMatrix(Index size)
        : words_(static_cast<std::size_t>((size + 63) / 64)), bits_(words_ * static_cast<std::size_t>(size)) {
    }

    std::span<std::uint64_t> row(Index index) {
        return std::span(bits_).subspan(words_ * static_cast<std::size_t>(index), words_);
    }
    void set(Index query, Index key) { row(query)[static_cast<std::size_t>(key / 64)] |= bit(key); }

    static std::uint64_t bit(Index key) { return std::uint64_t(1) << (key % 64); }

private:
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

/// Calls visit(key) for every bit that is in `row` and not in `known`.
template <class Visit>
void for_each_new(std::span<const std::uint64_t> row, std::span<const std::uint64_t> known,
                  const Visit& visit) {
    for (std::size_t word = 0; word < row.size(); ++word)
        for (std::uint64_t left = row[word] & ~known[word]; left; left &= left - 1)
            visit(static_cast<Index>(word) * 64 + std::countr_zero(left));
}

}  // namespace

Index ReceptiveField::count(Index after) const {
    return std::ranges::count_if(first, [after](std::uint8_t at) { return at > 0 && at <= after; });
}

ReceptiveField receptive_field(std::span<const std::uint8_t> allowed, Index tokens, Index layers) {
    if (layers < 1 || layers > most_layers)
        throw Error(
            {"receptive field", "layers", "1 to " + std::to_string(most_layers), std::to_string(layers)});
    ReceptiveField field{tokens, layers, std::vector<std::uint8_t>(allowed.size(), 0)};
    BitMatrix step(tokens);
    for (Index query = 0; query < tokens; ++query) {
        step.set(query, query);
        for (Index key = 0; key < tokens; ++key)
            if (allowed[static_cast<std::size_t>(query * tokens + key)])
                step.set(query, key);
    }
    // A query reaches after L + 1 layers whatever the tokens that it sees in the last one reached after L.
    BitMatrix reached(tokens);
    for (Index layer = 1; layer <= layers; ++layer) {
        BitMatrix next(tokens);
        bool grew = false;
        for (Index query = 0; query < tokens; ++query) {
            const auto row = next.row(query), known = reached.row(query), seen = step.row(query);
            if (layer == 1)
                std::ranges::copy(seen, row.begin());
            else
                for (std::size_t word = 0; word < seen.size(); ++word)
                    for (std::uint64_t left = seen[word]; left; left &= left - 1)
                        std::ranges::transform(
                            row, reached.row(static_cast<Index>(word) * 64 + std::countr_zero(left)),
                            row.begin(), std::bit_or<std::uint64_t>());
            for_each_new(row, known, [&](Index key) {
                field.first[static_cast<std::size_t>(query * tokens + key)] =
                    static_cast<std::uint8_t>(layer);
                grew = true;
            });
        }
        if (!grew)
            break;
        reached = std::move(next);
    }
    return field;
}

ReceptiveField receptive_field(const AllowedPairs& allowed, Index layers) {
    if (allowed.queries() != allowed.keys())
        throw Error(
            {"receptive field", "", "queries and keys of one sequence: layers stand on one another",
             std::to_string(allowed.queries()) + " queries and " + std::to_string(allowed.keys()) + " keys"});
    std::vector<std::uint8_t> cells;
    for (Index query = 0; query < allowed.queries(); ++query) {
        const auto row = allowed.row(query);
        cells.insert(cells.end(), row.begin(), row.end());
    }
    return receptive_field(cells, allowed.queries(), layers);
}

}  // namespace headlight
