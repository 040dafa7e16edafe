#include "core/tensor/random.h"
#include "core/attention/component.h"
#include "core/tensor/interruption.h"

#include <algorithm>

namespace headlight {
namespace {

/// Every pair's random number; a query sees the keys that have the smallest ones of its row.
struct Draw {
    std::uint64_t seed;
    std::uint64_t operator()(Index query, Index key) const {
        return substream(substream(seed, static_cast<std::uint64_t>(query)), static_cast<std::uint64_t>(key));
    }
};

}  // namespace

MaskComponent declare_masks_random() {
    MaskComponent component;
    component.meaning =
        "For each query as many keys as are set, drawn once, by a seed of their own, whatever the tokens "
        "(the random part of BigBird, Zaheer et al. 2020, with blocks of one token)";
    component.options = {
        count_option(
            "keys", "Random keys", 2, {0, 65536},
            "How many keys are drawn for each query, none of them twice; all, when there are no more."),
        count_option("seed", "Seed", 0, {0, 65535}, "Another number draws other keys.")};
    component.allows = [](const Options& options, Index queries, Index keys) -> MaskPredicate {
        const Draw draw{static_cast<std::uint64_t>(options.count("seed"))};
        const Index drawn = std::min(options.count("keys"), keys);
        std::vector<std::uint64_t> largest, numbers(static_cast<std::size_t>(keys));
        for (Index query = 0; query < queries && drawn > 0; ++query) {
            Interruption::check();
            for (Index key = 0; key < keys; ++key)
                numbers[static_cast<std::size_t>(key)] = draw(query, key);
            std::ranges::nth_element(numbers, numbers.begin() + (drawn - 1));
            largest.push_back(numbers[static_cast<std::size_t>(drawn - 1)]);
        }
        return [draw, largest = std::move(largest)](Index query, Index key) {
            return !largest.empty() && draw(query, key) <= largest[static_cast<std::size_t>(query)];
        };
    };
    return component;
}

}  // namespace headlight
