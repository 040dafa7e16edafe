#include "core/model/intervention.h"

#include <algorithm>
#include <limits>

namespace headlight {

namespace {

bool is_allowed(float masked_score) { return masked_score != -std::numeric_limits<float>::infinity(); }

/// Gives one key the weight; the others keep their proportions, or, where they had nothing, those that the
/// mask allows share alike. The row sums to what it did, or to the weight where that is more. What the others
/// have is summed, not left of the row's sum without the key: of a key with nearly all of the weight rounding
/// would leave nothing.
void set_weight(std::span<float> row, std::span<const float> masked, Index key, float weight) {
    const auto place = static_cast<std::size_t>(key);
    double others = 0;
    Index open = 0;
    for (std::size_t j = 0; j < row.size(); ++j)
        if (j != place) {
            others += static_cast<double>(row[j]);
            open += is_allowed(masked[j]);
        }
    const double left = std::max(others + static_cast<double>(row[place]) - static_cast<double>(weight), 0.0);
    for (std::size_t j = 0; j < row.size(); ++j)
        if (j != place)
            row[j] = others > 0              ? static_cast<float>(static_cast<double>(row[j]) * left / others)
                     : is_allowed(masked[j]) ? static_cast<float>(left / static_cast<double>(open))
                                             : 0;
    row[place] = weight;
}

}  // namespace

/// Calls change(row, number of the row in the map, sequence, query) for each row that the intervention is
/// about.
template <class Change>
void Intervening::for_each_row(const SiteCall& call, const Intervention& intervention,
                               nn::Variable<float> map, const Change& change) const {
    const nn::Pairing& pairing = call.pairing;
    if (intervention.site != call.site)
        return;
    for (Index sequence = 0; sequence < pairing.batch; ++sequence)
        for (Index head = 0; head < pairing.heads; ++head)
            for (Index query = 0; query < pairing.queries; ++query) {
                if (intervention.head.value_or(head) != head ||
                    intervention.step.value_or(call.first_query + query) != call.first_query + query)
                    continue;
                const Index row = pairing.map_row(sequence, head, query);
                change(std::span(map.row(row), static_cast<std::size_t>(map.columns)), row, sequence, query);
            }
}

void Intervening::scores(const SiteCall& call, nn::Variable<float> query, nn::Variable<float> scores) {
    for (const Intervention& each : interventions_)
        if (each.kind == Intervention::Kind::forbid_key && each.key < scores.columns)
            for_each_row(call, each, scores, [&](std::span<float> row, Index, Index, Index) {
                row[static_cast<std::size_t>(each.key)] = -std::numeric_limits<float>::infinity();
            });
    masked_ = scores;
    if (next_)
        next_->scores(call, query, scores);
}

void Intervening::weights(const SiteCall& call, nn::Variable<float> weights) {
    using Kind = Intervention::Kind;
    for (const Intervention& each : interventions_)
        for_each_row(call, each, weights,
                     [&](std::span<float> row, Index number, Index sequence, Index query) {
                         const std::span<const float> masked(masked_.row(number), row.size());
                         // Where the mask forbids a pair there is no weight to set.
                         const bool has_key = each.key >= 0 && each.key < weights.columns &&
                                              is_allowed(masked[static_cast<std::size_t>(each.key)]);
                         if (each.kind == Kind::set_weight && has_key)
                             set_weight(row, masked, each.key, static_cast<float>(each.weight));
                         else if (each.kind == Kind::zero_column && has_key && each.renormalizes)
                             set_weight(row, masked, each.key, 0);
                         else if (each.kind == Kind::zero_column && has_key)
                             row[static_cast<std::size_t>(each.key)] = 0;
                         else if (each.kind == Kind::uniform_row) {
                             const auto count = std::ranges::count_if(masked, is_allowed);
                             for (std::size_t k = 0; k < row.size(); ++k)
                                 row[k] = is_allowed(masked[k]) ? 1 / static_cast<float>(count) : 0;
                         } else if (each.kind == Kind::copy_head && each.from_head < call.pairing.heads)
                             std::copy_n(weights.row(call.pairing.map_row(sequence, each.from_head, query)),
                                         weights.columns, row.data());
                         else if (each.kind == Kind::mute_head)
                             std::ranges::fill(row, 0.0f);
                     });
    if (next_)
        next_->weights(call, weights);
}

void Intervening::context(const SiteCall& call, nn::Variable<float> context) {
    if (next_)
        next_->context(call, context);
}

void Intervening::attended(const SiteCall& call, nn::Variable<float> query, nn::Variable<float> weights) {
    if (next_)
        next_->attended(call, query, weights);
}

void Intervening::mixture(const nn::CopyMixture<float>& mixture) {
    if (next_)
        next_->mixture(mixture);
}

}  // namespace headlight
