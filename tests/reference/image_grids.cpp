#include "tests/reference/image_grids.h"

#include "tests/reference/image_gates.h"
#include "tests/reference/linear_mixers.h"
#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

using Signed = std::ptrdiff_t;

/// Tokens [place, channel] by row and column, with 0 where there is no place.
struct Image {
    const Matrix& tokens;
    std::size_t columns;

    std::size_t row(std::size_t place) const { return place / columns; }
    std::size_t column(std::size_t place) const { return place % columns; }
    std::size_t rows() const { return (tokens.rows + columns - 1) / columns; }
    std::size_t used_columns() const { return std::min(columns, tokens.rows); }
    bool has(Signed r, Signed c) const {
        return r >= 0 && c >= 0 && c < static_cast<Signed>(columns) &&
               r * static_cast<Signed>(columns) + c < static_cast<Signed>(tokens.rows);
    }
    std::size_t place(Signed r, Signed c) const {
        return static_cast<std::size_t>(r) * columns + static_cast<std::size_t>(c);
    }
    Number at(Signed r, Signed c, std::size_t channel) const {
        return has(r, c) ? tokens(place(r, c), channel) : 0;
    }
};

Row times(const Row& vector, const Matrix& matrix) {
    Row result(matrix.cols, Number(0));
    for (std::size_t from = 0; from < matrix.rows; ++from)
        for (std::size_t to = 0; to < matrix.cols; ++to)
            result[to] += vector[from] * matrix(from, to);
    return result;
}

Row layer_normalized(const Row& numbers) {
    Number squares = 0;
    for (const Number number : numbers)
        squares += (number - mean(numbers)) * (number - mean(numbers));
    Row result;
    for (const Number number : numbers)
        result.push_back((number - mean(numbers)) /
                         std::sqrt(squares / static_cast<Number>(numbers.size()) + Number(1e-5)));
    return result;
}

void through_relu(Row& numbers) {
    for (Number& number : numbers)
        number = std::max(number, Number(0));
}

/// Each channel by its column of a kernel [side², C], whose taps lie so many steps apart.
Matrix each_channel_convolved(const Matrix& features, std::size_t columns, const Matrix& kernel,
                              std::size_t dilation) {
    const Image image{features, columns};
    Signed side = 1;
    while (side * side < static_cast<Signed>(kernel.rows))
        ++side;
    const auto step = static_cast<Signed>(dilation), reach = side / 2;
    Matrix result(features.rows, features.cols);
    for (std::size_t i = 0; i < result.rows; ++i)
        for (std::size_t c = 0; c < result.cols; ++c) {
            std::size_t tap = 0;
            for (Signed down = -reach; down <= reach; ++down)
                for (Signed right = -reach; right <= reach; ++right)
                    result(i, c) +=
                        kernel(tap++, c) * image.at(static_cast<Signed>(image.row(i)) + down * step,
                                                    static_cast<Signed>(image.column(i)) + right * step, c);
        }
    return result;
}

Row channel_means(const Matrix& image) {
    Row means;
    for (std::size_t c = 0; c < image.cols; ++c) {
        Row channel;
        for (std::size_t i = 0; i < image.rows; ++i)
            channel.push_back(image(i, c));
        means.push_back(mean(channel));
    }
    return means;
}

Number hard_swish(Number x) { return x * std::min(std::max(x + 3, Number(0)), Number(6)) / 6; }

