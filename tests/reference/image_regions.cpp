#include "tests/reference/image_regions.h"

#include <algorithm>
#include <map>
#include <utility>

namespace headlight::reference {
namespace {

/// Row and column of a region among the regions, in the order in which equal ones are taken.
using Region = std::pair<std::size_t, std::size_t>;

Region region_of(std::size_t token, const ImageRegions& regions) {
    return {token / regions.columns / regions.side, token % regions.columns / regions.side};
}

/// The mean over the tokens that count, the heads one after another.
Row mean_of_heads(const std::vector<const Matrix*>& of_heads, const std::vector<std::size_t>& tokens) {
    Row mean;
    for (const Matrix* vectors : of_heads)
        for (std::size_t c = 0; c < vectors->cols; ++c) {
            Number sum = 0;
            for (const std::size_t token : tokens)
                sum += (*vectors)(token, c);
            mean.push_back(tokens.empty() ? 0 : sum / static_cast<Number>(tokens.size()));
        }
    return mean;
}

}  // namespace

Allowed best_regions(const std::vector<Head>& heads, const Allowed& allowed, const ImageRegions& regions) {
    const std::size_t n = heads.front().q.rows, m = heads.front().k.rows;
    std::vector<bool> real(m, false);
    for (const auto& row : allowed)
        for (std::size_t j = 0; j < m; ++j)
            real[j] = real[j] || row[j];
    std::map<Region, std::vector<std::size_t>> asking, known;
    for (std::size_t i = 0; i < n; ++i) {
        auto& members = asking[region_of(i, regions)];
        if (!regions.is_one_sequence || real[i])
            members.push_back(i);
    }
    for (std::size_t j = 0; j < m; ++j)
        if (real[j])
            known[region_of(j, regions)].push_back(j);
    std::vector<const Matrix*> queries, keys;
    for (const Head& head : heads) {
        queries.push_back(&head.q);
        keys.push_back(&head.k);
    }
    std::map<Region, std::vector<Region>> kept;
    for (const auto& [mine, askers] : asking) {
        std::vector<std::pair<Number, Region>> met;
        for (const auto& [theirs, holders] : known) {
            bool meet = false;
            for (std::size_t i = 0; i < n; ++i)
                for (const std::size_t j : holders)
                    meet = meet || (region_of(i, regions) == mine && allowed[i][j]);
            if (meet)
                met.emplace_back(product(mean_of_heads(queries, askers), mean_of_heads(keys, holders)),
                                 theirs);
        }
        std::ranges::stable_sort(met, [](const auto& a, const auto& b) { return a.first > b.first; });
        for (std::size_t at = 0; at < std::min(regions.kept, met.size()); ++at)
            kept[mine].push_back(met[at].second);
    }
    Allowed result = allowed;
    for (std::size_t i = 0; i < n; ++i) {
        const auto& mine = kept[region_of(i, regions)];
        for (std::size_t j = 0; j < m; ++j)
            result[i][j] = allowed[i][j] && std::ranges::count(mine, region_of(j, regions)) > 0;
    }
    return result;
}

}  // namespace headlight::reference
