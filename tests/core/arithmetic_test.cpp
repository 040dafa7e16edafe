#include "core/kernels/arithmetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace headlight::arithmetic_test { namespace {

using kernels::Arithmetic;
using kernels::Level;

constexpr double tolerance = 1e-13;
/// Shorter than a vector, whole vectors, and what is left over.
constexpr Index lengths[] = {1, 3, 7, 8, 16, 17, 33, 64, 100};

std::vector<double> numbers(Index count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-2, 2);
    std::vector<double> made(static_cast<std::size_t>(count));
    for (double& number : made)
        number = uniform(random);
    return made;
}

/// The loops of every level that this processor runs against the same in plain words. What derivatives are
/// worth is the business of nn_gradients_test; here a step behind the end of a row would be seen.
class ArithmeticOfLevels : public testing::TestWithParam<Level> {
protected:
    const Arithmetic<double>& by = kernels::arithmetic<double>(GetParam());

    /// run(count, a, b, to) and plain(a, b, to) must leave the same in `to`, and nothing behind its end.
    template <class Run, class Plain>
    void expect_alike(const Run& run, const Plain& plain) const {
        for (const Index count : lengths) {
            const auto a = numbers(count, 1), b = numbers(count, 2);
            auto to = numbers(count + 1, 3);
            const auto before = to;
            run(count, a.data(), b.data(), to.data());
            for (std::size_t i = 0; i < a.size(); ++i)
                EXPECT_NEAR(to[i], plain(a[i], b[i], before[i]), tolerance) << i << " of " << count;
            EXPECT_EQ(to.back(), before.back()) << count;
        }
    }
};

INSTANTIATE_TEST_SUITE_P(Levels, ArithmeticOfLevels, testing::ValuesIn(kernels::available_levels()),
                         [](const auto& level) { return std::string(to_string(level.param)); });

TEST_P(ArithmeticOfLevels, RaisesAnyNumber) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double lowest = std::log(std::numeric_limits<double>::min()),
                 highest = std::log(std::numeric_limits<double>::max());
    std::vector<double> xs{0, 1, -1, 0.34657, 0.34658, lowest + 0.001, highest - 0.001, highest};
    for (int i = 1; i <= 4000; ++i)
        xs.push_back(lowest + (highest - lowest) * i / 4001);
    std::vector<double> powers(xs.size());
    by.exponential(xs.data(), std::ssize(xs), powers.data());
    for (std::size_t i = 0; i < xs.size(); ++i)
        EXPECT_NEAR(powers[i] / std::exp(xs[i]), 1, 4 * std::numeric_limits<double>::epsilon())
            << "exp " << xs[i];

    const std::vector<double> bounds{-infinity, -1000, highest + 0.001, 1000, infinity};
    std::vector<double> of_bounds(bounds.size());
    by.exponential(bounds.data(), std::ssize(bounds), of_bounds.data());
    EXPECT_EQ(of_bounds, (std::vector<double>{0, 0, infinity, infinity, infinity}));
    const double missing = std::numeric_limits<double>::quiet_NaN();
    by.exponential(&missing, 1, of_bounds.data());
    EXPECT_TRUE(std::isnan(of_bounds.front()));
}

TEST_P(ArithmeticOfLevels, KnowsLogarithms) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::vector<double> xs{0x1p-54,
                           1,
                           1 + 1e-15,
                           1 - 1e-16,
                           2,
                           std::numeric_limits<double>::min(),
                           std::numeric_limits<double>::max()};
    for (int i = 1; i <= 4000; ++i)
        xs.push_back(i / 2000.0);
    std::vector<double> logs(xs.size());
    by.logarithm(xs.data(), std::ssize(xs), logs.data());
    for (std::size_t i = 0; i < xs.size(); ++i)
        EXPECT_NEAR(logs[i], std::log(xs[i]), 1e-15 * std::max(1e-1, std::abs(std::log(xs[i])))) << xs[i];

    const std::vector<double> bounds{0, infinity};
    std::vector<double> of_bounds(bounds.size());
    by.logarithm(bounds.data(), std::ssize(bounds), of_bounds.data());
    EXPECT_EQ(of_bounds, (std::vector<double>{-infinity, infinity}));
    const double negative = -1;
    by.logarithm(&negative, 1, of_bounds.data());
    EXPECT_TRUE(std::isnan(of_bounds.front()));
}

