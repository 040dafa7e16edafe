#include "core/model/sequences.h"

#include <algorithm>

namespace headlight {

Sequences side_by_side(std::span<const std::vector<Index>> sequences) {
    Sequences all;
    all.batch = std::ssize(sequences);
    for (const std::vector<Index>& each : sequences) {
        all.lengths.push_back(std::ssize(each));
        all.steps = std::max(all.steps, std::ssize(each));
    }
    all.tokens.assign(static_cast<std::size_t>(all.steps * all.batch), Sequences::none);
    for (std::size_t i = 0; i < sequences.size(); ++i)
        for (std::size_t t = 0; t < sequences[i].size(); ++t)
            all.tokens[t * sequences.size() + i] = sequences[i][t];
    return all;
}

Sequences step_range(const Sequences& all, Index first, Index steps) {
    Sequences part;
    part.batch = all.batch;
    part.steps = steps;
    const auto begin = all.tokens.begin() + first * all.batch;
    part.tokens.assign(begin, begin + steps * all.batch);
    for (const Index length : all.lengths)
        part.lengths.push_back(std::clamp<Index>(length - first, 0, steps));
    return part;
}

std::vector<Index> places_from(Index first, Index steps, Index batch) {
    std::vector<Index> places(static_cast<std::size_t>(steps * batch));
    for (std::size_t row = 0; row < places.size(); ++row)
        places[row] = first + static_cast<Index>(row) / batch;
    return places;
}

}  // namespace headlight