/// sigmoid of a convolution over two planes, zero around them.
Matrix plane_gates(const Matrix& means, const Matrix& maxima, const Row& kernel, std::size_t side) {
    Matrix gates(means.rows, means.cols);
    const auto border = static_cast<Signed>(side / 2);
    const auto number = [&](const Matrix& plane, Signed r, Signed c) {
        const bool is_inside =
            r >= 0 && c >= 0 && r < static_cast<Signed>(plane.rows) && c < static_cast<Signed>(plane.cols);
        return is_inside ? plane(static_cast<std::size_t>(r), static_cast<std::size_t>(c)) : Number(0);
    };
    for (std::size_t r = 0; r < gates.rows; ++r)
        for (std::size_t c = 0; c < gates.cols; ++c) {
            Number sum = 0;
            auto weight = kernel.begin();
            for (const Matrix* plane : {&means, &maxima})
                for (Signed down = -border; down <= border; ++down)
                    for (Signed right = -border; right <= border; ++right)
                        sum += *weight++ *
                               number(*plane, static_cast<Signed>(r) + down, static_cast<Signed>(c) + right);
            gates(r, c) = sigmoid(sum);
        }
    return gates;
}

}  // namespace

HeadResult coordinate_gates(const Head& head, const CoordinateGates& given) {
    const Image image{head.q, given.columns};
    const std::size_t channels = head.q.cols;
    const auto gate_of_line = [&](const std::vector<std::size_t>& places, const Matrix& second) {
        Row squeezed;
        for (std::size_t c = 0; c < channels; ++c) {
            Row along;
            for (const std::size_t place : places)
                along.push_back(head.q(place, c));
            squeezed.push_back(mean(along));
        }
        Row hidden = times(squeezed, given.squeeze);
        for (Number& unit : hidden)
            unit = hard_swish(unit);
        Row gate = times(hidden, second);
        for (Number& number : gate)
            number = sigmoid(number);
        return gate;
    };
    Matrix gates(head.q.rows, channels);
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        std::vector<std::size_t> of_row, of_column;
        for (std::size_t j = 0; j < head.q.rows; ++j) {
            if (image.row(j) == image.row(i))
                of_row.push_back(j);
            if (image.column(j) == image.column(i))
                of_column.push_back(j);
        }
        const Row row = gate_of_line(of_row, given.rows), column = gate_of_line(of_column, given.of_columns);
        for (std::size_t c = 0; c < channels; ++c)
            gates(i, c) = row[c] * column[c];
    }
    return multiplied(head.q, gates);
}

HeadResult triplet_gates(const Head& head, const TripletGates& given) {
    const Image image{head.q, given.columns};
    const std::size_t rows = image.rows(), columns = image.used_columns(), channels = head.q.cols;
    struct Planes {
        Matrix means, maxima;
    };
    const auto squeezed = [&](std::size_t down, std::size_t across, const auto& numbers_at) {
        Planes planes{Matrix(down, across), Matrix(down, across)};
        for (std::size_t r = 0; r < down; ++r)
            for (std::size_t c = 0; c < across; ++c)
                if (const Row numbers = numbers_at(r, c); !numbers.empty()) {
                    planes.means(r, c) = mean(numbers);
                    planes.maxima(r, c) = *std::max_element(numbers.begin(), numbers.end());
                }
        return planes;
    };
    const auto gates_of = [&](const Planes& planes, const Row& kernel) {
        return plane_gates(planes.means, planes.maxima, kernel, given.side);
    };
    const auto along = [&](bool is_row, std::size_t line, std::size_t channel) {
        Row numbers;
        for (std::size_t i = 0; i < head.q.rows; ++i)
            if ((is_row ? image.row(i) : image.column(i)) == line)
                numbers.push_back(head.q(i, channel));
        return numbers;
    };
    const Matrix of_rows =
        gates_of(squeezed(rows, channels,
                          [&](std::size_t row, std::size_t channel) { return along(true, row, channel); }),
                 given.of_rows);
    const Matrix of_columns = gates_of(
        squeezed(columns, channels,
                 [&](std::size_t column, std::size_t channel) { return along(false, column, channel); }),
        given.of_columns);
    const Matrix of_places =
        given.of_places.empty()
            ? Matrix()
            : gates_of(squeezed(rows, columns,
                                [&](std::size_t r, std::size_t c) {
                                    const bool is_there =
                                        image.has(static_cast<Signed>(r), static_cast<Signed>(c));
                                    return is_there ? head.q.row(r * given.columns + c) : Row();
                                }),
                       given.of_places);
    Matrix gates(head.q.rows, channels);
    for (std::size_t i = 0; i < head.q.rows; ++i)
        for (std::size_t c = 0; c < channels; ++c) {
            const Number two = of_rows(image.row(i), c) + of_columns(image.column(i), c);
            gates(i, c) =
                given.of_places.empty() ? two / 2 : (two + of_places(image.row(i), image.column(i))) / 3;
        }
    return multiplied(head.q, gates);
}

