#pragma once

#include "tests/reference/attention.h"
#include "tests/reference/normalizers.h"

namespace headlight {

/// A normaliser that works on each row alone: row(scores, allowed, head, query).
template <class RowRule>
auto by_row(const RowRule& rule) {
    return [rule](const reference::Head& head, const reference::Matrix& scores,
                  const reference::Allowed& allowed) {
        reference::Matrix weights(scores.rows, scores.cols);
        for (std::size_t i = 0; i < scores.rows; ++i) {
            const reference::Row result = rule(scores.row(i), allowed[i], head, i);
            for (std::size_t j = 0; j < scores.cols; ++j)
                weights(i, j) = result[j];
        }
        return weights;
    };
}

/// The same, where the row and the temperature are all that counts.
template <class RowRule, class... Arguments>
auto by_row(const RowRule& rule, reference::Number temperature, Arguments... arguments) {
    return by_row([=](const reference::Row& scores, const reference::Mask& allowed, const reference::Head&,
                      std::size_t) { return rule(scores, allowed, temperature, arguments...); });
}

}  // namespace headlight
