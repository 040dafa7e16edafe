#include "core/tensor/tensor.h"

#include "core/tensor/dot.h"
#include "core/tensor/visible_text.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <limits>

namespace headlight::tensor_test { namespace {

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

TEST(Tensor, IsCopiedWhenItIsCopied) {
    Tensor matrix{{1, 2}, {3, 4}};
    const Tensor copy = matrix;
    matrix(0, 0) = 9;
    EXPECT_EQ(copy, (Tensor{{1, 2}, {3, 4}}));
    const Tensor moved = std::move(matrix);
    EXPECT_EQ(moved(0, 0), 9);
    EXPECT_TRUE(matrix.empty());  // NOLINT(bugprone-use-after-move): said to be so
}

TEST(Tensor, HasAMatrixForEachHead) {
    Tensor heads({2, 2, 3});
    heads.view(1).row(1)[2] = 5;
    EXPECT_EQ(heads[11], 5);
    const MatrixView<const double> all = std::as_const(heads).view(0);
    EXPECT_EQ(all.rows, 2);
    EXPECT_EQ(all.columns, 3);
    Tensor matrix{{1, 2}, {3, 4}};
    EXPECT_EQ(matrix.view().transposed()(0, 1), 3);
}

TEST(Dot, IsAddedFromTheFirstNumberToTheLast) {
    const double ones[] = {1, 1, 1}, lost[] = {1e16, 1, -1e16}, kept[] = {1e16, -1e16, 1};
    EXPECT_EQ(dot(lost, ones, 3), 0);
    EXPECT_EQ(dot(kept, ones, 3), 1);
    EXPECT_EQ(dot(kept, ones, 0), 0);
    const float large[] = {16777216, 1, 1};  // the next number of a float is two further
    EXPECT_EQ(dot(large, ones, 3), 16777218);
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
    EXPECT_EQ(excerpt("abcdef", 3), "abc…");
    EXPECT_EQ(excerpt("aé", 2), "a…");  // é is two bytes: it is dropped, not cut in half
    EXPECT_EQ(excerpt("é", 2), "é");
    EXPECT_EQ(excerpt("ab\x1b", 4), "ab…");  // an escape is not cut in half either
}

struct Shown {
    std::string text, shown;
};

class Invisible : public testing::TestWithParam<Shown> {};

TEST_P(Invisible, IsShownAsAnEscape) {
    EXPECT_EQ(visible(GetParam().text), GetParam().shown);
    EXPECT_EQ(excerpt(GetParam().text), GetParam().shown);
    const Error error({GetParam().text, GetParam().text, GetParam().text, GetParam().text});
    EXPECT_EQ(error.detail().got, GetParam().shown);
    EXPECT_STREQ(error.within(GetParam().text).what(),
                 (GetParam().shown + ": " + GetParam().shown + ": " + GetParam().shown + ": expected " +
                  GetParam().shown + ", got " + GetParam().shown)
                     .c_str());
}

// Expected texts by Unicode's tables (Cc, Cf, Zl, Zp) and RFC 3629.
INSTANTIATE_TEST_SUITE_P(
    All, Invisible,
    testing::Values(Shown{"a\nb\tc\rd", "a\\nb\\tc\\rd"}, Shown{std::string("\0", 1), "\\x00"},
                    Shown{"\x1b[31m", "\\x1b[31m"}, Shown{"\x7f", "\\x7f"},
                    Shown{"\xff\xfe", "\\xff\\xfe"},                    // no UTF-8
                    Shown{"\xc3", "\\xc3"},                             // cut off
                    Shown{"\xc0\xaf", "\\xc0\\xaf"},                    // overlong
                    Shown{"\xed\xa0\x80", "\\xed\\xa0\\x80"},           // a surrogate
                    Shown{"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},  // beyond U+10FFFF
                    Shown{"\u0085", "\\u0085"}, Shown{"a\u202Egnp.exe", "a\\u202egnp.exe"},
                    Shown{"a\u200Bb", "a\\u200bb"}, Shown{"\uFEFFx", "\\ufeffx"},
                    Shown{"\u2066x\u2069", "\\u2066x\\u2069"}, Shown{"\U000E0041", "\\U000e0041"},
                    Shown{"größe 語 مرحبا", "größe 語 مرحبا"},
                    Shown{"می\u200Cروم 👩\u200D🎓", "می\u200Cروم 👩\u200D🎓"}));

}}  // namespace headlight::tensor_test
