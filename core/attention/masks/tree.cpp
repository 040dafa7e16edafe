#include "core/attention/component.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {

MaskComponent declare_masks_tree() {
    MaskComponent component;
    component.meaning = "j is i or an ancestor of i: branches of a tree of continuations side by side, each "
                        "blind to the others; depth + 1 keys (speculative decoding, Miao et al. 2024)";
    component.options = {
        list_option("parents", "Parents", {-1, 0, 1, 1, 2, 3}, {-1, 65535},
                    "For each token the number, counted from 0, of the token that it continues; −1: it "
                    "starts a tree. Tokens past the list continue the one before them.")};
    component.allows = [](const Options& options, Index, Index) -> MaskPredicate {
        const auto& parents = options.list("parents");
        for (Index token = 0; token < std::ssize(parents); ++token)
            if (parents[static_cast<std::size_t>(token)] >= token)
                throw Error({"tree mask", "mask.parents, token " + std::to_string(token),
                             "−1 or the number of a token before it",
                             std::to_string(parents[static_cast<std::size_t>(token)])});
        return [parents](Index query, Index key) {
            const Index listed = std::ssize(parents);
            if (query >= listed && key >= listed - 1)
                return key <= query;
            Index token = std::min(query, listed - 1);
            while (token > key)
                token = parents[static_cast<std::size_t>(token)];
            return token == key;
        };
    };
    return component;
}

}  // namespace headlight
