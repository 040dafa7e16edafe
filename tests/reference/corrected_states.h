#pragma once

#include "tests/reference/attention.h"

// States that fade and are corrected, token by token: by keys whose features are written more or less
// strongly, by values in the place of keys, and by queries that the keys so far sharpen. A query reads the
// state that the newest token has left which it sees, its own or one before.
namespace headlight::reference {

struct PreconditionedDelta {
    Row gates, strengths;                      ///< [n], of the state; an empty gates is all ones
    Matrix feature_gates;                      ///< [n, d], in the place of the gates; none: those are used
    Row curvature_gates, curvature_strengths;  ///< the same of the squares
    Number center = 0, range = 1, scale = 1;
};
/// A <- a' A + b' k o k, z = ln(A + 1e-6) - c, M = r^(-z / (1 + |z|)), S <- a S + b (M o k) (v - a S^T k)^T
/// (the plain reference of flash-linear-attention).
HeadResult preconditioned_delta(const Head& head, const PreconditionedDelta& rule);

/// S <- S diag(a), S <- S + b (k - S v) v^T, o = S^T q, |v| = 1; gates [n, d_v], an empty one is all ones. A
/// weight is the product of the query and what was written then, times the mean of what is left of it.
HeadResult gated_oja(const Head& head, const Matrix& gates, const Row& strengths, Number scale);

struct Kalma {
    Row gates;      ///< [n]; an empty one is all ones
    Row strengths;  ///< [n]
    Row mixing;     ///< [n]; an empty one is all ones
    Number ridge = 1, scale = 1;
};
/// H <- g H + k k^T, S <- g S + k v^T with k and v times the strength, o = S^T (q + a (x - q)),
/// (H + ridge |H| I) x = q, |q| = |k| = 1 (Peng et al. 2026).
HeadResult gated_kalma(const Head& head, const Kalma& rule);

}  // namespace headlight::reference
