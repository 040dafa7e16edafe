#include "core/kernels/kernels.h"

#include "core/attention/executor.h"
#include "core/kernels/draw_key.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <random>

namespace headlight::kernels_test { namespace {

using kernels::Level;

/// Every level that this processor runs gets the same tests.
class EveryLevel : public testing::TestWithParam<Level> {
protected:
    template <class Real>
    const kernels::Table<Real>& table() const {
        return kernels::table<Real>(GetParam());
    }
};

std::string level_name(const testing::TestParamInfo<Level>& info) {
    return std::string(to_string(info.param));
}
INSTANTIATE_TEST_SUITE_P(Levels, EveryLevel, testing::ValuesIn(kernels::available_levels()), level_name);

template <class Real>
std::vector<Real> random_numbers(Index count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<Real> uniform(-1, 1);
    std::vector<Real> numbers(static_cast<std::size_t>(count));
    for (Real& number : numbers)
        number = uniform(random);
    return numbers;
}

template <class Real>
std::vector<Real> packed(const kernels::Table<Real>& table, MatrixView<const Real> matrix) {
    std::vector<Real> numbers(
        static_cast<std::size_t>(kernels::packed_size<Real>(matrix.rows, matrix.columns)));
    table.pack(matrix, numbers.data());
    return numbers;
}

template <class Real>
void expect_products_like_sums(const kernels::Table<Real>& table) {
    const Real tolerance = 20 * std::numeric_limits<Real>::epsilon();
    unsigned seed = 0;
    for (const Index rows : {1, 2, 5, 6, 7, 13})
        for (const Index depth : {0, 1, 3, 16, 33})
            for (const Index columns : {1, 2, 4, 8, 15, 16, 17, 31, 48, 63, 64, 65, 130})
                for (const bool is_transposed : {false, true}) {
                    const auto left = random_numbers<Real>(rows * depth, ++seed);
                    const auto right = random_numbers<Real>(depth * columns, ++seed);
                    const auto bias = random_numbers<Real>(columns, ++seed);
                    const Index stride = columns + 1;
                    const auto added = random_numbers<Real>(rows * stride, ++seed);
                    const bool adds_more = seed % 2 == 0;
                    const auto matrix =
                        packed(table, is_transposed ? row_major(right.data(), columns, depth).transposed()
                                                    : row_major(right.data(), depth, columns));
                    constexpr Real untouched = 77;
                    std::vector<Real> out(static_cast<std::size_t>(rows * stride), untouched);
                    table.multiply({.left = row_major(left.data(), rows, depth),
                                    .right = {matrix.data(), depth, columns},
                                    .bias = bias.data(),
                                    .added = adds_more ? row_major(added.data(), rows, stride)
                                                       : MatrixView<const Real>(),
                                    .out = row_major(out.data(), rows, stride).column_range(0, columns)});
                    for (Index row = 0; row < rows; ++row) {
                        ASSERT_EQ(out[static_cast<std::size_t>(row * stride + columns)], untouched);
                        for (Index column = 0; column < columns; ++column) {
                            const auto place = static_cast<std::size_t>(row * stride + column);
                            double sum = bias[static_cast<std::size_t>(column)];
                            if (adds_more)
                                sum += added[place];
                            for (Index k = 0; k < depth; ++k)
                                sum += double(left[static_cast<std::size_t>(row * depth + k)]) *
                                       right[static_cast<std::size_t>(is_transposed ? column * depth + k
                                                                                    : k * columns + column)];
                            ASSERT_NEAR(out[place], sum, tolerance)
                                << rows << " x " << depth << " x " << columns << " at " << row << ", "
                                << column;
                        }
                    }
                }
}

TEST_P(EveryLevel, MultipliesFloatsOfEveryShape) { expect_products_like_sums(table<float>()); }
TEST_P(EveryLevel, MultipliesDoublesOfEveryShape) { expect_products_like_sums(table<double>()); }

TEST_P(EveryLevel, GivesAnElementTheSameBitsInWhateverBlock) {
    constexpr Index rows = 23, depth = 37, columns = 101;
    const auto left = random_numbers<float>(rows * depth, 1);
    const auto right = random_numbers<float>(depth * columns, 2);
    const auto matrix = packed(table<float>(), row_major(right.data(), depth, columns));
    std::vector<float> whole(rows * columns), part(rows * columns);
    kernels::Product<float> product{.left = row_major(left.data(), rows, depth),
                                    .right = {matrix.data(), depth, columns},
                                    .out = row_major(whole.data(), rows, columns)};
    table<float>().multiply(product);
    for (const Index first : {1, 4, 22})
        for (const Index count : {1, 17, 64, 100}) {
            product.out = row_major(part.data(), rows, columns).column_range(0, count);
            table<float>().multiply(product.row_range(first, rows - first));
            for (Index row = first; row < rows; ++row)
                for (Index column = 0; column < count; ++column)
                    ASSERT_EQ(part[row * columns + column], whole[row * columns + column]);
        }
}

TEST_P(EveryLevel, GivesTheSameBitsOfARightOperandAsItLies) {
    constexpr Index rows = 23, depth = 37, stride = 150;
    const auto left = random_numbers<float>(rows * depth, 1);
    const auto right = random_numbers<float>(depth * stride, 2);
    for (const Index columns : {16, 32, 64, 112, 128}) {
        const auto matrix =
            packed(table<float>(), row_major(right.data(), depth, stride).column_range(0, columns));
        std::vector<float> rearranged(static_cast<std::size_t>(rows * columns)), as_it_lies(rearranged);
        kernels::Product<float> product{.left = row_major(left.data(), rows, depth),
                                        .right = {matrix.data(), depth, columns},
                                        .out = row_major(rearranged.data(), rows, columns)};
        table<float>().multiply(product);
        product.right = {right.data(), depth, columns, stride};
        product.out.data = as_it_lies.data();
        table<float>().multiply(product);
        EXPECT_EQ(as_it_lies, rearranged) << columns;
    }
}

/// The energy of one pair, through the engine: v = 1, W_1 = 1, W_2 = 0, so that the score is activation(x).
template <class Real>
std::vector<Real> activated(const kernels::Table<Real>& table, Activation activation,
                            const std::vector<Real>& xs) {
    std::vector<Real> zeros(kernels::padding<Real>), ones(kernels::padding<Real>), result;
    ones[0] = 1;
    for (const Real x : xs) {
        std::vector<Real> left(kernels::padding<Real>);
        left[0] = x;
        Real weight = 0, context = 0;
        const Real value = 1;
        const std::uint8_t allowed = 1;
        const Index end = 1;
        kernels::Block<Real> block;
        block.score = {kernels::padding<Real>, ones.data(), 1, activation, 1};
        block.mask.excludes = true;
        block.queries = block.keys = block.reach = 1;
        block.left = row_major<const Real>(left.data(), 1, kernels::padding<Real>);
        block.energies = row_major<const Real>(zeros.data(), 1, kernels::padding<Real>);
        block.packed_value = {ones.data(), 1, 1};
        block.value = row_major(&value, 1, 1);
        block.allowed = &allowed;
        block.ends = &end;
        block.weights = &weight;
        block.context = row_major(&context, 1, 1);
        double score = 0;
        kernels::StageSlots slots;
        slots.scores = &score;
        table.attend_recorded(block, slots);
        result.push_back(static_cast<Real>(score));
    }
    return result;
}

template <class Real>
void expect_activations_like_std(const kernels::Table<Real>& table) {
    std::vector<Real> xs{0, Real(0.625), Real(-0.625), Real(1e-30), 20, -20, 100, -100, 1000, -1000};
    for (int i = -400; i <= 400; ++i)
        xs.push_back(static_cast<Real>(i) * Real(0.0171));
    const Real tolerance = 4 * std::numeric_limits<Real>::epsilon();
    const auto tanhs = activated(table, Activation::tanh, xs);
    const auto sigmoids = activated(table, Activation::sigmoid, xs);
    const auto relus = activated(table, Activation::relu, xs);
    const auto same = activated(table, Activation::identity, xs);
    for (std::size_t i = 0; i < xs.size(); ++i) {
        const double x = xs[i];
        EXPECT_NEAR(tanhs[i], std::tanh(x), tolerance * std::abs(std::tanh(x))) << "tanh " << x;
        const double sigmoid = 1 / (1 + std::exp(-x));
        EXPECT_NEAR(sigmoids[i], sigmoid, tolerance * sigmoid + std::numeric_limits<Real>::min())
            << "sigmoid " << x;
        EXPECT_EQ(relus[i], std::max<Real>(xs[i], 0));
        EXPECT_EQ(same[i], xs[i]);
    }
    for (const auto& [activation, expected] : {std::pair(Activation::tanh, tanhs),
                                               {Activation::relu, relus},
                                               {Activation::sigmoid, sigmoids},
                                               {Activation::identity, same}}) {
        std::vector<Real> row = xs;
        table.activate(activation, row.data(), std::ssize(row));
        EXPECT_EQ(row, expected) << "as in energies";
    }
}

template <class Real>
void expect_exponentials_like_std(const kernels::Table<Real>& table) {
    constexpr Real infinity = std::numeric_limits<Real>::infinity();
    const Real lowest = std::log(std::numeric_limits<Real>::min());
    std::vector<Real> xs{0,          Real(-1e-30), Real(-0.34657), Real(-0.34658), lowest + Real(0.001),
                         lowest - 1, -1000,        -infinity};
    for (int i = 0; i < 4000; ++i)
        xs.push_back(lowest * static_cast<Real>(i) / 4001);
    std::vector<Real> powers = xs;
    Real sum = table.exponentials(powers.data(), std::ssize(powers), 0, 1);
    for (std::size_t i = 0; i < xs.size(); ++i) {
        const Real expected = xs[i] < lowest ? 0 : std::exp(xs[i]);
        EXPECT_NEAR(powers[i], expected, 2 * std::numeric_limits<Real>::epsilon() * expected)
            << "exp " << xs[i];
        sum -= powers[i];
    }
    EXPECT_NEAR(sum, 0, 1e-3);
    std::vector<Real> missing{std::numeric_limits<Real>::quiet_NaN(), 0};
    table.exponentials(missing.data(), 2, 0, 1);
    EXPECT_TRUE(std::isnan(missing[0]));
    EXPECT_EQ(missing[1], 1);
}

TEST_P(EveryLevel, ActivatesFloatsToTheLastPlaces) { expect_activations_like_std(table<float>()); }
TEST_P(EveryLevel, RaisesFloatsToTheLastPlaces) { expect_exponentials_like_std(table<float>()); }
TEST_P(EveryLevel, RaisesDoublesToTheLastPlaces) { expect_exponentials_like_std(table<double>()); }
TEST_P(EveryLevel, ActivatesDoublesToTheLastPlaces) { expect_activations_like_std(table<double>()); }

/// Sets HEADLIGHT_ISA for as long as it lives.
class ForcedLevel {
public:
    explicit ForcedLevel(const std::string& word) {
        if (const char* value = std::getenv(name))
            before_ = value;
        setenv(name, word.c_str(), 1);
    }
    ~ForcedLevel() { before_ ? setenv(name, before_->c_str(), 1) : unsetenv(name); }

private:
    static constexpr const char* name = "HEADLIGHT_ISA";
    std::optional<std::string> before_;
};

template <class Real>
std::vector<Real> output_of(Level level, const std::shared_ptr<const Plan>& plan) {
    const ForcedLevel forced{std::string(to_string(level))};
    Executor<Real> executor(plan);
    executor.run();
    std::vector<Real> numbers(executor.weights().begin(), executor.weights().end());
    numbers.insert(numbers.end(), executor.output().begin(), executor.output().end());
    return numbers;
}

TEST_P(EveryLevel, AgreesWithTheBaseline) {
    Inputs inputs;
    const auto numbers = random_numbers<double>(Index(37) * 24, 5);
    inputs.query = Tensor({37, 24}, numbers);
    for (const ScoreType score :
         {ScoreType::scaled_dot, ScoreType::general, ScoreType::additive, ScoreType::concat}) {
        AttentionSpec spec;
        spec.projections = {ProjectionType::learned, true};
        spec.score.type = score;
        spec.heads = {HeadsType::multi, 3};
        spec.mask.rule = CausalMask{};
        const auto made = std::make_shared<const Plan>(plan(spec, inputs, {.seed = 9}));
        const auto expected = output_of<double>(Level::baseline, made);
        const auto got = output_of<double>(GetParam(), made);
        const auto single = output_of<float>(GetParam(), made);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            ASSERT_NEAR(got[i], expected[i], 1e-13);
            ASSERT_NEAR(single[i], expected[i], 1e-5);
        }
    }
}

TEST(Levels, StartWithTheBaseline) {
    ASSERT_FALSE(kernels::available_levels().empty());
    EXPECT_EQ(kernels::available_levels().front(), Level::baseline);
}

TEST(Levels, AreForcedByTheEnvironment) {
    for (const Level level : kernels::available_levels()) {
        const ForcedLevel forced{std::string(to_string(level))};
        EXPECT_EQ(kernels::chosen_level(), level);
    }
    const ForcedLevel empty("");
    EXPECT_EQ(kernels::chosen_level(), kernels::available_levels().back());
}

TEST(Levels, RefuseWordsThatAreNone) {
    const ForcedLevel forced("mmx");
    const std::string message = test::refusal([] { kernels::chosen_level(); });
    EXPECT_NE(
        message.find("environment variable HEADLIGHT_ISA: choose kernels: expected one of those that this "
                     "processor runs: baseline"),
        std::string::npos)
        << message;
    EXPECT_NE(message.find("got mmx"), std::string::npos) << message;
}

TEST(DrawKey, FollowsTheWeights) {
    const std::array<double, 5> weights{0.1, 0, 0.6, 0.3, 0};
    std::array<int, 5> counts{};
    constexpr int draws = 40000;
    for (Index draw = 0; draw < draws; ++draw)
        ++counts[static_cast<std::size_t>(kernels::draw_key(weights.data(), 5, 42, 3, draw))];
    for (std::size_t key = 0; key < weights.size(); ++key)
        EXPECT_NEAR(counts[key] / double(draws), weights[key], 0.01) << "key " << key;
    EXPECT_EQ(counts[1] + counts[4], 0);
}

TEST(DrawKey, DependsOnNothingButItsArguments) {
    const std::array<float, 3> weights{0.2f, 0.3f, 0.5f};
    std::vector<Index> first, again, other;
    for (Index draw = 0; draw < 50; ++draw) {
        first.push_back(kernels::draw_key(weights.data(), 3, 1, 0, draw));
        again.push_back(kernels::draw_key(weights.data(), 3, 1, 0, draw));
        other.push_back(kernels::draw_key(weights.data(), 3, 1, 1, draw));
    }
    EXPECT_EQ(first, again);
    EXPECT_NE(first, other);
}

#if defined(__x86_64__) && defined(__linux__)
/// A function that the linker may choose for everybody (weak, unique) must not have been compiled for a
/// processor that not everybody has. What is in a namespace of the level's own can only be called from there.
TEST(Levels, ShareNoFunctionWithOtherCode) {
    const std::string library = HEADLIGHT_BINARY_DIR "/core/kernels/libheadlight_kernels.a";
    if (!std::filesystem::exists(library))
        GTEST_SKIP() << "no " << library;
    FILE* listing = popen(("nm -A -C --defined-only '" + library + "' 2>/dev/null").c_str(), "r");
    ASSERT_NE(listing, nullptr);
    std::array<char, 4096> line;
    int seen = 0;
    while (std::fgets(line.data(), line.size(), listing)) {
        const std::string text(line.data());
        for (const std::string level : {"baseline", "avx2", "avx512"}) {
            if (text.find("level_" + level + ".cpp.o:") == std::string::npos)
                continue;
            ++seen;
            const char type = text[text.find(".o:") + 20];  // after the address
            // V is data, which knows no instructions: the type information that sanitizers ask for.
            const bool is_shared = type == 'W' || type == 'u';
            const bool is_own = text.find("Eigen_" + level + "::") != std::string::npos;
            EXPECT_TRUE(!is_shared || is_own) << text;
        }
    }
    if (pclose(listing) != 0)
        GTEST_SKIP() << "no nm";
    EXPECT_GT(seen, 0) << "no object of a level in " << library;
}
#endif

}}  // namespace headlight::kernels_test
