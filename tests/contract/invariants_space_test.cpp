// What attention to proteins promises: nothing changes where all frames are moved as one, and pairs of
// columns of an alignment have one bias in all of its rows.

#include "tests/support/attention_runs.h"

#include <array>
#include <cmath>

namespace headlight::invariants_space_test {

using namespace test;

namespace {

constexpr double exact = 1e-11;
constexpr Index tokens = 6, width = 4;

struct Space : testing::Test {
    RandomEngine random{141};
    Inputs inputs{.query = random_tensor({tokens, width}, random)};
    const AttentionSpec points =
        spec(R"({"position": {"type": "invariant_points", "points": 3, "value_points": 2}})");

    Space() {
        inputs.parameters = planned(points, inputs)->inputs.parameters;
        inputs.parameters["b_frame"] = random_tensor({7}, random);
    }
    /// All frames turned by `angle` around the third axis and then moved.
    Inputs moved(double angle, const std::array<double, 3>& step) const {
        Inputs all = inputs;
        const double c = std::cos(angle / 2), s = std::sin(angle / 2);
        const auto move = [&](double* f, bool is_shift) {
            const std::vector<double> q{f[0] + (is_shift ? 1 : 0), f[1], f[2], f[3]};
            f[0] = c * q[0] - s * q[3] - (is_shift ? 1 : 0);
            f[1] = c * q[1] - s * q[2];
            f[2] = c * q[2] + s * q[1];
            f[3] = c * q[3] + s * q[0];
            const double x = f[4], y = f[5];
            f[4] = std::cos(angle) * x - std::sin(angle) * y + (is_shift ? step[0] : 0);
            f[5] = std::sin(angle) * x + std::cos(angle) * y + (is_shift ? step[1] : 0);
            f[6] += is_shift ? step[2] : 0;
        };
        for (Index row = 0; row < width; ++row)
            move(all.parameters["W_frame"].row(row).data(), false);
        move(all.parameters["b_frame"].values().data(), true);
        return all;
    }
};

TEST_F(Space, MovedAndTurnedAsOneChangesNothing) {
    const Numbers before = run(points, inputs);
    EXPECT_TRUE(near(run(points, moved(0.7, {3, -2, 1})), before, exact));
    EXPECT_TRUE(near(run(points, moved(-2.5, {0, 0, 40})), before, 1e-9));
}

TEST_F(Space, MovedApartDoesChange) {
    const Numbers before = run(points, inputs);
    inputs.parameters["W_frame"](0, 4) += 1;
    EXPECT_FALSE(near(run(points, inputs), before, 1e-6));
}

TEST_F(Space, DistancesAreTakenFromTheScores) {
    for (const double bias : stage(record(planned(points, inputs)), "position_bias"))
        EXPECT_LE(bias, 0);
    inputs.parameters["g_points"] = Tensor({1}, -800);  // no distance counts
    for (const double bias : stage(record(planned(points, inputs)), "position_bias"))
        EXPECT_EQ(bias, 0);
}

TEST_F(Space, AFrameWithoutATurnIsNone) {
    inputs.parameters["W_frame"] = Tensor({width, 7});
    inputs.parameters["b_frame"] = Tensor({7}, {-1, 0, 0, 0, 0, 0, 0});  // a quaternion of zeros
    for (const double number : run(points, inputs).output)
        EXPECT_TRUE(std::isfinite(number));
}

TEST(Alignment, PairsOfColumnsHaveOneBiasInAllRows) {
    RandomEngine random{142};
    const AttentionSpec rows = spec(R"({"position": {"type": "outer_product", "columns": 3, "width": 2}})");
    Inputs inputs{.query = random_tensor({9, width}, random)};
    inputs.parameters = planned(rows, inputs)->inputs.parameters;
    const auto bias = stage(record(planned(rows, inputs)), "position_bias");
    for (Index i = 0; i < 9; ++i)
        for (Index j = 0; j < 9; ++j)
            EXPECT_NEAR(bias[static_cast<std::size_t>(i * 9 + j)],
                        bias[static_cast<std::size_t>(i % 3 * 9 + j % 3)], 1e-12);
    // Rows that are exchanged have the same mean.
    Inputs exchanged = inputs;
    for (Index column = 0; column < 3; ++column)
        for (Index c = 0; c < width; ++c)
            std::swap(exchanged.query(column, c), exchanged.query(6 + column, c));
    EXPECT_TRUE(near(stage(record(planned(rows, exchanged)), "position_bias"), bias, 1e-12));
    inputs.parameters["W_pairs"] = Tensor({2, 2});
    EXPECT_TRUE(near(run(rows, inputs), run(spec("{}"), Inputs{.query = inputs.query}), 1e-12));
}

}  // namespace

}  // namespace headlight::invariants_space_test