HeadResult bottleneck_gates(const Head& head, const BottleneckGates& given) {
    Row hidden = times(channel_means(head.q), given.squeeze);
    through_relu(hidden);
    const Row of_channels = times(hidden, given.excite);
    Matrix places(head.q.rows, given.reduce.cols);
    for (std::size_t i = 0; i < places.rows; ++i) {
        Row reduced = times(head.q.row(i), given.reduce);
        through_relu(reduced);
        std::copy(reduced.begin(), reduced.end(),
                  places.values.begin() + static_cast<Signed>(i * places.cols));
    }
    for (const Matrix* kernel : {&given.once, &given.twice}) {
        const Matrix before = places;
        const Image image{before, given.columns};
        const auto step = static_cast<Signed>(given.dilation);
        for (std::size_t i = 0; i < places.rows; ++i)
            for (std::size_t to = 0; to < places.cols; ++to) {
                Number sum = 0;
                std::size_t weight = 0;
                for (Signed down = -1; down <= 1; ++down)
                    for (Signed right = -1; right <= 1; ++right)
                        for (std::size_t from = 0; from < places.cols; ++from)
                            sum += image.at(static_cast<Signed>(image.row(i)) + down * step,
                                            static_cast<Signed>(image.column(i)) + right * step, from) *
                                   (*kernel)(weight++, to);
                places(i, to) = std::max(sum, Number(0));
            }
    }
    Matrix factors(head.q.rows, head.q.cols);
    for (std::size_t i = 0; i < factors.rows; ++i)
        for (std::size_t c = 0; c < factors.cols; ++c)
            factors(i, c) = 1 + sigmoid(of_channels[c] + product(places.row(i), given.place));
    return multiplied(head.q, factors);
}

HeadResult concurrent_gates(const Head& head, const ConcurrentGates& given) {
    using Combined = ConcurrentGates::Combined;
    Row hidden = times(channel_means(head.q), given.squeeze);
    through_relu(hidden);
    const Row excited = times(hidden, given.excite);
    Matrix factors(head.q.rows, head.q.cols);
    for (std::size_t i = 0; i < factors.rows; ++i)
        for (std::size_t c = 0; c < factors.cols; ++c) {
            const Number channel = sigmoid(excited[c]), place = sigmoid(product(head.q.row(i), given.place));
            const Number x = head.q(i, c);
            if (given.combined == Combined::sum)
                factors(i, c) = channel + place;
            else if (given.combined == Combined::product)
                factors(i, c) = channel * place;
            else
                factors(i, c) = x * channel > x * place || (x == 0 && channel > place) ? channel : place;
        }
    return multiplied(head.q, factors);
}

HeadResult large_kernel(const Head& head, const LargeKernel& given) {
    const Matrix far = each_channel_convolved(each_channel_convolved(head.q, given.columns, given.near, 1),
                                              given.columns, given.far, given.dilation);
    Matrix factors(head.q.rows, head.q.cols);
    for (std::size_t i = 0; i < factors.rows; ++i) {
        const Row mixed = times(far.row(i), given.mix);
        for (std::size_t c = 0; c < factors.cols; ++c)
            factors(i, c) = mixed[c];
    }
    return multiplied(head.q, factors);
}