TEST_P(ArithmeticOfLevels, SumsUp) {
    for (const Index count : lengths) {
        const auto a = numbers(count, 1);
        EXPECT_NEAR(by.sum(a.data(), count), std::accumulate(a.begin(), a.end(), 0.0), tolerance * 10)
            << count;
    }
}

TEST_P(ArithmeticOfLevels, Adds) {
    expect_alike([&](Index count, const double* a, const double*, double* to) { by.add(a, count, to); },
                 [](double a, double, double to) { return to + a; });
    expect_alike(
        [&](Index count, const double* a, const double*, double* to) { by.add_scaled(3, a, count, to); },
        [](double a, double, double to) { return to + 3 * a; });
    expect_alike(
        [&](Index count, const double* a, const double* b, double* to) { by.add_products(a, b, count, to); },
        [](double a, double b, double to) { return to + a * b; });
    expect_alike(
        [&](Index count, const double* a, const double*, double* to) {
            std::vector<double> rows(a, a + count);
            rows.insert(rows.end(), a, a + count);
            by.add_column_sums(rows.data(), 2, count, to);
        },
        [](double a, double, double to) { return to + 2 * a; });
}

TEST_P(ArithmeticOfLevels, AddsProductsUp) {
    for (const Index count : lengths) {
        const auto a = numbers(count, 1), b = numbers(count, 2);
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            sum += a[i] * b[i];
        EXPECT_NEAR(by.inner_product(a.data(), b.data(), count), sum, tolerance) << count;
    }
}

TEST_P(ArithmeticOfLevels, KnowsLogarithmsOfSigmoids) {
    std::vector<double> xs{0, 1e-20, -1e-20, 30, 40, 800, -40, -800};
    for (int i = -400; i <= 400; ++i)
        xs.push_back(0.05 * i);
    std::vector<double> logs(xs.size());
    by.log_sigmoid(xs.data(), std::ssize(xs), logs.data());
    for (std::size_t i = 0; i < xs.size(); ++i) {
        const double expected = std::min(xs[i], 0.0) - std::log1p(std::exp(-std::abs(xs[i])));
        EXPECT_NEAR(logs[i], expected, 1e-14 * std::abs(expected)) << xs[i];
    }
}

TEST_P(ArithmeticOfLevels, RotatesKeysIntoARow) {
    constexpr Index tokens = 5;
    for (const Index count : lengths) {
        const Index stride = count + 3;
        auto row = numbers(count + 1, 1), keys = numbers(tokens * stride, 2),
             queries = numbers(tokens * stride, 3);
        keys[static_cast<std::size_t>(2 * stride)] = 0;  // nothing to rotate
        auto row_alone = row, keys_alone = keys, queries_alone = queries, expected_row = row,
             expected_keys = keys, expected_queries = queries;
        double square = row[0] * row[0], square_alone = square;
        double inverse = 1 / row[0], inverse_alone = inverse, expected_inverse = inverse;
        const auto some = [&](std::vector<double>& numbers, Index first, Index rows) {
            return MatrixView<double>{
                .data = numbers.data() + first * stride, .rows = rows, .columns = count, .stride = stride};
        };
        by.rotate_into_row({.row = row.data(),
                            .square = &square,
                            .inverse = &inverse,
                            .keys = some(keys, 0, tokens),
                            .queries = some(queries, 0, tokens),
                            .size = count});
        for (Index token = 0; token < tokens; ++token) {
            by.rotate_into_row({.row = row_alone.data(),
                                .square = &square_alone,
                                .inverse = &inverse_alone,
                                .keys = some(keys_alone, token, 1),
                                .queries = some(queries_alone, token, 1),
                                .size = count});
            double *const key = expected_keys.data() + token * stride, *const query =
                                                                           expected_queries.data() +
                                                                           token * stride;
            if (key[0] != 0) {
                const double length = std::hypot(expected_row[0], key[0]), cosine = expected_row[0] / length,
                             sine = key[0] / length;
                expected_inverse = 1 / length;
                for (Index c = 0; c < count; ++c) {
                    double& number = expected_row[static_cast<std::size_t>(c)];
                    const double before = number;
                    number = cosine * before + sine * key[c];
                    key[c] = cosine * key[c] - sine * before;
                }
            }
            query[0] *= expected_inverse;
            for (Index c = 1; c < count; ++c)
                query[c] -= query[0] * expected_row[static_cast<std::size_t>(c)];
        }
        EXPECT_EQ(row, row_alone) << count;
        EXPECT_EQ(keys, keys_alone) << count;
        EXPECT_EQ(queries, queries_alone) << count;
        EXPECT_EQ(square, square_alone) << count;
        EXPECT_EQ(inverse, inverse_alone) << count;
        EXPECT_NEAR(inverse, expected_inverse, 1e-11) << count;
        const auto expect_near = [&](const std::vector<double>& got, const std::vector<double>& wanted) {
            for (std::size_t i = 0; i < wanted.size(); ++i)
                EXPECT_NEAR(got[i], wanted[i], 1e-11) << i << " of " << count;
        };
        expect_near(row, expected_row);
        expect_near(keys, expected_keys);
        expect_near(queries, expected_queries);
    }
}

