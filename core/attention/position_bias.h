#pragma once

#include "core/attention/journey.h"

#include <vector>

namespace headlight {

/// Adds `fill` to a journey as its position bias, and records it: fill(row, bias) writes what the scaled
/// scores of the row get, finite numbers for the keys [0, row.size).
template <class Real, class Fill>
void add_position_bias(const Plan& plan, Journey<Real>& journey, Fill fill) {
    journey.bias.push_back([&plan, fill](const ScoreRow<Real>& row, const Recorder& record) {
        thread_local std::vector<Real> bias;
        bias.resize(static_cast<std::size_t>(row.size));
        fill(row, bias.data());
        record.write("position_bias", (row.head * plan.queries + row.query) * plan.keys, bias.data(),
                     row.size);
        for (Index key = 0; key < row.size; ++key)
            row.values[key] += bias[static_cast<std::size_t>(key)];
    });
}

}  // namespace headlight
