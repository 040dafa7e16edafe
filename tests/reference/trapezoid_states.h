#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// What Mamba-3 knows of one head's tokens.
struct TrapezoidStates {
    Row steps;                       ///< [n]: Delta
    Row rates;                       ///< [n]: -A
    Row shares;                      ///< [n]: lambda; empty: each token writes by its step alone
    Matrix turns;                    ///< [n, pairs]: radians per time, of pairs of neighbouring features
    bool has_norm = true;            ///< queries and keys over the root of the mean of their squares ...
    Row bias_of_query, bias_of_key;  ///< ... plus these
    Number scale = 1;
    /// A key that each token writes along, and a query that it reads with, behind the head's own.
    struct Rank {
        Matrix q, k;                     ///< [n, d]
        Row bias_of_query, bias_of_key;  ///< [d]
    };
    std::vector<Rank> ranks;
    Matrix in, out;  ///< [1 + ranks, d_v]: what of the values goes in along each key, and what of each
                     ///< query's comes out
};
/// S <- alpha S + (1 - lambda) Delta alpha k_{t-1} v_{t-1}^T + lambda Delta k v^T, o = S^T q, alpha =
/// exp(-Delta rate), queries and keys turned by the sum of Delta times turn (Lahoti et al. 2026, as their
/// step by step reference has it). A query reads the state that the newest token has left which it sees, its
/// own or one before. With ranks all keys write, k^T (in v), and all queries are read with, out (q S); the
/// weights are then the mean over the features of the values.
HeadResult trapezoid_states(const Head& head, const TrapezoidStates& rule);

}  // namespace headlight::reference
