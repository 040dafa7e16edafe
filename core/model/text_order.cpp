#include "core/model/text_order.h"

#include "core/tensor/random.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace headlight {

namespace {

std::size_t row_of(const Batch& batch, Index step, Index sequence) {
    return static_cast<std::size_t>(step * batch.inputs.batch + sequence);
}

/// What is to be learned of the place, which is not that where the text begins.
Index label_at(const Batch& batch, Index sequence, Index place) {
    return batch.labels.tokens[row_of(batch, place - 1, sequence)];
}

/// The word that stands there: the last place is that of what ends the text, which nobody reads in its
/// natural order.
Index word_at(const Batch& batch, Index sequence, Index place) {
    const bool is_end = place == batch.inputs.lengths[static_cast<std::size_t>(sequence)];
    return is_end ? label_at(batch, sequence, place) : batch.inputs.tokens[row_of(batch, place, sequence)];
}

}  // namespace

std::vector<TextOrder> drawn_orders(const Batch& batch, std::uint64_t stream) {
    std::vector<TextOrder> orders;
    for (Index i = 0; i < batch.inputs.batch; ++i) {
        const Index last = batch.inputs.lengths[static_cast<std::size_t>(i)];
        TextOrder order(static_cast<std::size_t>(last) + 1);
        std::iota(order.begin(), order.end(), Index(0));
        Index given = 0;
        while (given < last && label_at(batch, i, given + 1) == Sequences::none)
            ++given;
        const std::uint64_t own = substream(stream, static_cast<std::uint64_t>(i));
        std::ranges::sort(order.begin() + given + 1, order.end(), {}, [own](Index place) {
            return std::pair(substream(own, static_cast<std::uint64_t>(place)), place);
        });
        orders.push_back(std::move(order));
    }
    return orders;
}

OrderedTexts in_orders(const Batch& batch, std::span<const TextOrder> orders) {
    assert(std::ssize(orders) == batch.inputs.batch);
    OrderedTexts texts{batch.inputs, batch.labels,
                       places_from(0, batch.inputs.steps + 1, batch.inputs.batch)};
    for (Index i = 0; i < batch.inputs.batch; ++i) {
        const TextOrder& order = orders[static_cast<std::size_t>(i)];
        const Index turns = batch.inputs.lengths[static_cast<std::size_t>(i)];
        assert(std::ssize(order) == turns + 1 && order.front() == 0);
        for (Index turn = 0; turn <= turns; ++turn)
            texts.places[row_of(batch, turn, i)] = order[static_cast<std::size_t>(turn)];
        for (Index turn = 0; turn < turns; ++turn) {
            const std::size_t row = row_of(batch, turn, i);
            texts.inputs.tokens[row] = word_at(batch, i, order[static_cast<std::size_t>(turn)]);
            texts.labels.tokens[row] = label_at(batch, i, order[static_cast<std::size_t>(turn) + 1]);
        }
    }
    return texts;
}

}  // namespace headlight
