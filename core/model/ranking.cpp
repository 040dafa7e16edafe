#include "core/model/ranking.h"

#include "core/model/decoding.h"

#include <algorithm>
#include <numeric>

namespace headlight {
namespace {

float logit(std::span<const float> logits, Index token) { return logits[static_cast<std::size_t>(token)]; }

/// Ahead in the order of RankedTokens.
bool is_ahead(std::span<const float> logits, Index a, Index b) {
    return logit(logits, a) != logit(logits, b) ? logit(logits, a) > logit(logits, b) : a < b;
}

}  // namespace

RankedTokens::RankedTokens(std::span<const float> logits) : logits_(logits), order_(logits.size()) {
    std::iota(order_.begin(), order_.end(), Index(0));
}

Index RankedTokens::operator[](std::size_t rank) {
    constexpr std::size_t first_part = 16;
    while (rank >= sorted_) {
        const std::size_t next = std::min(order_.size(), std::max({first_part, 2 * sorted_, rank + 1}));
        const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
        const auto ahead = [&](Index a, Index b) { return is_ahead(logits_, a, b); };
        if (next < order_.size())
            std::nth_element(at(sorted_), at(next), order_.end(), ahead);
        std::sort(at(sorted_), at(next), ahead);
        sorted_ = next;
    }
    return order_[rank];
}

Ranking::Ranking(std::span<const float> logits) : powers_(kernels::sum_of_powers(logits)) {
    RankedTokens ranked(logits);
    for (std::size_t rank = 0; rank < std::min<std::size_t>(most, ranked.size()); ++rank)
        best_.push_back({ranked[rank], probability(logits, ranked[rank])});
}

double Ranking::probability(std::span<const float> logits, Index token) const {
    return powers_.share(logit(logits, token));
}

double Ranking::log_probability(std::span<const float> logits, Index token) const {
    return powers_.log_share(logit(logits, token));
}

Index rank_of(std::span<const float> logits, Index token) {
    Index rank = 1;
    for (Index other = 0; other < std::ssize(logits); ++other)
        rank += is_ahead(logits, other, token);
    return rank;
}

std::vector<Candidate> candidates(std::span<const float> logits, Index count) {
    const kernels::PowerSum powers = kernels::sum_of_powers(logits);
    RankedTokens ranked(logits);
    std::vector<Candidate> best;
    for (std::size_t rank = 0; rank < std::min(static_cast<std::size_t>(count), ranked.size()); ++rank) {
        const double probability = powers.share(logit(logits, ranked[rank]));
        if (probability == 0)
            break;  // what a pointer network cannot say
        best.push_back({ranked[rank], probability});
    }
    return best;
}

Index choose(std::span<const float> logits, const Sampling& sampling, double chance) {
    if (sampling.temperature <= 0)
        return likeliest(logits);
    const kernels::PowerSum powers = kernels::sum_of_powers(logits, sampling.temperature);
    RankedTokens ranked(logits);
    const auto probability = [&](std::size_t rank) { return powers.share(logit(logits, ranked[rank])); };
    std::size_t open = ranked.size();
    if (sampling.top_k > 0)
        open = std::min(open, static_cast<std::size_t>(sampling.top_k));
    double sum = 0;
    std::size_t count = 0;
    while (count < open && sum < sampling.top_p)
        sum += probability(count++);
    open = std::max<std::size_t>(count, 1);
    double left = chance * std::max(sum, probability(0));
    for (std::size_t rank = 0; rank < open; ++rank)
        if ((left -= probability(rank)) < 0)
            return ranked[rank];
    return ranked[open - 1];
}

}  // namespace headlight
