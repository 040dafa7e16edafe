// Weights with a bound for each key, and rows of padding that have nothing to look at.

#include "tests/support/map_rows.h"
#include "tests/support/normalizer_rows.h"

#include <cmath>

namespace headlight::invariants_constrained_test {

using namespace test;

namespace {

const std::vector<double> scores{1.2, -0.4, 2.5, 0.3, 1.9, -1.1};

std::vector<double> constrained(const std::string& nearest, const std::string& bounds,
                                const std::vector<double>& of = scores) {
    return normalized("constrained", of, R"("nearest": ")" + nearest + R"(", "bounds": )" + bounds);
}

TEST(ConstrainedWeights, AreTheFreeOnesWhereNoBoundHolds) {
    for (const char* bounds : {"[100]", "[]"}) {
        EXPECT_TRUE(near(constrained("softmax", bounds), normalized("softmax", scores), 1e-12));
        EXPECT_TRUE(near(constrained("sparsemax", bounds), normalized("sparsemax", scores), 1e-12));
    }
}

TEST(ConstrainedWeights, SumToOneWithinTheirBounds) {
    const std::vector<double> bounds{0.4, 0.1, 0.3, 0.3, 0.3, 0.3};
    for (const char* nearest : {"softmax", "sparsemax"}) {
        const auto row = constrained(nearest, "[40, 10, 30]");
        EXPECT_NEAR(total_of(row), 1, 1e-12) << nearest;
        for (std::size_t key = 0; key < row.size(); ++key) {
            EXPECT_GE(row[key], 0);
            EXPECT_LE(row[key], bounds[key] + 1e-12);
        }
        EXPECT_NEAR(row[2], 0.3, 1e-12) << "the softmax would have more";
    }
    // What is free keeps its ratio, or its difference.
    const auto soft = constrained("softmax", "[40, 10, 30]"),
               sparse = constrained("sparsemax", "[40, 10, 30]");
    EXPECT_NEAR(soft[0] / soft[3], std::exp(scores[0] - scores[3]), 1e-10);
    const auto threes = constrained("sparsemax", "[100, 100, 30]");
    EXPECT_NEAR(threes[4], 0.3, 1e-12);
    EXPECT_NEAR(threes[0], 0.4, 1e-12);
    EXPECT_NEAR(sparse[0], 0.4, 1e-12);
}

TEST(ConstrainedWeights, AreTheirBoundsWhereTheseSumToLess) {
    for (const char* nearest : {"softmax", "sparsemax"})
        for (const double weight : constrained(nearest, "[10]"))
            EXPECT_NEAR(weight, 0.1, 1e-12) << nearest;
}

/// Among scores so far apart the best has all that is left, up to its bound: a round for each.
TEST(ConstrainedWeights, AreHeldOneAfterAnother) {
    const std::vector<double> steep{600, 500, 400, 300, 200, 100};
    const std::pair<const char*, std::vector<double>> rows[] = {
        {"[30]", {0.3, 0.3, 0.3, 0.1, 0, 0}},
        {"[33]", {0.33, 0.33, 0.33, 0.01, 0, 0}},
        {"[1, 2, 3, 4, 5, 100]", {0.01, 0.02, 0.03, 0.04, 0.05, 0.85}},
        {"[70, 20, 5, 4, 0, 10]", {0.7, 0.2, 0.05, 0.04, 0, 0.01}},
        {"[0, 0, 50, 0, 50]", {0, 0, 0.5, 0, 0.5, 0}}};
    for (const auto& [bounds, expected] : rows)
        EXPECT_TRUE(near(constrained("softmax", bounds, steep), expected, 1e-12)) << bounds;
}

TEST(ConstrainedWeights, WithAllBoundsOneOverBAreABudgetOfB) {
    std::vector<double> smaller = scores;
    for (double& score : smaller)
        score /= 2;
    const auto bounded = constrained("sparsemax", "[50]", smaller);
    const auto spent = normalized("budget", scores, R"("budget": 2)");
    for (std::size_t key = 0; key < scores.size(); ++key)
        EXPECT_NEAR(2 * bounded[key], spent[key], 1e-12);
}

TEST(ConstrainedWeights, DoNotChangeWithANumberThatIsAdded) {
    for (const char* nearest : {"softmax", "sparsemax"})
        for (const double by : {5.0, -40.0, 1000.0}) {
            std::vector<double> moved = scores;
            for (double& score : moved)
                score += by;
            EXPECT_TRUE(near(constrained(nearest, "[30]", moved), constrained(nearest, "[30]"), 1e-11));
        }
}

TEST(PaddedQueries, HaveAnOutputOfZeros) {
    RandomEngine random(5);
    const Inputs inputs{.query = random_tensor({6, 4}, random)};
    const auto output = [&](const std::string& mask) {
        return run(spec(R"({"projections": {"type": "learned"}, "mask": )" + mask + "}"), inputs).output;
    };
    const auto keys = output(R"({"type": "padding", "key_lengths": 4})"),
               both = output(R"({"all": [{"type": "padding", "key_lengths": 4},
                                         {"type": "documents", "lengths": [4]}]})");
    for (std::size_t at = 0; at < both.size(); ++at) {
        EXPECT_EQ(both[at], at < 16 ? keys[at] : 0);
        EXPECT_NE(keys[at], 0);
    }
}

}  // namespace

}  // namespace headlight::invariants_constrained_test