/// Squares that leave the range: the length of the pair does not.
TEST_P(ArithmeticOfLevels, RotatesNumbersOfAnySize) {
    for (const double size : {1e-200, 1e200}) {
        double row[] = {3 * size, size}, key[] = {4 * size, 2 * size}, inverse = 1 / row[0];
        double square = row[0] * row[0];
        by.rotate_into_row({.row = row,
                            .square = &square,
                            .inverse = &inverse,
                            .keys = {.data = key, .rows = 1, .columns = 2, .stride = 2},
                            .size = 2});
        EXPECT_NEAR(row[0] / size, 5, 1e-14);
        EXPECT_NEAR(inverse * size, 0.2, 1e-14);
        EXPECT_NEAR(row[1] / size, 0.6 * 1 + 0.8 * 2, 1e-14);
        EXPECT_NEAR(key[1] / size, 0.6 * 2 - 0.8 * 1, 1e-14);
    }
}

TEST_P(ArithmeticOfLevels, SubtractsSquaredDistances) {
    constexpr Index rows = 5;
    for (const Index count : lengths) {
        const Index stride = count + 3;
        const auto matrix = numbers(rows * stride, 1), x = numbers(rows, 2);
        auto sums = numbers(count + 1, 3);
        const auto before = sums;
        by.subtract_squared_distances(
            x.data(), {.data = matrix.data(), .rows = rows, .columns = count, .stride = stride}, sums.data());
        EXPECT_EQ(sums.back(), before.back());
        for (Index c = 0; c < count; ++c) {
            double expected = before[static_cast<std::size_t>(c)];
            for (Index r = 0; r < rows; ++r)
                expected -= std::pow(
                    x[static_cast<std::size_t>(r)] - matrix[static_cast<std::size_t>(r * stride + c)], 2);
            EXPECT_NEAR(sums[static_cast<std::size_t>(c)], expected, tolerance) << c << " of " << count;
        }
    }
}

TEST_P(ArithmeticOfLevels, AddsRowsAndFadesThem) {
    constexpr Index rows = 5;
    for (const Index count : lengths) {
        const Index stride = count + 3;
        const auto matrix = numbers(rows * stride, 1), factors = numbers(rows, 2), what = numbers(count, 4);
        auto sums = numbers(count + 1, 3);
        const auto before = sums;
        by.add_scaled_rows(factors.data(),
                           {.data = matrix.data(), .rows = rows, .columns = count, .stride = stride},
                           sums.data());
        EXPECT_EQ(sums.back(), before.back());
        for (const Index kept_step : {0, 1, 2}) {  // 2: everything is kept
            const auto gates = numbers(count, 5);
            auto faded = before;
            by.fade_and_add(kept_step == 2 ? nullptr : gates.data(), kept_step, 0.7, what.data(), count,
                            faded.data());
            EXPECT_EQ(faded.back(), before.back());
            for (Index c = 0; c < count; ++c) {
                const auto at = static_cast<std::size_t>(c);
                const double kept = kept_step == 2 ? 1 : gates[kept_step == 0 ? 0 : at];
                EXPECT_NEAR(faded[at], kept * before[at] + 0.7 * what[at], tolerance) << c << " of " << count;
            }
        }
        for (Index c = 0; c < count; ++c) {
            double expected = before[static_cast<std::size_t>(c)];
            for (Index r = 0; r < rows; ++r)
                expected +=
                    factors[static_cast<std::size_t>(r)] * matrix[static_cast<std::size_t>(r * stride + c)];
            EXPECT_NEAR(sums[static_cast<std::size_t>(c)], expected, tolerance) << c << " of " << count;
        }
    }
}

