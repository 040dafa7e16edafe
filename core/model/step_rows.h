#pragma once

#include "core/model/generation.h"

#include <vector>

namespace headlight {

/// The weights of one site, those of each step below those of the steps before it: [head, row, column]. A
/// decoder that looks at its own text sees one word more in each, so that earlier rows end sooner.
struct StepRows {
    Index heads = 0, rows = 0, columns = 0;

    Index size() const { return heads * rows * columns; }
};

/// One step or more.
StepRows step_rows(const std::vector<const SiteStep*>& steps);

/// Calls take(to, step, row, column) for each weight of each step: `to` is its place in [head, row, column],
/// (row, column) that in the step's `weights` and `scores`.
template <class Take>
void for_each_weight(const std::vector<const SiteStep*>& steps, Take take) {
    const StepRows all = step_rows(steps);
    Index first = 0;
    for (const SiteStep* step : steps) {
        const Index rows = step->weights.rows() / all.heads;
        for (Index head = 0; head < all.heads; ++head)
            for (Index row = 0; row < rows; ++row)
                for (Index column = 0; column < step->weights.cols(); ++column)
                    take(static_cast<std::size_t>((head * all.rows + first + row) * all.columns + column),
                         *step, head * rows + row, column);
        first += rows;
    }
}

}  // namespace headlight
