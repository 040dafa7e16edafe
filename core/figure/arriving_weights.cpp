#include "core/figure/arriving_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight {
namespace {

constexpr double least_share = 0.02;  // of the thickest arrow: thinner ones say nothing

}  // namespace

double ArrivingWeights::most() const {
    double most = 0;
    for (const double weight : weights)
        if (std::isfinite(weight))
            most = std::max(most, std::abs(weight));
    return most;
}

double ArrivingWeights::share(std::size_t key) const {
    const double largest = most(), weight = key < weights.size() ? std::abs(weights[key]) : 0;
    const double share = largest > 0 && std::isfinite(weight) ? weight / largest : 0;
    return share >= least_share ? share : 0;
}

Index ArrivingWeights::too_small() const {
    const double largest = most();
    return std::ranges::count_if(weights, [largest](double weight) {
        return weight != 0 && std::abs(weight) < least_share * largest;
    });
}

std::vector<std::size_t> ArrivingWeights::largest(std::size_t count) const {
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::erase_if(order,
                  [this](std::size_t key) { return !std::isfinite(weights[key]) || weights[key] == 0; });
    std::ranges::stable_sort(order, std::greater<>(),
                             [this](std::size_t key) { return std::abs(weights[key]); });
    order.resize(std::min(order.size(), count));
    return order;
}

ArrivingWeights arriving_weights(const PanelMaker& maker) {
    ArrivingWeights arriving;
    const Stage* stage = maker.trace().find("weights", maker.chain().site());
    if (!stage || stage->size() == 0 || !maker.is_query_by_key("weights"))
        return arriving;
    arriving.query = std::min(maker.query(), stage->extent(Axis::query) - 1);
    arriving.head = maker.head_in("weights");
    arriving.heads = maker.heads_of("weights");
    const DisplayedWeights::Rows row = maker.rows("weights", arriving.head, arriving.query, 1);
    arriving.weights.assign(row.weights.begin(), row.weights.end());
    if (maker.hides_keys("weights"))
        arriving.hidden_mass = row.hidden_mass;
    return arriving;
}

}  // namespace headlight
