#include "tests/reference/window_mixers.h"

#include "tests/reference/image_gates.h"
#include "tests/reference/linear_mixers.h"
#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace headlight::reference {
namespace {

using Signed = std::ptrdiff_t;

/// vector W, and relu of it.
Row layer(const Row& vector, const Matrix& W, bool is_activated) {
    Row result(W.cols, Number(0));
    for (std::size_t to = 0; to < W.cols; ++to) {
        for (std::size_t from = 0; from < W.rows; ++from)
            result[to] += vector[from] * W(from, to);
        if (is_activated)
            result[to] = std::max(result[to], Number(0));
    }
    return result;
}

/// The places that a window of side x side meets around one, tap by tap; none outside the image.
std::vector<std::optional<std::size_t>> window_around(std::size_t place, std::size_t places,
                                                      std::size_t columns, std::size_t side) {
    std::vector<std::optional<std::size_t>> met;
    const auto border = static_cast<Signed>(side / 2), width = static_cast<Signed>(columns);
    const Signed row = static_cast<Signed>(place / columns), column = static_cast<Signed>(place % columns);
    for (Signed down = -border; down <= border; ++down)
        for (Signed right = -border; right <= border; ++right) {
            const Signed at = (row + down) * width + column + right;
            const bool is_there = row + down >= 0 && column + right >= 0 && column + right < width &&
                                  at < static_cast<Signed>(places);
            met.push_back(is_there ? std::optional(static_cast<std::size_t>(at)) : std::nullopt);
        }
    return met;
}

Row channel_of(const Matrix& image, std::size_t channel) {
    Row numbers;
    for (std::size_t place = 0; place < image.rows; ++place)
        numbers.push_back(image(place, channel));
    return numbers;
}

}  // namespace

HeadResult contextual(const Head& head, const Contextual& given) {
    const std::size_t places = head.q.rows, channels = head.v.cols;
    HeadResult result{Matrix(places, places), Matrix(places, channels)};
    Matrix of_keys(places, channels), of_values(places, channels);
    for (std::size_t place = 0; place < places; ++place) {
        const auto met = window_around(place, places, given.columns, given.side);
        for (std::size_t tap = 0; tap < met.size(); ++tap)
            for (std::size_t from = 0; from < head.k.cols && met[tap]; ++from)
                for (std::size_t to = 0; to < channels; ++to)
                    of_keys(place, to) +=
                        head.k(*met[tap], from) * given.context(tap * head.k.cols + from, to);
        Row both = of_keys.row(place);
        for (const Number number : head.q.row(place))
            both.push_back(number);
        Row numbers = layer(layer(both, given.hidden, true), given.neighbours, false);
        if (given.is_softmax)
            numbers = softmax_of_all(numbers);
        for (std::size_t tap = 0; tap < met.size(); ++tap) {
            if (!met[tap])
                continue;
            result.weights(place, *met[tap]) = numbers[tap];
            for (std::size_t c = 0; c < channels; ++c)
                of_values(place, c) += numbers[tap] * head.v(*met[tap], c);
        }
    }
    Row share_of_keys(channels, Number(1)), share_of_values(channels, Number(1));
    if (given.fused.rows > 0) {
        Row means;
        for (std::size_t c = 0; c < channels; ++c)
            means.push_back(mean(channel_of(of_keys, c)) + mean(channel_of(of_values, c)));
        const Row scores = layer(layer(means, given.fused_hidden, true), given.fused, false);
        for (std::size_t c = 0; c < channels; ++c) {
            const Row shares = softmax_of_all({scores[c], scores[channels + c]});
            share_of_keys[c] = shares[0];
            share_of_values[c] = shares[1];
        }
    }
    for (std::size_t place = 0; place < places; ++place)
        for (std::size_t c = 0; c < channels; ++c)
            result.context(place, c) =
                share_of_keys[c] * of_keys(place, c) + share_of_values[c] * of_values(place, c);
    return result;
}