HeadResult focal_modulation(const Head& head, const FocalModulation& given) {
    const auto through_gelu = [](Number x) { return x * (1 + std::erf(x / std::sqrt(Number(2)))) / 2; };
    const auto of_tokens = [&](const Matrix& matrix, const Row& bias) {
        Matrix result(head.x.rows, matrix.cols);
        for (std::size_t i = 0; i < result.rows; ++i) {
            const Row row = times(head.x.row(i), matrix);
            for (std::size_t c = 0; c < result.cols; ++c)
                result(i, c) = row[c] + bias[c];
        }
        return result;
    };
    const Matrix gates = of_tokens(given.to_gates, given.gates_bias);
    Matrix level = of_tokens(given.to_features, given.features_bias);
    Matrix gathered(level.rows, level.cols);
    for (std::size_t at = 0; at < given.kernels.size(); ++at) {
        level = each_channel_convolved(level, given.columns, given.kernels[at], 1);
        for (Number& number : level.values)
            number = through_gelu(number);
        for (std::size_t i = 0; i < level.rows; ++i)
            for (std::size_t c = 0; c < level.cols; ++c)
                gathered(i, c) += gates(i, at) * level(i, c);
    }
    const Row means = channel_means(level);
    Matrix factors(level.rows, level.cols);
    for (std::size_t i = 0; i < level.rows; ++i) {
        for (std::size_t c = 0; c < level.cols; ++c)
            gathered(i, c) += gates(i, given.kernels.size()) * through_gelu(means[c]);
        const Row mixed = times(gathered.row(i), given.mix);
        for (std::size_t c = 0; c < level.cols; ++c)
            factors(i, c) = mixed[c] + given.bias[c];
    }
    return multiplied(head.q, factors);
}

HeadResult selective_kernels(const Head& head, const SelectiveKernels& given) {
    const Image image{head.q, given.columns};
    const std::size_t places = head.q.rows, channels = head.q.cols;
    std::vector<Matrix> branches;
    for (std::size_t branch = 0; branch < given.branches; ++branch) {
        Matrix convolved(places, channels);
        const auto step = static_cast<Signed>(branch + 1);
        for (std::size_t i = 0; i < places; ++i)
            for (std::size_t c = 0; c < channels; ++c) {
                Number sum = 0;
                for (std::size_t tap = 0; tap < 9; ++tap)
                    sum +=
                        given.kernels(branch * 9 + tap, c) *
                        image.at(
                            static_cast<Signed>(image.row(i)) + (static_cast<Signed>(tap / 3) - 1) * step,
                            static_cast<Signed>(image.column(i)) + (static_cast<Signed>(tap % 3) - 1) * step,
                            c);
                convolved(i, c) = given.is_activated ? std::max(sum, Number(0)) : sum;
            }
        branches.push_back(convolved);
    }
    Matrix fused(places, channels);
    for (const Matrix& branch : branches)
        for (std::size_t at = 0; at < fused.values.size(); ++at)
            fused.values[at] += branch.values[at];
    Row hidden = times(channel_means(fused), given.squeeze);
    through_relu(hidden);
    const Row scores = times(hidden, given.select);
    HeadResult result{Matrix(places, places), Matrix(places, channels)};
    for (std::size_t c = 0; c < channels; ++c) {
        Row of_channel;
        for (std::size_t branch = 0; branch < given.branches; ++branch)
            of_channel.push_back(scores[branch * channels + c]);
        const Row shares = softmax_of_all(of_channel);
        for (std::size_t branch = 0; branch < given.branches; ++branch)
            for (std::size_t i = 0; i < places; ++i) {
                result.context(i, c) += shares[branch] * branches[branch](i, c);
                for (std::size_t tap = 0; tap < 9; ++tap) {
                    const auto step = static_cast<Signed>(branch + 1);
                    const Signed row = static_cast<Signed>(image.row(i)) +
                                       (static_cast<Signed>(tap / 3) - 1) * step,
                                 column = static_cast<Signed>(image.column(i)) +
                                          (static_cast<Signed>(tap % 3) - 1) * step;
                    if (image.has(row, column))
                        result.weights(i, image.place(row, column)) += shares[branch] *
                                                                       given.kernels(branch * 9 + tap, c) /
                                                                       static_cast<Number>(channels);
                }
            }
    }
    return result;
}

