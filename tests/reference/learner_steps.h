#pragma once

#include "tests/reference/attention.h"

// Learners that are trained on a text as it is read, whose answer to a key is not linear in what was written:
// with a layer norm behind it, or with a hidden layer (Sun et al. 2025, TTT-linear and TTT-MLP).
namespace headlight::reference {

struct Layer {
    Matrix W;  ///< (in, out)
    Row b;
};

struct LearnerSteps {
    std::vector<Layer> layers;  ///< what the learner begins with: one, or two with GELU between
    Row gamma, beta;            ///< of the norm behind; none: there is no norm
    Row sizes;                  ///< [n]: of each token's step
    std::size_t batch = 1;
    bool is_mean = false;
    Number scale = 1;  ///< of queries, as the learner is asked

    bool has_norm() const { return !gamma.empty(); }
};
/// Each token takes a step down the gradient of 1/2 |f(k) - v|^2, or with a norm of 1/2 |LN(f(k)) - (v -
/// k)|^2, at the weights with which its batch began. A query is answered by the weights that the newest token
/// has left which it sees, its own or one before; with a norm o = q + LN(f(q)). The weights are what it reads
/// of what each token has written to the last layer.
HeadResult learner_steps(const Head& head, const LearnerSteps& rule);

/// gamma LN(x) + beta, and minus the gradient of 1/2 |that - target|^2 by x.
Row normed_by_learner(const Row& x, const Row& gamma, const Row& beta);
Row step_through_norm(const Row& x, const Row& target, const Row& gamma, const Row& beta);

}  // namespace headlight::reference
