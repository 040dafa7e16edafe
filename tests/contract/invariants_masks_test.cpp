// Invariants of masks and of positions under a mask; numbered as in the catalogue of attentions.

#include "tests/support/attention_runs.h"

#include <functional>
#include <limits>

namespace headlight::invariants_masks_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct Masked : testing::Test {
    RandomEngine random{43};
    Inputs inputs{.query = random_tensor({6, 4}, random),
                  .key = random_tensor({6, 4}, random),
                  .value = random_tensor({6, 3}, random)};

    template <class Real = double>
    Numbers attend(const std::string& rest) const {
        return run<Real>(spec(R"({"source": {"type": "cross"}, )" + rest + "}"), inputs);
    }
};

/// The explicit matrix of a rule on pairs, as JSON.
std::string matrix_mask(Index queries, Index keys, const std::function<bool(Index, Index)>& allowed) {
    Json rows = Json::array();
    for (Index i = 0; i < queries; ++i) {
        Json row = Json::array();
        for (Index j = 0; j < keys; ++j)
            row.push_back(allowed(i, j) ? 1 : 0);
        rows.push_back(row);
    }
    return Json{{"type", "matrix"}, {"allowed", rows}}.dump();
}

TEST_F(Masked, Invariant02_InfiniteMaskIsTheSameInsideAndOutsideTheScale) {
    const std::string causal = R"("mask": {"type": "causal"}, "mask_order": )";
    EXPECT_EQ(attend(causal + R"("before_scale")").weights, attend(causal + R"("after_scale")").weights);
}

TEST_F(Masked, Invariant02_FiniteMaskDiffers) {
    const std::string causal = R"("mask": {"type": "causal"}, "mask_value": -2, "mask_order": )";
    const Numbers inside = attend(causal + R"("before_scale")");
    EXPECT_FALSE(near(inside, attend(causal + R"("after_scale")"), 0.01));
    // (S + M) c = S c + M c: inside the scale of 1/2 it is half the mask outside.
    EXPECT_TRUE(near(inside, attend(R"("mask": {"type": "causal"}, "mask_value": -1)"), exact));
}

// Five behaviours are in the wild for a query that may look at nothing. Ours is a zero row and a flag; a
// finite mask value reproduces two others, depending on the precision.
TEST_F(Masked, Invariant03_FullyMaskedRowIsZeroAndFlagged) {
    const AttentionSpec third_row_empty =
        spec(R"({"source": {"type": "cross"}, "mask": )" +
             matrix_mask(6, 6, [](Index i, Index) { return i != 2; }) + "}");
    const Trace trace = record(planned(third_row_empty, inputs));
    EXPECT_EQ(trace.fully_masked_queries, std::vector<Index>{2});
    const std::vector<double> weights = stage(trace, "weights");
    const std::vector<double> output = stage(trace, "output");
    EXPECT_EQ(std::vector(weights.begin() + 12, weights.begin() + 18), std::vector<double>(6, 0.0));
    EXPECT_EQ(std::vector(output.begin() + 6, output.begin() + 9), std::vector<double>(3, 0.0));
    for (const double value : weights)
        EXPECT_TRUE(std::isfinite(value));
}

TEST_F(Masked, Invariant03_FiniteMaskKeepsTheSoftmaxWhenPrecisionKeepsTheScores) {
    const std::string nothing = R"("mask": {"not": {"type": "none"}}, "mask_value": -1e9)";
    EXPECT_TRUE(
        near(attend<double>(nothing).weights, attend<double>(R"("mask": {"type": "none"})").weights, 1e-6));
}

TEST_F(Masked, Invariant03_FiniteMaskIsUniformWhenPrecisionSwallowsTheScores) {
    const std::string nothing = R"("mask": {"not": {"type": "none"}}, "mask_value": -1e9)";
    EXPECT_TRUE(near(attend<float>(nothing).weights, std::vector<double>(36, 1.0 / 6), 1e-6));
}

// ALiBi's bias -m (i - j) and its key-only form m j differ by -m i, a number for the whole row. Both as a
// general score of queries [q, 1, i] and keys [k, j, 1].
TEST_F(Masked, Invariant10_KeyOnlyBiasEqualsDistanceBiasOnCausalRows) {
    constexpr double m = 0.25;
    Tensor of_query({6, 2}, 1);
    Tensor of_key({6, 2}, 1);
    for (Index i = 0; i < 6; ++i)
        of_query(i, 1) = of_key(i, 0) = static_cast<double>(i);
    Inputs positioned = inputs;
    positioned.query = side_by_side(inputs.query, of_query);
    positioned.key = side_by_side(*inputs.key, of_key);
    const auto biased = [&](double of_i) {
        Tensor W({6, 6});
        for (Index c = 0; c < 4; ++c)
            W(c, c) = 0.5;  // 1 / sqrt(4)
        W(4, 4) = m;
        W(5, 5) = of_i;
        positioned.parameters["W"] = W;
        return run(
            spec(
                R"({"source": {"type": "cross"}, "score": {"type": "general"}, "mask": {"type": "causal"}})"),
            positioned);
    };
    const Numbers distance = biased(-m);
    EXPECT_TRUE(near(biased(0), distance, exact));
    EXPECT_FALSE(near(attend(R"("mask": {"type": "causal"})"), distance, 0.01));
}