TEST_P(ArithmeticOfLevels, MultipliesAVectorByRowsAsByEach) {
    for (const Index rows : {1, 4, 7})
        for (const Index count : lengths) {
            const Index stride = count + 3;
            const auto matrix = numbers(rows * stride, 1), a = numbers(count, 2);
            auto products = numbers(rows + 1, 3);
            const double behind = products.back();
            by.inner_products(a.data(),
                              {.data = matrix.data(), .rows = rows, .columns = count, .stride = stride}, 1,
                              products.data());
            EXPECT_EQ(products.back(), behind);
            for (Index r = 0; r < rows; ++r)
                EXPECT_EQ(products[static_cast<std::size_t>(r)],
                          by.inner_product(a.data(), matrix.data() + r * stride, count))
                    << r << ", " << count;
        }
}

/// A state through which tokens pass: by the kernel, at once or one after another, and by what it is defined
/// as.
struct PassingTokens {
    static constexpr Index tokens = 5;
    Index rows, columns, kept_step;  ///< kept_step 2: everything is kept
    bool is_delta, reads;
    std::vector<double> state = numbers(rows * (columns + 3), 1), kept = numbers(tokens * rows, 2),
                        written = numbers(tokens * rows, 3), what = numbers(tokens * columns, 4),
                        erased = numbers(tokens * rows, 5), query = numbers(tokens * rows, 6),
                        answer = numbers(tokens * columns, 7), predicted = std::vector<double>(answer.size());

    void pass(const kernels::Arithmetic<double>& by, Index first, Index count) {
        const auto brought = [&](const std::vector<double>& numbers, Index width) {
            return row_major(numbers.data(), tokens, width).row_range(first, count);
        };
        kernels::StateTokens<double> step{
            .state = {.data = state.data(), .rows = rows, .columns = columns, .stride = columns + 3},
            .written = brought(written, rows),
            .what = brought(what, columns)};
        if (kept_step != 2) {
            step.kept = brought(kept, rows);
            step.kept_step = kept_step;
        }
        if (is_delta) {
            step.erased = brought(erased, rows);
            step.predicted = row_major(predicted.data(), tokens, columns).row_range(first, count);
        }
        if (reads) {
            step.query = brought(query, rows);
            step.answer = row_major(answer.data(), tokens, columns).row_range(first, count);
        }
        by.pass_tokens(step);
    }

    /// As it is defined.
    void pass_plainly() {
        const auto at = [](Index row, Index width, Index column) {
            return static_cast<std::size_t>(row * width + column);
        };
        for (Index token = 0; token < tokens; ++token)
            for (Index c = 0; c < columns; ++c) {
                double error = what[at(token, columns, c)];
                double& read = predicted[at(token, columns, c)];
                for (Index r = 0; is_delta && r < rows; ++r)
                    read += erased[at(token, rows, r)] * state[at(r, columns + 3, c)];
                error -= read;
                for (Index r = 0; r < rows; ++r) {
                    double& number = state[at(r, columns + 3, c)];
                    const double left = kept_step == 2 ? 1 : kept[at(token, rows, r * kept_step)];
                    number = left * number + written[at(token, rows, r)] * error;
                    if (reads)
                        answer[at(token, columns, c)] += query[at(token, rows, r)] * number;
                }
            }
    }
};

