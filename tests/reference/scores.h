#pragma once

#include "tests/reference/matrix.h"

namespace headlight::reference {

enum class Activation { tanh, relu, sigmoid, identity };
Number activate(Activation activation, Number x);

/// q . k (Luong, Pham, Manning 2015, section 3.1, "dot"). On token vectors instead of projections this is the
/// parameter-free self similarity x_i . x_j.
Number dot_score(const Row& q, const Row& k);

/// q W k^T (Luong et al. 2015, section 3.1, "general"); W [d_q, d_k].
Number general_score(const Row& q, const Row& k, const Matrix& W);

/// v . act([q; k] W + b) (Luong et al. 2015, section 3.1, "concat"); W [d_q + d_k, d_a] with the rows of q
/// first, an empty b is none.
Number concat_score(const Row& q, const Row& k, const Matrix& W, const Row& b, const Row& v,
                    Activation activation);

/// v . act(q W_1 + k W_2 + b) (Bahdanau, Cho, Bengio 2015, A.1.2); W_1 [d_q, d_a], W_2 [d_k, d_a], an empty b
/// is none.
Number additive_score(const Row& q, const Row& k, const Matrix& W_1, const Matrix& W_2, const Row& b,
                      const Row& v, Activation activation);

}  // namespace headlight::reference
