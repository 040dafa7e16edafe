#pragma once

#include "core/model/decoding.h"
#include "core/model/host.h"
#include "core/model/trained_model.h"

#include <algorithm>
#include <vector>

namespace headlight::test {

/// What a model says with the likeliest token at each step, each read alone: for each sequence its tokens up
/// to the end, without it. `given`, of at least one token each, is what it starts from; those of a batch must
/// be equally long.
inline std::vector<std::vector<Index>> decode_greedily(const Host& host, std::span<const float> weights,
                                                       const Sequences& source,
                                                       std::span<const std::vector<Index>> given, Index end,
                                                       Index longest) {
    const std::size_t batch = given.size();
    const auto decoding = host.read(weights, source, nullptr);
    DecodingState state = decoding->start();
    FloatTensor logits;
    for (std::size_t t = 0; t < given.front().size(); ++t) {
        std::vector<Index> tokens;
        for (const std::vector<Index>& each : given)
            tokens.push_back(each.at(t));
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

/// What a model says of an example's source, or behind the tokens of a text that it is given.
struct GreedyAnswer {
    Tokens words;
    bool is_over = false;  ///< it came to its end
    bool operator==(const GreedyAnswer&) const = default;
};

inline GreedyAnswer say_greedily(const TrainedModel& trained, const Example& asked) {
    const TaskModel& model = *trained.model;
    const Batch batch = model.batch(std::span(&asked, 1));
    const bool says_label = model.host->is_classifier();
    const auto is_given = [&](Index step) {
        return batch.labels.at(step - 1)[0] == Sequences::none || step <= asked.given;
    };
    std::vector<Index> given{Vocabulary::begin};
    for (Index step = 1; !says_label && step < batch.inputs.steps && is_given(step); ++step)
        given.push_back(batch.inputs.at(step)[0]);
    const Index longest = says_label ? 1 : std::ssize(asked.target) + 8;
    const auto tokens = decode_greedily(*model.host, trained.weights, batch.source,
                                        std::vector<std::vector<Index>>{given}, Vocabulary::end, longest)
                            .front();
    return {model.target.words(tokens), says_label || std::ssize(tokens) < longest};
}

}  // namespace headlight::test
