#pragma once

#include "core/attention/normalizers/rows.h"
#include "core/tensor/interruption.h"

namespace headlight {

/// ln of the sum of exp(scores_ij + of_row_i) over the queries i of every key j, in two parts: the `largest`
/// [m] exponent, and what the others add to it, `above` [m]. Next to a large one the second would be lost.
/// Both are 0 for a key that no query may look at. `of_row` [n] may be null.
template <class Real>
void column_log_sums(const Real* scores, Index queries, Index keys, const Real* of_row, Real* largest,
                     Real* above, const kernels::Table<Real>& kernels) {
    Real* exponentials = scratch<Real, ScratchRow::column_exponentials>(keys);
    const auto added = [&](Index query) { return of_row ? of_row[query] : Real(0); };
    std::fill(largest, largest + keys, forbidden<Real>);
    for (Index query = 0; query < queries; ++query) {
        Interruption::check();
        for (Index key = 0; key < keys; ++key) {
            const Real score = scores[query * keys + key] + added(query);
            largest[key] = score > largest[key] ? score : largest[key];
        }
    }
    for (Index key = 0; key < keys; ++key)
        largest[key] = largest[key] == forbidden<Real> ? Real(0) : largest[key];
    std::fill(above, above + keys, Real(0));
    for (Index query = 0; query < queries; ++query) {
        Interruption::check();
        for (Index key = 0; key < keys; ++key)
            exponentials[key] = scores[query * keys + key] + added(query) - largest[key];
        kernels.exponentials(exponentials, keys, Real(0), Real(1));
        for (Index key = 0; key < keys; ++key)
            above[key] += exponentials[key];
    }
    for (Index key = 0; key < keys; ++key)
        above[key] = above[key] == 0 ? Real(0) : std::log(above[key]);
}

}  // namespace headlight
