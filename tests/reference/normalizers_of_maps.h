#pragma once

#include "tests/reference/masks.h"
#include "tests/reference/matrix.h"

namespace headlight::reference {

// Normalisers of all scores [n, m] of a head at once: what one query gets depends on the others.

/// Row sums brought to 1 and column sums to one common number, in turn, `iterations` times rows.
Matrix sinkhorn(const Matrix& scores, const Allowed& allowed, Number temperature, std::size_t iterations);

/// Potentials u and v of exp(s_ij + u_i + v_j), n queries and a bin that takes m, m keys and one that takes
/// n, `iterations` times u, with v in between (Sarlin et al. 2020, section 3.2).
Matrix transport_with_dustbin(const Matrix& scores, const Allowed& allowed, Number temperature, Number bin,
                              std::size_t iterations);

/// Softmax along each column, then every row divided by its sum (Locatello et al. 2020, algorithm 1).
Matrix slot(const Matrix& scores, const Allowed& allowed, Number temperature);

/// Softmax along each row times softmax along each column (Sun et al. 2021, LoFTR).
Matrix dual_softmax(const Matrix& scores, const Allowed& allowed, Number temperature);

/// Keys of each query that `count` draws hit; none at all where nothing is drawn.
Allowed keys_of_draws(std::size_t queries, std::size_t keys, std::size_t count, std::uint64_t seed);

/// Softmax of the `active` rows of which the largest score is furthest above the mean, both of the keys that
/// are drawn, where some are; others have the same for every key (Zhou et al. 2021, equation 3).
Matrix prob_sparse(const Matrix& scores, const Allowed& allowed, Number temperature, std::size_t active,
                   const Allowed& drawn);

/// Chances of stopping: a_ij is the sum over the keys k <= j where the query before stopped of a_(i-1)k times
/// the chance of passing k ... j - 1 and stopping at j (Raffel et al. 2017, section 2.3, enumerated). With
/// `hard`, chances above one half are 1 and others 0. A query that may look at nothing is passed over.
Matrix monotonic(const Matrix& scores, const Allowed& allowed, Number temperature, Number bias, bool hard);

/// b_ij = sum over k = j ... j + w - 1 of a_ik e^u_ij / sum over l = k - w + 1 ... k of e^u_il (Chiu and
/// Raffel 2018, eq. 10); width 0 is one as wide as the row.
Matrix chunkwise(const Matrix& scores, const Allowed& allowed, Number temperature, Number bias, bool hard,
                 std::size_t width);

}  // namespace headlight::reference
