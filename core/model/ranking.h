#pragma once

#include "core/kernels/power_sum.h"
#include "core/model/word_choice.h"

#include <cstddef>
#include <span>
#include <vector>

namespace headlight {

/// A token that may come next.
struct Candidate {
    Index token = 0;
    double probability = 0;
    bool operator==(const Candidate&) const = default;
};

/// The tokens of a vocabulary by falling logit, of equal ones the lower number first; sorted only as far as
/// they are asked for.
class RankedTokens {
public:
    /// `logits` must outlive it.
    explicit RankedTokens(std::span<const float> logits);

    std::size_t size() const { return order_.size(); }
    /// The token at a rank from 0.
    Index operator[](std::size_t rank);
    /// Ranks whose tokens are known by now.
    std::size_t sorted() const { return sorted_; }

private:
    std::span<const float> logits_;
    std::vector<Index> order_;
    std::size_t sorted_ = 0;
};

/// What a step's logits say, worked out once for all who ask: the likeliest tokens, and what turns a logit
/// into a probability.
class Ranking {
public:
    static constexpr Index most = 8;

    Ranking() = default;
    explicit Ranking(std::span<const float> logits);

    /// The likeliest first, at most `most`.
    const std::vector<Candidate>& best() const { return best_; }
    /// Returns the probability of a token under these logits, which must be those that the ranking was made
    /// from.
    double probability(std::span<const float> logits, Index token) const;
    /// Returns its logarithm, which is finite where the probability is too small for a number.
    double log_probability(std::span<const float> logits, Index token) const;

private:
    std::vector<Candidate> best_;
    kernels::PowerSum powers_;
};

/// 1 for the likeliest token, as RankedTokens has them.
Index rank_of(std::span<const float> logits, Index token);

/// The `count` most probable tokens, or all there are, the likeliest first; of equal ones that of the lower
/// number.
std::vector<Candidate> candidates(std::span<const float> logits, Index count);

/// The token at `chance` in [0, 1) of the distribution.
Index choose(std::span<const float> logits, const Sampling& sampling, double chance);

}  // namespace headlight
