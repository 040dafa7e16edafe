#include "tests/reference/image_gates.h"

#include "tests/reference/linear_mixers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::reference {

Number mean(const Row& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), Number(0)) / static_cast<Number>(numbers.size());
}

namespace {

Row column(const Matrix& matrix, std::size_t c) {
    Row numbers;
    for (std::size_t r = 0; r < matrix.rows; ++r)
        numbers.push_back(matrix(r, c));
    return numbers;
}

Number maximum(const Row& numbers) { return *std::max_element(numbers.begin(), numbers.end()); }

Row gates_of_channels(const Matrix& image, const ChannelGate& gate) {
    Row means, maxima, gates;
    for (std::size_t c = 0; c < image.cols; ++c) {
        means.push_back(mean(column(image, c)));
        maxima.push_back(maximum(column(image, c)));
    }
    for (std::size_t c = 0; c < image.cols; ++c) {
        Number sum = 0;
        for (std::size_t unit = 0; unit < gate.squeeze.cols; ++unit) {
            Number of_means = 0, of_maxima = 0;
            for (std::size_t from = 0; from < image.cols; ++from) {
                of_means += means[from] * gate.squeeze(from, unit);
                of_maxima += maxima[from] * gate.squeeze(from, unit);
            }
            if (gate.of_means && of_means > 0)
                sum += of_means * gate.excite(unit, c);
            if (gate.of_maxima && of_maxima > 0)
                sum += of_maxima * gate.excite(unit, c);
        }
        gates.push_back(sigmoid(sum));
    }
    return gates;
}

/// A plane with a border of zeros as wide as the kernel reaches, also where the last row has no more places.
Matrix padded(const Row& places, const SpatialGate& gate) {
    const std::size_t border = gate.side / 2;
    const std::size_t rows = (places.size() + gate.columns - 1) / gate.columns;
    const std::size_t columns = std::min(gate.columns, places.size());
    Matrix plane(rows + 2 * border, columns + 2 * border);
    for (std::size_t place = 0; place < places.size(); ++place)
        plane(place / gate.columns + border, place % gate.columns + border) = places[place];
    return plane;
}

Row gates_of_places(const Matrix& image, const SpatialGate& gate) {
    Row means, maxima;
    for (std::size_t place = 0; place < image.rows; ++place) {
        means.push_back(mean(image.row(place)));
        maxima.push_back(maximum(image.row(place)));
    }
    const Matrix planes[] = {padded(means, gate), padded(maxima, gate)};
    Row gates;
    for (std::size_t place = 0; place < image.rows; ++place) {
        Number sum = 0;
        auto weight = gate.kernel.begin();
        for (const Matrix& plane : planes)
            for (std::size_t down = 0; down < gate.side; ++down)
                for (std::size_t right = 0; right < gate.side; ++right)
                    sum += *weight++ * plane(place / gate.columns + down, place % gate.columns + right);
        gates.push_back(sigmoid(sum));
    }
    return gates;
}

}  // namespace

HeadResult multiplied(const Matrix& image, const Matrix& factors) {
    HeadResult result{Matrix(image.rows, image.rows), Matrix(image.rows, image.cols)};
    for (std::size_t i = 0; i < image.rows; ++i) {
        result.weights(i, i) = mean(factors.row(i));
        for (std::size_t c = 0; c < image.cols; ++c)
            result.context(i, c) = factors(i, c) * image(i, c);
    }
    return result;
}

HeadResult channel_convolution(const Head& head, const Row& kernel) {
    const std::size_t channels = head.q.cols, border = kernel.size() / 2;
    Row means(channels + 2 * border, Number(0));
    for (std::size_t c = 0; c < channels; ++c)
        means[c + border] = mean(column(head.q, c));
    Matrix gates(head.q.rows, channels);
    for (std::size_t i = 0; i < gates.rows; ++i)
        for (std::size_t c = 0; c < channels; ++c)
            gates(i, c) = sigmoid(std::inner_product(
                kernel.begin(), kernel.end(), means.begin() + static_cast<std::ptrdiff_t>(c), Number(0)));
    return multiplied(head.q, gates);
}

HeadResult energy_gates(const Head& head, Number lambda) {
    Matrix gates(head.q.rows, head.q.cols);
    for (std::size_t c = 0; c < gates.cols; ++c) {
        const Row channel = column(head.q, c);
        Number squares = 0;
        for (const Number number : channel)
            squares += std::pow(number - mean(channel), 2);
        const Number variance = channel.size() > 1 ? squares / static_cast<Number>(channel.size() - 1) : 0;
        for (std::size_t i = 0; i < gates.rows; ++i)
            gates(i, c) = sigmoid(std::pow(channel[i] - mean(channel), 2) / (4 * (variance + lambda)) + 0.5);
    }
    return multiplied(head.q, gates);
}

HeadResult gated_image(const Head& head, const std::optional<ChannelGate>& of_channels,
                       const std::optional<SpatialGate>& of_places) {
    const std::size_t places = head.q.rows, channels = head.q.cols;
    HeadResult result{Matrix(places, places), head.q};
    const Row across = of_channels ? gates_of_channels(head.q, *of_channels) : Row(channels, Number(1));
    for (std::size_t i = 0; i < places; ++i)
        for (std::size_t c = 0; c < channels; ++c)
            result.context(i, c) *= across[c];
    const Row along = of_places ? gates_of_places(result.context, *of_places) : Row(places, Number(1));
    for (std::size_t i = 0; i < places; ++i) {
        for (std::size_t c = 0; c < channels; ++c) {
            result.context(i, c) *= along[i];
            result.weights(i, i) += across[c] * along[i] / static_cast<Number>(channels);
        }
    }
    return result;
}

Matrix non_local_update(const Matrix& x, const Matrix& y, Number gamma, bool adds_input) {
    Matrix z(y.rows, y.cols);
    for (std::size_t i = 0; i < y.rows; ++i)
        for (std::size_t c = 0; c < y.cols; ++c)
            z(i, c) = gamma * y(i, c) + (adds_input ? x(i, c) : 0);
    return z;
}

}  // namespace headlight::reference