TEST_F(Masked, Invariant13_WindowOfTheWholeSequenceIsCausal) {
    const std::string window = matrix_mask(6, 6, [](Index i, Index j) { return i - j < 6; });
    EXPECT_EQ(attend(R"("mask": {"all": [{"type": "causal"}, )" + window + "]}").weights,
              attend(R"("mask": {"type": "causal"})").weights);
}

TEST_F(Masked, Invariant13_WindowOfOneGivesTheValues) {
    const std::string window = matrix_mask(6, 6, [](Index i, Index j) { return i - j < 1; });
    const Numbers numbers = attend(R"("mask": {"all": [{"type": "causal"}, )" + window + "]}");
    EXPECT_TRUE(near(numbers.weights, identity(6).values(), exact));
    EXPECT_TRUE(near(numbers.output, inputs.value->values(), exact));
}

TEST_F(Masked, MasksComposeLikePredicates) {
    const std::string causal = R"({"type": "causal"})";
    const std::string padding = R"({"type": "padding", "key_lengths": 4})";
    const auto same = [&](const std::string& mask, const std::function<bool(Index, Index)>& allowed) {
        EXPECT_EQ(attend(R"("mask": )" + mask).weights,
                  attend(R"("mask": )" + matrix_mask(6, 6, allowed)).weights)
            << mask;
    };
    same(causal, [](Index i, Index j) { return j <= i; });
    same(padding, [](Index, Index j) { return j < 4; });
    same(R"({"all": [)" + causal + ", " + padding + "]}", [](Index i, Index j) { return j <= i && j < 4; });
    same(R"({"any": [)" + causal + ", " + padding + "]}", [](Index i, Index j) { return j <= i || j < 4; });
    same(R"({"not": )" + causal + "}", [](Index i, Index j) { return j > i; });
    same(R"({"all": []})", [](Index, Index) { return true; });
    same(R"({"any": []})", [](Index, Index) { return false; });
}

TEST(CausalAlignment, MeetsTheFirstOrTheLastKey) {
    RandomEngine random(44);
    const Inputs inputs{.query = random_tensor({2, 4}, random), .key = random_tensor({5, 4}, random)};
    const auto reach = [&](const std::string& align) {
        const auto plan = planned(
            spec(R"({"source": {"type": "cross"}, "mask": {"type": "causal", "align": ")" + align + R"("}})"),
            inputs);
        return std::vector{plan->allowed.end(0), plan->allowed.end(1)};
    };
    EXPECT_EQ(reach("top_left"), (std::vector<Index>{1, 2}));
    EXPECT_EQ(reach("bottom_right"), (std::vector<Index>{4, 5}));
}

// Whatever stands in the padding: other numbers, in any order, or no numbers at all.
TEST_F(Masked, Invariant43_ContentOfThePaddingNeverMatters) {
    for (const std::string rest :
         {R"("score": {"type": "scaled_dot"})", R"("score": {"type": "additive", "bias": true})",
          R"("score": {"type": "concat"})", R"("score": {"type": "general"})",
          R"("position": {"type": "sinusoidal"})",
          R"("projections": {"type": "learned", "bias": true}, "heads": {"type": "multi", "heads": 2})",
          R"("normalizer": {"type": "hard", "mode": "argmax"})",
          R"("normalizer": {"type": "hard", "mode": "sample", "draws": 5})"}) {
        SCOPED_TRACE(rest);
        const AttentionSpec padded = spec(
            R"({"source": {"type": "cross"}, "mask": {"type": "padding", "key_lengths": 4}, )" + rest + "}");
        Inputs given = inputs;
        given.value = random_tensor({6, 4}, random);
        const Numbers numbers = run(padded, given);
        const Numbers floats = run<float>(padded, given);
        const std::vector<Index> last_two_swapped{0, 1, 2, 3, 5, 4};
        Inputs swapped = given;
        swapped.key = rows_of(*given.key, last_two_swapped);
        swapped.value = rows_of(*given.value, last_two_swapped);
        Inputs broken = given;
        for (const Index row : {4, 5}) {
            std::ranges::fill(broken.key->row(row), not_a_number);
            std::ranges::fill(broken.value->row(row), not_a_number);
        }
        for (const Inputs& other : {swapped, broken}) {
            EXPECT_EQ(run(padded, other).output, numbers.output);
            EXPECT_EQ(run(padded, other).weights, numbers.weights);
            EXPECT_EQ(run<float>(padded, other).output, floats.output);
            const Trace trace = record(planned(padded, other));
            EXPECT_EQ(stage(trace, "output"), numbers.output);
            EXPECT_EQ(stage(trace, "weights"), numbers.weights);
        }
    }
}

}  // namespace

}  // namespace headlight::invariants_masks_test