HeadResult group_gates(const Head& head, const Row& gamma, const Row& beta) {
    const std::size_t places = head.q.rows, channels = head.q.cols, groups = gamma.size();
    const Row means = channel_means(head.q);
    Matrix gates(places, channels);
    for (std::size_t group = 0; group < groups; ++group) {
        const std::size_t begin = group * channels / groups, end = (group + 1) * channels / groups;
        Row alike;
        for (std::size_t i = 0; i < places; ++i) {
            Number sum = 0;
            for (std::size_t c = begin; c < end; ++c)
                sum += head.q(i, c) * means[c];
            alike.push_back(sum);
        }
        Number squares = 0;
        for (const Number number : alike)
            squares += (number - mean(alike)) * (number - mean(alike));
        const Number deviation = std::sqrt(squares / static_cast<Number>(places)) + Number(1e-5);
        for (std::size_t i = 0; i < places; ++i)
            for (std::size_t c = begin; c < end; ++c)
                gates(i, c) = sigmoid(gamma[group] * (alike[i] - mean(alike)) / deviation + beta[group]);
    }
    return multiplied(head.q, gates);
}

HeadResult polarized_gates(const Head& head, const PolarizedGates& given) {
    const std::size_t places = head.q.rows, channels = head.q.cols;
    Row asked;
    for (std::size_t i = 0; i < places; ++i)
        asked.push_back(product(head.q.row(i), given.place_query));
    const Row shares = softmax_of_all(asked);
    Row summary(given.channel_values.cols, Number(0));
    for (std::size_t i = 0; i < places; ++i) {
        const Row values = times(head.q.row(i), given.channel_values);
        for (std::size_t c = 0; c < summary.size(); ++c)
            summary[c] += shares[i] * values[c];
    }
    Row across = layer_normalized(times(summary, given.channel_gate));
    for (Number& gate : across)
        gate = sigmoid(gate);
    Matrix image = head.q;
    for (std::size_t i = 0; i < places && given.is_sequential; ++i)
        for (std::size_t c = 0; c < channels; ++c)
            image(i, c) *= across[c];
    const Row channel_shares = softmax_of_all(times(channel_means(image), given.place_queries));
    Matrix factors(places, channels);
    for (std::size_t i = 0; i < places; ++i) {
        const Number along = sigmoid(product(times(image.row(i), given.place_values), channel_shares));
        for (std::size_t c = 0; c < channels; ++c)
            factors(i, c) = given.is_sequential ? across[c] * along : across[c] + along;
    }
    return multiplied(head.q, factors);
}

HeadResult outlook(const Head& head, const Matrix& scores, std::size_t columns, std::size_t side) {
    const Image image{head.v, columns};
    const std::size_t places = head.v.rows, taps = side * side;
    const auto border = static_cast<Signed>(side / 2);
    HeadResult result{Matrix(places, places), Matrix(places, head.v.cols)};
    const auto row_of = [&](std::size_t centre, std::size_t tap) {
        return static_cast<Signed>(image.row(centre) + tap / side) - border;
    };
    const auto column_of = [&](std::size_t centre, std::size_t tap) {
        return static_cast<Signed>(image.column(centre) + tap % side) - border;
    };
    for (std::size_t centre = 0; centre < places; ++centre)
        for (std::size_t to = 0; to < taps; ++to) {
            if (!image.has(row_of(centre, to), column_of(centre, to)))
                continue;
            const std::size_t place = image.place(row_of(centre, to), column_of(centre, to));
            Row of_place;
            for (std::size_t from = 0; from < taps; ++from)
                of_place.push_back(scores(centre, to * taps + from));
            const Row shares = softmax_of_all(of_place);
            for (std::size_t from = 0; from < taps; ++from) {
                const Signed r = row_of(centre, from), c = column_of(centre, from);
                if (image.has(r, c))
                    result.weights(place, image.place(r, c)) += shares[from];
                for (std::size_t channel = 0; channel < head.v.cols; ++channel)
                    result.context(place, channel) += shares[from] * image.at(r, c, channel);
            }
        }
    return result;
}