HeadResult shuffle_gates(const Head& head, const ShuffleGates& given) {
    const std::size_t places = head.q.rows, channels = head.q.cols;
    const std::size_t groups =
        std::max<std::size_t>(1, std::min(given.groups, std::max<std::size_t>(1, channels / 2)));
    Matrix gates(places, channels), gated(places, channels);
    for (std::size_t group = 0; group < groups; ++group) {
        const std::size_t begin = group * channels / groups, end = (group + 1) * channels / groups;
        const std::size_t middle = begin + (end - begin + 1) / 2;
        for (std::size_t c = begin; c < end; ++c) {
            const Row numbers = channel_of(head.q, c);
            Number squares = 0;
            for (const Number number : numbers)
                squares += (number - mean(numbers)) * (number - mean(numbers));
            const Number deviation =
                std::sqrt(squares / static_cast<Number>(places) + static_cast<Number>(1e-5));
            for (std::size_t place = 0; place < places; ++place)
                gates(place, c) = c < middle ? sigmoid(given.channel_gain[c - begin] * mean(numbers) +
                                                       given.channel_shift[c - begin])
                                             : sigmoid(given.place_gain[c - middle] *
                                                           (numbers[place] - mean(numbers)) / deviation +
                                                       given.place_shift[c - middle]);
        }
    }
    HeadResult result{Matrix(places, places), Matrix(places, channels)};
    for (std::size_t place = 0; place < places; ++place) {
        result.weights(place, place) = mean(gates.row(place));
        for (std::size_t c = 0; c < channels; ++c)
            gated(place, c) = gates(place, c) * head.q(place, c);
        if (!given.is_shuffled) {
            for (std::size_t c = 0; c < channels; ++c)
                result.context(place, c) = gated(place, c);
            continue;
        }
        // Two piles, dealt out in turn.
        std::size_t first = 0, second = (channels + 1) / 2;
        for (std::size_t c = 0; c < channels; ++c)
            result.context(place, c) = gated(place, c % 2 == 0 ? first++ : second++);
    }
    return result;
}

HeadResult attention_gate(const Head& head, const AttentionGate& given) {
    const std::size_t places = head.q.rows, channels = head.q.cols;
    const auto patch_row = [&](std::size_t place) { return place / given.columns / given.ratio; };
    const auto patch_column = [&](std::size_t place) { return place % given.columns / given.ratio; };
    const std::size_t patches = (std::min(given.columns, places) + given.ratio - 1) / given.ratio;
    HeadResult result{Matrix(places, given.has_given_signal ? head.y.rows : places),
                      Matrix(places, channels)};
    for (std::size_t i = 0; i < places; ++i) {
        Row signal(channels, Number(0));
        Number size = 0;
        const std::size_t looked_at = given.has_given_signal ? patch_row(i) * patches + patch_column(i) : i;
        for (std::size_t j = 0; j < places; ++j)
            if (patch_row(j) == patch_row(i) && patch_column(j) == patch_column(i)) {
                size += 1;
                for (std::size_t c = 0; c < channels; ++c)
                    signal[c] += head.q(j, c);
            }
        for (Number& number : signal)
            number /= size;
        if (given.has_given_signal)
            signal = head.y.row(looked_at);
        const Row of_place = layer(head.q.row(i), given.gated, false),
                  of_signal = layer(signal, given.signal, false);
        Number score = given.openness;
        for (std::size_t unit = 0; unit < given.psi.size(); ++unit)
            score +=
                given.psi[unit] * std::max(of_place[unit] + of_signal[unit] + given.shift[unit], Number(0));
        result.weights(i, looked_at) = sigmoid(score);
        for (std::size_t c = 0; c < channels; ++c)
            result.context(i, c) = sigmoid(score) * head.q(i, c);
    }
    return result;
}

}  // namespace headlight::reference