TEST_P(ArithmeticOfLevels, LetsTokensPassThroughAState) {
    for (const Index rows : {1, 3, 19})
        for (const Index columns : lengths)
            for (const Index kept_step : {0, 1, 2})
                for (const int how : {0, 1, 2, 3}) {
                    const PassingTokens before{rows, columns, kept_step, how % 2 == 1, how / 2 == 1};
                    PassingTokens together = before, alone = before, expected = before;
                    together.pass(by, 0, PassingTokens::tokens);
                    for (Index token = 0; token < PassingTokens::tokens; ++token)
                        alone.pass(by, token, 1);
                    expected.pass_plainly();
                    EXPECT_EQ(together.state, alone.state) << rows << " x " << columns;
                    EXPECT_EQ(together.answer, alone.answer) << rows << " x " << columns;
                    EXPECT_EQ(together.predicted, alone.predicted) << rows << " x " << columns;
                    const auto expect_near = [&](const std::vector<double>& got,
                                                 const std::vector<double>& wanted) {
                        double largest = 1;  // by the delta rule, numbers as large as these grow
                        for (const double number : wanted)
                            largest = std::max(largest, std::abs(number));
                        for (std::size_t i = 0; i < wanted.size(); ++i)
                            EXPECT_NEAR(got[i], wanted[i], 1e-12 * largest)
                                << i << " of " << rows << " x " << columns;
                    };
                    expect_near(together.state, expected.state);
                    expect_near(together.answer, expected.answer);
                    expect_near(together.predicted, expected.predicted);
                }
}

TEST_P(ArithmeticOfLevels, AddsKeysToSoftmaxesOfChannels) {
    for (const Index count : lengths) {
        const auto size = static_cast<std::size_t>(count);
        std::vector<double> largest(size, -INFINITY), place(size), values(size), weights(size);
        std::vector<double> sums(size), mixed(size);
        for (const int key : {1, 2, 3, 4}) {
            const auto number = numbers(count, key), of_place = numbers(count, key + 10),
                       value = numbers(count, key + 20);
            by.add_to_channels({.channels = count,
                                .number = number.data(),
                                .of_place = of_place.data(),
                                .value = value.data(),
                                .largest_number = largest.data(),
                                .largest_place = place.data(),
                                .values = values.data(),
                                .weights = weights.data()});
            for (std::size_t c = 0; c < size; ++c) {
                sums[c] += std::exp(number[c] + of_place[c]);
                mixed[c] += std::exp(number[c] + of_place[c]) * value[c];
                EXPECT_NEAR(values[c] / weights[c], mixed[c] / sums[c], 1e-12) << c << " of " << count;
                EXPECT_NEAR(weights[c] * std::exp(largest[c] + place[c]), sums[c], 1e-10) << c;
            }
        }
    }
}

TEST_P(ArithmeticOfLevels, KnowsTheSlopeOfEveryActivation) {
    const std::pair<Activation, double (*)(double)> slopes[] = {
        {Activation::tanh, [](double y) { return 1 - y * y; }},
        {Activation::sigmoid, [](double y) { return y * (1 - y); }},
        {Activation::relu, [](double y) { return y > 0 ? 1.0 : 0.0; }},
        {Activation::identity, [](double) { return 1.0; }},
    };
    for (const auto& [activation, slope] : slopes)
        expect_alike([&, which = activation](Index count, const double* a, const double*,
                                             double* to) { by.multiply_by_slopes(which, a, count, to); },
                     [of = slope](double a, double, double to) { return to * of(a); });
}

TEST_P(ArithmeticOfLevels, StepsAsAdamDoes) {
    const kernels::AdamFactors<double> factors{.shorten = 0.5,
                                               .first_rest = 0.1,
                                               .second_rest = 0.001,
                                               .first_scale = 0.02,
                                               .second_scale = 10,
                                               .epsilon = 1e-8,
                                               .kept = 0.99};
    for (const Index count : lengths) {
        const auto gradient = numbers(count, 1), moment = numbers(count, 2), weight = numbers(count, 3);
        auto first = moment, weights = weight;
        std::vector<double> second(moment.size());
        for (std::size_t i = 0; i < moment.size(); ++i)
            second[i] = std::abs(moment[i]);
        const auto squares = second;
        by.adam(factors, gradient.data(), count, first.data(), second.data(), weights.data());
        for (std::size_t i = 0; i < gradient.size(); ++i) {
            const double g = 0.5 * gradient[i], m = 0.9 * moment[i] + 0.1 * g,
                         v = 0.999 * squares[i] + 0.001 * g * g;
            EXPECT_NEAR(first[i], m, tolerance);
            EXPECT_NEAR(second[i], v, tolerance);
            EXPECT_NEAR(weights[i], 0.99 * weight[i] - 0.02 * m / (std::sqrt(10 * v) + 1e-8), tolerance);
        }
    }
}

}}  // namespace headlight::arithmetic_test