HeadResult involution(const Head& head, const Matrix& hidden, const Matrix& taps, std::size_t columns) {
    const Image image{head.v, columns};
    Signed side = 1;
    while (side * side < static_cast<Signed>(taps.cols))
        ++side;
    HeadResult result{Matrix(head.v.rows, head.v.rows), Matrix(head.v.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.v.rows; ++i) {
        Row features = times(head.q.row(i), hidden);
        through_relu(features);
        const Row kernel = times(features, taps);
        for (std::size_t tap = 0; tap < kernel.size(); ++tap) {
            const Signed r = static_cast<Signed>(image.row(i)) + static_cast<Signed>(tap) / side - side / 2;
            const Signed c =
                static_cast<Signed>(image.column(i)) + static_cast<Signed>(tap) % side - side / 2;
            if (!image.has(r, c))
                continue;
            result.weights(i, image.place(r, c)) = kernel[tap];
            for (std::size_t channel = 0; channel < head.v.cols; ++channel)
                result.context(i, channel) += kernel[tap] * image.at(r, c, channel);
        }
    }
    return result;
}

HeadResult spatial_reduction(const Head& head, const SpatialReduction& given) {
    const Image image{head.x, given.columns};
    const std::size_t ratio = given.ratio, channels = head.x.cols;
    const std::size_t down = (image.rows() + ratio - 1) / ratio,
                      across = (image.used_columns() + ratio - 1) / ratio;
    const auto patch_of = [&](std::size_t place) {
        return image.row(place) / ratio * across + image.column(place) / ratio;
    };
    std::vector<Row> keys, values;
    std::vector<Number> sizes;
    for (std::size_t patch = 0; patch < down * across; ++patch) {
        Row side_by_side, sum(channels, Number(0));
        Number size = 0;
        for (std::size_t r = 0; r < ratio; ++r)
            for (std::size_t c = 0; c < ratio; ++c) {
                const auto row = static_cast<Signed>(patch / across * ratio + r),
                           column = static_cast<Signed>(patch % across * ratio + c);
                size += image.has(row, column) ? 1 : 0;
                for (std::size_t channel = 0; channel < channels; ++channel) {
                    side_by_side.push_back(image.at(row, column, channel));
                    sum[channel] += side_by_side.back();
                }
            }
        if (size == 0)  // all behind a last row that is short
            continue;
        for (Number& number : sum)
            number /= size;
        Row reduced = given.patch.rows > 0 ? times(side_by_side, given.patch) : sum;
        if (given.has_norm)
            reduced = layer_normalized(reduced);
        keys.push_back(times(reduced, given.key));
        values.push_back(times(reduced, given.value));
        sizes.push_back(size);
    }
    const std::size_t n = head.q.rows;
    HeadResult result{Matrix(n, n), Matrix(n, given.value.cols)};
    for (std::size_t i = 0; i < n; ++i) {
        Row scores;
        for (const Row& key : keys)
            scores.push_back(product(head.q.row(i), key) / std::sqrt(static_cast<Number>(key.size())));
        const Row shares = softmax_of_all(scores);
        for (std::size_t j = 0; j < n; ++j)
            result.weights(i, j) = shares[patch_of(j)] / sizes[patch_of(j)];
        for (std::size_t patch = 0; patch < shares.size(); ++patch)
            for (std::size_t c = 0; c < given.value.cols; ++c)
                result.context(i, c) += shares[patch] * values[patch][c];
    }
    return result;
}

}  // namespace headlight::reference
