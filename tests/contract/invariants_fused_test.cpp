// Weights that are drawn together: fusedmax and oscarmax.

#include "tests/support/normalizer_rows.h"

#include <algorithm>
#include <cmath>

namespace headlight::invariants_fused_test {

using namespace test;

namespace {

const std::vector<double> scores{1.2, 0.9, 0.3, 1.1, 1.0, -1.1};

std::vector<double> drawn(const std::string& which, double fusing, const std::vector<double>& of = scores) {
    return normalized("fused", of, R"("which": ")" + which + R"(", "fusing": )" + std::to_string(fusing));
}

/// What the weights p of a row are the largest of: p . s − |p|² / 2 − λ times the price.
double worth(const std::string& which, double fusing, const std::vector<double>& p) {
    double sum = 0;
    for (std::size_t j = 0; j < p.size(); ++j) {
        sum += p[j] * scores[j] - p[j] * p[j] / 2;
        if (which == "neighbours" && j > 0)
            sum -= fusing * std::abs(p[j] - p[j - 1]);
        for (std::size_t i = 0; i < j && which == "all"; ++i)
            sum -= fusing * std::max(p[i], p[j]);
    }
    return sum;
}

TEST(FusedWeights, AreSparsemaxWithoutAPrice) {
    for (const char* which : {"neighbours", "all"})
        EXPECT_TRUE(near(drawn(which, 0), normalized("sparsemax", scores), 1e-12)) << which;
}

TEST(FusedWeights, AreAllTheSameWhereThePriceIsHigh) {
    for (const char* which : {"neighbours", "all"})
        for (const double weight : drawn(which, 10))
            EXPECT_NEAR(weight, 1.0 / 6, 1e-12) << which;
}

// Whichever way a little of a weight goes to another key, the row is worth less.
TEST(FusedWeights, AreWorthTheMost) {
    for (const char* which : {"neighbours", "all"})
        for (const double fusing : {0.02, 0.1, 0.3}) {
            const auto row = drawn(which, fusing);
            const double most = worth(which, fusing, row);
            for (std::size_t from = 0; from < row.size(); ++from)
                for (std::size_t to = 0; to < row.size(); ++to)
                    for (const double share : {0.01, 0.5, 1.0}) {
                        auto other = row;
                        other[to] += share * row[from];
                        other[from] -= share * row[from];
                        EXPECT_LE(worth(which, fusing, other), most + 1e-12) << which << " " << fusing;
                    }
        }
}

TEST(FusedWeights, DoNotChangeWithANumberThatIsAdded) {
    for (const char* which : {"neighbours", "all"})
        for (const double by : {5.0, -40.0, 1000.0}) {
            std::vector<double> moved = scores;
            for (double& score : moved)
                score += by;
            EXPECT_TRUE(near(drawn(which, 0.1, moved), drawn(which, 0.1), 1e-11)) << which;
        }
}

TEST(FusedWeights, OfAnyKeysDoNotKnowTheOrder) {
    std::vector<double> turned(scores.rbegin(), scores.rend());
    auto row = drawn("all", 0.1, turned);
    std::ranges::reverse(row);
    EXPECT_TRUE(near(row, drawn("all", 0.1), 1e-12));
}

}  // namespace

}  // namespace headlight::invariants_fused_test
