#include "core/model/decoding.h"

#include <algorithm>
#include <cassert>

namespace headlight {

Index likeliest(std::span<const float> logits) {
    return std::ranges::max_element(logits) - logits.begin();
}

std::vector<std::vector<Index>> decode_greedily(const Host& host, std::span<const float> weights,
                                                const Sequences& source, std::span<const std::vector<Index>> given,
                                                Index end, Index longest) {
    const std::size_t batch = given.size();
    const auto decoding = host.read(weights, source, nullptr);
    DecodingState state = decoding->start();
    FloatTensor logits;
    for (std::size_t t = 0; t < given.front().size(); ++t) {
        std::vector<Index> tokens;
        for (const std::vector<Index>& each : given) {
            assert(each.size() == given.front().size());
            tokens.push_back(each[t]);
        }
        logits = decoding->next(state, tokens, nullptr);
    }
    std::vector<std::vector<Index>> said(batch);
    std::vector<bool> is_over(batch);
    for (Index t = 0; t < longest; ++t) {
        std::vector<Index> tokens;
        for (std::size_t i = 0; i < batch; ++i) {
            tokens.push_back(likeliest(logits.row(static_cast<Index>(i))));
            is_over[i] = is_over[i] || tokens[i] == end;
            if (!is_over[i])
                said[i].push_back(tokens[i]);
        }
        if (std::ranges::all_of(is_over, [](bool each) { return each; }) || t + 1 == longest)
            break;
        logits = decoding->next(state, tokens, nullptr);
    }
    return said;
}

}  // namespace headlight
