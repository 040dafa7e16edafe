#include "core/attention/component.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace headlight {
namespace {

/// When each token has its turn, from 0: those of a list first, the rest from left to right; without a list
/// in an order that is drawn.
std::vector<Index> turns_of_tokens(const Options& options, Index tokens) {
    const auto& listed = options.list("order");
    std::vector<Index> turns(static_cast<std::size_t>(tokens), -1), rest;
    Index next = 0;
    for (std::size_t place = 0; place < listed.size(); ++place) {
        if (std::find(listed.begin(), listed.begin() + static_cast<std::ptrdiff_t>(place), listed[place]) !=
            listed.begin() + static_cast<std::ptrdiff_t>(place))
            throw Error({"permutation mask", "mask.order", "each token once", std::to_string(listed[place])});
        if (listed[place] < tokens)
            turns[static_cast<std::size_t>(listed[place])] = next++;
    }
    for (Index token = 0; token < tokens; ++token)
        if (turns[static_cast<std::size_t>(token)] < 0)
            rest.push_back(token);
    if (listed.empty()) {
        const auto seed = static_cast<std::uint64_t>(options.count("seed"));
        const auto draw = [=](Index token) {
            return std::pair(substream(seed, static_cast<std::uint64_t>(token)), token);
        };
        std::ranges::sort(rest, {}, draw);
    }
    for (const Index token : rest)
        turns[static_cast<std::size_t>(token)] = next++;
    return turns;
}

}  // namespace

MaskComponent declare_masks_permutation() {
    MaskComponent component;
    component.meaning =
        "z_j ≤ z_i: causal in another order z of the tokens than that of the text, which a seed draws or a "
        "list gives; the t-th token of the order sees t keys, or t − 1 where it may not see itself (XLNet, "
        "Yang et al. 2019)";
    component.options = {
        word_option("stream", "Stream", {"content", "query"},
                    "Whether a token sees itself, as in the content stream, or only those that had their "
                    "turn before it, as in the query stream, which has to guess it."),
        list_option("order", "Order", {}, {0, 65535},
                    "The tokens, counted from 0, in the order of their turns; the others follow from left to "
                    "right. Empty: an order that is drawn."),
        count_option("seed", "Seed", 0, {0, 65535},
                     "Another number draws another order, where none is given.")};
    component.allows = [](const Options& options, Index queries, Index keys) -> MaskPredicate {
        return [turns = turns_of_tokens(options, std::max(queries, keys)),
                sees_itself = options.word("stream") == "content"](Index query, Index key) {
            const Index own = turns[static_cast<std::size_t>(query)],
                        other = turns[static_cast<std::size_t>(key)];
            return sees_itself ? other <= own : other < own;
        };
    };
    return component;
}

}  // namespace headlight
