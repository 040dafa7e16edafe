#include "core/tensor/tensor.h"

#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <limits>

namespace headlight { namespace {

TEST(Tensor, IsRowMajor) {
    const Tensor matrix{{1, 2, 3}, {4, 5, 6}};
    EXPECT_EQ(matrix.shape(), (Shape{2, 3}));
    EXPECT_EQ(matrix(1, 0), 4);
    EXPECT_EQ(matrix.row(1)[2], 6);
    EXPECT_EQ(matrix.values()[3], 4);
    EXPECT_EQ(to_string(matrix.shape()), "[2, 3]");
}

TEST(Tensor, OfRankOneHasNoRows) {
    const Tensor vector({3}, 2.0);
    EXPECT_EQ(vector.rank(), 1);
    EXPECT_EQ(vector.rows(), 0);
    EXPECT_EQ(vector.size(), 3);
    EXPECT_EQ(vector.values().back(), 2.0);
}

TEST(Tensor, WithAnEmptyAxisHoldsNothing) {
    const Tensor none({0, 5});
    EXPECT_TRUE(none.empty());
    EXPECT_EQ(none.cols(), 5);
}

TEST(Tensor, RefusesNumbersThatDoNotFillIt) {
    EXPECT_EQ(test::refusal([] {
                  Tensor({2, 2}, std::vector<double>{1, 2, 3});
              }),
              "tensor of shape [2, 2]: expected 4 numbers, got 3");
    EXPECT_EQ(test::refusal([] {
                  Tensor{{1, 2}, {3}};
              }),
              "matrix: expected rows of equal length, got rows of different lengths");
}

TEST(Tensor, RefusesShapesBeyondMemory) {
    const Index huge = Index(1) << 40;
    for (const Shape& shape : {Shape{huge, huge}, Shape{-1, 3}, Shape{std::numeric_limits<Index>::max()}})
        EXPECT_NE(test::refusal([&] { element_count(shape); }).find(to_string(shape)), std::string::npos);
}

TEST(Tensor, KnowsWhetherItsNumbersAreFinite) {
    EXPECT_TRUE(all_finite(Tensor{{1, -2}}));
    EXPECT_FALSE(all_finite(Tensor{{1, std::numeric_limits<double>::quiet_NaN()}}));
    EXPECT_FALSE(all_finite(Tensor{{1, -std::numeric_limits<double>::infinity()}}));
}

TEST(Error, IsOneLine) {
    EXPECT_STREQ(Error({"what", "where", "this", "that"}).what(), "where: what: expected this, got that");
    EXPECT_STREQ(Error({"what", "", "", "that"}).what(), "what: got that");
    EXPECT_STREQ(Error({"what", "/score", "", ""}).within("a.json").what(), "a.json: /score: what");
}

TEST(Error, ShowsExcerptsThatCannotGarbleIt) {
    EXPECT_EQ(excerpt("a\nb\tc"), "a b c");
    EXPECT_EQ(excerpt("abcdef", 3), "abc…");
    EXPECT_EQ(excerpt("aé", 2), "a…");  // é is two bytes: it is dropped, not cut in half
    EXPECT_EQ(excerpt("é", 2), "é");
}

}}  // namespace headlight
