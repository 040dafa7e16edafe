// Invariants of score functions and of the softmax over them. The numbers are those of the list of invariants
// in the catalogue of attentions that this engine implements.

#include "tests/support/attention_runs.h"

#include <numeric>

namespace headlight::invariants_scores_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;

struct Sequences : testing::Test {
    RandomEngine random{42};
    Inputs inputs{.query = random_tensor({4, 6}, random),
                  .key = random_tensor({5, 6}, random),
                  .value = random_tensor({5, 3}, random)};

    Numbers attend(const std::string& rest) const { return attend(rest, inputs); }
    static Numbers attend(const std::string& rest, const Inputs& given) {
        return run(spec(R"({"source": {"type": "cross"}, )" + rest + "}"), given);
    }
};

Tensor constant(Shape shape, double value) { return Tensor(std::move(shape), value); }

TEST_F(Sequences, Invariant01_RowsSumToOneOrToNothing) {
    const Numbers numbers = attend(R"("mask": {"type": "matrix", "allowed":
        [[1, 1, 1, 1, 1], [0, 1, 0, 0, 0], [0, 0, 0, 0, 0], [1, 0, 1, 0, 1]]})");
    const std::vector<double> sums{1, 1, 0, 1};
    for (std::size_t row = 0; row < sums.size(); ++row) {
        const auto begin = numbers.weights.begin() + static_cast<Index>(row) * 5;
        EXPECT_NEAR(std::accumulate(begin, begin + 5, 0.0), sums[row], exact);
    }
}

// A column of ones in the keys meets a column of its own in the queries: every query adds its own number to
// its row.
TEST_F(Sequences, Invariant04_ShiftingARowOfScoresChangesNoWeight) {
    Inputs shifted = inputs;
    shifted.query = side_by_side(inputs.query, Tensor({{3.5}, {-40}, {0}, {700}}));
    shifted.key = side_by_side(*inputs.key, constant({5, 1}, 1));
    EXPECT_TRUE(
        near(attend(R"("score": {"type": "dot"})", shifted), attend(R"("score": {"type": "dot"})"), 1e-11));
}

class EveryActivation : public Sequences, public testing::WithParamInterface<std::string> {};
INSTANTIATE_TEST_SUITE_P(Invariants, EveryActivation, testing::Values("tanh", "relu", "sigmoid", "identity"),
                         [](const auto& row) { return row.param; });

TEST_P(EveryActivation, Invariant05_ConcatEqualsAdditive) {
    for (const std::string bias : {"false", "true"}) {
        const std::string rest = R"(", "activation": ")" + GetParam() + R"(", "bias": )" + bias + "}";
        Inputs additive = inputs;
        additive.parameters = {{"W_1", random_tensor({6, 7}, random)},
                               {"W_2", random_tensor({6, 7}, random)},
                               {"b", random_tensor({7}, random)},
                               {"v", random_tensor({7}, random)}};
        Inputs concat = inputs;
        concat.parameters = {{"W", stacked(additive.parameters["W_1"], additive.parameters["W_2"])},
                             {"b", additive.parameters["b"]},
                             {"v", additive.parameters["v"]}};
        EXPECT_TRUE(near(attend(R"("score": {"type": "concat)" + rest, concat),
                         attend(R"("score": {"type": "additive)" + rest, additive), exact));
    }
}

TEST_P(EveryActivation, Invariant06_OnlyIdentityMakesAllRowsAlike) {
    const Numbers numbers = attend(R"("score": {"type": "additive", "activation": ")" + GetParam() + R"("})");
    const auto first = std::span(numbers.weights).first(5);
    bool alike = true;
    for (std::size_t row = 1; row < 4; ++row)
        alike = alike && near(std::span(numbers.weights).subspan(row * 5, 5), first, exact);
    EXPECT_EQ(alike, GetParam() == "identity");
}

TEST_F(Sequences, Invariant07_GeneralWithAProductOfMatricesEqualsTheProjectedDot) {
    const Tensor W_q = random_tensor({6, 4}, random);
    const Tensor W_k = random_tensor({6, 4}, random);
    Inputs projected = inputs;
    projected.parameters = {{"W_q", W_q}, {"W_k", W_k}, {"W_v", identity(3)}};
    Inputs general = inputs;
    general.parameters = {{"W", product(W_q, transposed(W_k))}};
    EXPECT_TRUE(near(attend(R"("score": {"type": "general"})", general),
                     attend(R"("projections": {"type": "learned"}, "score": {"type": "dot"})", projected),
                     exact));
}

TEST_F(Sequences, GeneralWithTheIdentityEqualsDot) {
    Inputs general = inputs;
    general.parameters = {{"W", identity(6)}};
    EXPECT_TRUE(near(attend(R"("score": {"type": "general"})", general),
                     attend(R"("score": {"type": "dot"})"), exact));
}

TEST_F(Sequences, ScaledDotIsDotAtTemperatureRootOfTheWidth) {
    EXPECT_TRUE(near(attend(R"("score": {"type": "scaled_dot"})"),
                     attend(R"("score": {"type": "dot"}, "normalizer": {"type": "softmax", "temperature": )" +
                            Json(std::sqrt(6.0)).dump() + "}"),
                     exact));
}

TEST_F(Sequences, LearnedScaleOfOneEqualsDot) {
    EXPECT_TRUE(
        near(attend(R"("score": {"type": "learned_scale"})"), attend(R"("score": {"type": "dot"})"), exact));
}

// tanh(x) = 2 sigmoid(2x) - 1: with W doubled and v doubled, a sigmoid scorer is a tanh scorer plus a
// constant.
TEST_F(Sequences, SigmoidAndTanhScorersAreEquallyStrong) {
    const Tensor W_1 = random_tensor({6, 7}, random);
    const Tensor W_2 = random_tensor({6, 7}, random);
    const Tensor v = random_tensor({7}, random);
    const auto doubled = [](Tensor tensor) {
        for (double& x : tensor.values())
            x *= 2;
        return tensor;
    };
    Inputs tanh = inputs;
    tanh.parameters = {{"W_1", W_1}, {"W_2", W_2}, {"v", v}};
    Inputs sigmoid = inputs;
    sigmoid.parameters = {{"W_1", doubled(W_1)}, {"W_2", doubled(W_2)}, {"v", doubled(v)}};
    EXPECT_TRUE(near(attend(R"("score": {"type": "additive", "activation": "sigmoid"})", sigmoid),
                     attend(R"("score": {"type": "additive", "activation": "tanh"})", tanh), exact));
}

}  // namespace

}  // namespace headlight::invariants_scores_test
