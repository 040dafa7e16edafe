#include "tests/reference/neighbour_chunks.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

Row mean_of_chunk(const Matrix& tokens, const std::vector<bool>& real, std::size_t first, std::size_t size) {
    Row mean(tokens.cols, Number(0));
    for (std::size_t token = first; token < first + size; ++token)
        for (std::size_t c = 0; c < tokens.cols && real[token]; ++c)
            mean[c] += tokens(token, c) / static_cast<Number>(size);
    return mean;
}

Number millionths_of_cosine(const Row& a, const Row& b) {
    const Number lengths = std::sqrt(product(a, a)) * std::sqrt(product(b, b));
    return std::floor((lengths == 0 ? 0 : product(a, b) / lengths) * 1e6L + 0.5L);
}

}  // namespace

Allowed neighbour_chunks(const Matrix& x, const Matrix& y, const Allowed& allowed,
                         const ChunkSearch& search) {
    const std::size_t n = x.rows, m = y.rows, size = search.chunk;
    std::vector<bool> is_key(m, false);
    for (std::size_t j = 0; j < m; ++j)
        is_key[j] = std::ranges::any_of(allowed, [&](const auto& row) { return row[j]; });
    const std::vector<bool> is_query = search.is_one_sequence ? is_key : std::vector<bool>(n, true);
    Allowed kept(n, std::vector<bool>(m, false));
    for (std::size_t i = 0; i < n; ++i) {
        if (i + 1 < size)
            continue;
        const std::size_t own = (i + 1) / size - 1;
        const Row asking = mean_of_chunk(x, is_query, own * size, size);
        std::vector<std::pair<Number, std::size_t>> found;
        for (std::size_t chunk = 0; (chunk + 1) * size <= m; ++chunk) {
            const auto first = is_key.begin() + static_cast<std::ptrdiff_t>(chunk * size);
            const bool is_whole = std::all_of(first, first + static_cast<std::ptrdiff_t>(size),
                                              [](bool is_real) { return is_real; });
            if (is_whole && (!search.is_one_sequence || chunk < own))
                found.emplace_back(millionths_of_cosine(asking, mean_of_chunk(y, is_key, chunk * size, size)),
                                   chunk);
        }
        std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
        found.resize(std::min(found.size(), search.neighbours));
        for (const auto& [likeness, chunk] : found) {
            const std::size_t behind = search.is_continued && (chunk + 2) * size <= m ? 2 : 1;
            for (std::size_t j = chunk * size; j < (chunk + behind) * size; ++j)
                kept[i][j] = allowed[i][j];
        }
    }
    return kept;
}

}  // namespace headlight::reference
