#include "core/text/token_vectors.h"

#include "core/tensor/error.h"
#include "core/text/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ostream>

namespace headlight::token_vectors_test { namespace {

using Tokens = std::vector<std::string>;

double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
double norm(std::span<const double> a) { return std::sqrt(dot(a, a)); }
double cosine(std::span<const double> a, std::span<const double> b) {
    return dot(a, b) / (norm(a) * norm(b));
}

Tensor vectors(const Tokens& tokens, const VectorSettings& settings) {
    return token_vectors(tokens, {}, settings).query.vectors;
}

struct Row {
    const char* what;
    VectorSettings settings;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.what; }

const Tokens sentence =
    split_text("The animal didn't cross the street because it was too tired.", TokenSplit::words);

class EveryVectorKind : public testing::TestWithParam<Row> {};

TEST_P(EveryVectorKind, GivesTheWantedShapeForBothSequences) {
    const auto [query, key] = token_vectors(sentence, {"la", "calle"}, GetParam().settings);
    EXPECT_EQ(query.vectors.shape(), (Shape{std::ssize(sentence), GetParam().settings.dimension}));
    EXPECT_EQ(key.vectors.shape(), (Shape{2, GetParam().settings.dimension}));
    EXPECT_EQ(query.unknown.size(), sentence.size());
    EXPECT_EQ(key.unknown.size(), 2u);
    EXPECT_TRUE(all_finite(query.vectors));
}

TEST_P(EveryVectorKind, IsTheSameForTheSameSeed) {
    EXPECT_EQ(vectors(sentence, GetParam().settings), vectors(sentence, GetParam().settings));
}

INSTANTIATE_TEST_SUITE_P(
    TokenVectors, EveryVectorKind,
    testing::Values(Row{"english", {}}, Row{"english, whole", {.dimension = 100}},
                    Row{"english, projected down", {.dimension = 32, .reduction = Reduction::project}},
                    Row{"english, projected up", {.dimension = 512, .reduction = Reduction::truncate}},
                    Row{"english, one number", {.dimension = 1}},
                    Row{"hashed", {.kind = VectorKind::hashed, .dimension = 64}},
                    Row{"hashed, largest", {.kind = VectorKind::hashed, .dimension = largest_dimension}},
                    Row{"one-hot", {.kind = VectorKind::one_hot, .dimension = 20}},
                    Row{"random", {.kind = VectorKind::random, .dimension = 48, .seed = 7}}));

class VectorLength : public testing::TestWithParam<Row> {};
TEST_P(VectorLength, IsTypicalWhateverTheKind) {
    const Tensor tensor = vectors(sentence, GetParam().settings);
    const double component = norm(tensor.values()) / std::sqrt(static_cast<double>(tensor.size()));
    EXPECT_NEAR(component, typical_component, 0.25 * typical_component);
}
INSTANTIATE_TEST_SUITE_P(TokenVectors, VectorLength,
                         testing::Values(Row{"english", {}}, Row{"english, short", {.dimension = 16}},
                                         Row{"english, projected", {.dimension = 300}},
                                         Row{"hashed", {.kind = VectorKind::hashed}},
                                         Row{"random", {.kind = VectorKind::random, .dimension = 8}}));

TEST(TokenVectors, MarksWordsThatEnglishDoesNotKnow) {
    const TokenVectors known = token_vectors({"The", "qwzx", "cat", "[SEP]"}, {}, {}).query;
    EXPECT_EQ(known.unknown, (std::vector<bool>{false, true, false, true}));
    const TokenVectors again = token_vectors({"qwzx"}, {}, {}).query;
    EXPECT_TRUE(std::ranges::equal(again.vectors.row(0), known.vectors.row(1)));
    EXPECT_EQ(token_vectors({"qwzx"}, {}, {.kind = VectorKind::hashed}).query.unknown,
              (std::vector<bool>{false}));
}

TEST(TokenVectors, TruncationKeepsTheFirstNumbers) {
    const Tensor whole = vectors(sentence, {.dimension = 100});
    const Tensor first = vectors(sentence, {.dimension = 10});
    for (Index r = 0; r < first.rows(); ++r)
        EXPECT_TRUE(std::ranges::equal(first.row(r), whole.row(r).first(10))) << sentence[r];
}

TEST(TokenVectors, ProjectionKeepsAnglesAndDependsOnTheSeed) {
    const Tokens words{"king", "queen", "cabbage", "parliament"};
    const Tensor whole = vectors(words, {.dimension = 100});
    const Tensor projected = vectors(words, {.dimension = 2048, .reduction = Reduction::project});
    for (Index i = 0; i < 4; ++i)
        for (Index j = 0; j < 4; ++j)
            EXPECT_NEAR(cosine(projected.row(i), projected.row(j)), cosine(whole.row(i), whole.row(j)), 0.08);
    EXPECT_NE(vectors(words, {.reduction = Reduction::project, .seed = 1}),
              vectors(words, {.reduction = Reduction::project, .seed = 2}));
}

// Pinned, because a figure made last year must come out the same.
TEST(TokenVectors, HashedVectorsAreTheSameOnEveryMachine) {
    const Tensor hashed = vectors({"attention", "cat"}, {.kind = VectorKind::hashed, .dimension = 4});
    const Tensor pinned(
        {{-1.1313829783808869, -0.087548944228218087, 0.23918560594475741, 0.78428182721733175},
         {-0.38008552530463918, 0.9520817549457874, -0.55537425581372313, -0.77500629760834827}});
    for (Index i = 0; i < hashed.size(); ++i)
        EXPECT_DOUBLE_EQ(hashed[i], pinned[i]) << i;
}

TEST(TokenVectors, HashedVectorsOfDifferentWordsAreNearlyOrthogonal) {
    const Tensor hashed =
        vectors({"cat", "Cat", "cats", "dog", "猫"}, {.kind = VectorKind::hashed, .dimension = 1024});
    for (Index i = 0; i < hashed.rows(); ++i) {
        EXPECT_NEAR(norm(hashed.row(i)), typical_component * 32, 1e-12);
        for (Index j = 0; j < i; ++j)
            EXPECT_LT(std::abs(cosine(hashed.row(i), hashed.row(j))), 0.12);
    }
}

TEST(TokenVectors, RandomVectorsDifferByPositionSequenceAndSeed) {
    const VectorSettings settings{.kind = VectorKind::random, .dimension = 8, .seed = 1};
    const auto [query, key] = token_vectors({"cat", "cat"}, {"cat"}, settings);
    EXPECT_FALSE(std::ranges::equal(query.vectors.row(0), query.vectors.row(1)));
    EXPECT_FALSE(std::ranges::equal(query.vectors.row(0), key.vectors.row(0)));
    EXPECT_NE(vectors({"cat"}, settings),
              vectors({"cat"}, {.kind = VectorKind::random, .dimension = 8, .seed = 2}));
}

TEST(TokenVectors, OneHotAxesAreSharedByBothSequences) {
    const auto [query, key] =
        token_vectors({"a", "b", "a"}, {"b", "c"}, {.kind = VectorKind::one_hot, .dimension = 4});
    EXPECT_EQ(query.vectors, Tensor({{1, 0, 0, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}}));
    EXPECT_EQ(key.vectors, Tensor({{0, 1, 0, 0}, {0, 0, 1, 0}}));
}

struct Refusal {
    const char* what;
    VectorSettings settings;
    const char* message;
};
void PrintTo(const Refusal& row, std::ostream* out) { *out << row.what; }

class TokenVectorsRefuse : public testing::TestWithParam<Refusal> {};
TEST_P(TokenVectorsRefuse, WithPlaceExpectedAndGot) {
    try {
        token_vectors({"a", "b", "a"}, {"c"}, GetParam().settings);
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), GetParam().message);
    }
}
INSTANTIATE_TEST_SUITE_P(
    TokenVectors, TokenVectorsRefuse,
    testing::Values(
        Refusal{"zero", {.dimension = 0}, "dimension: token vectors: expected 1 to 4096, got 0"},
        Refusal{"too many", {.dimension = 4097}, "dimension: token vectors: expected 1 to 4096, got 4097"},
        Refusal{"one-hot too narrow",
                {.kind = VectorKind::one_hot, .dimension = 2},
                "dimension: one-hot vectors: expected at least 3, one axis for each distinct token, got 2"}));

/// Row-wise softmax of x x^T times `scale`.
Tensor self_attention_weights(const Tensor& x, double scale) {
    Tensor weights(Shape{x.rows(), x.rows()});
    for (Index i = 0; i < x.rows(); ++i) {
        double sum = 0;
        for (Index j = 0; j < x.rows(); ++j)
            sum += weights(i, j) = std::exp(scale * (dot(x.row(i), x.row(j)) - dot(x.row(i), x.row(i))));
        for (double& weight : weights.row(i))
            weight /= sum;
    }
    return weights;
}

/// 0 when every row is one-hot, 1 when every row is uniform.
double mean_entropy(const Tensor& weights) {
    double entropy = 0;
    for (const double weight : weights.values())
        entropy -= weight > 0 ? weight * std::log(weight) : 0;
    const auto n = static_cast<double>(weights.rows());
    return entropy / (n * std::log(n));
}

TEST(TokenVectors, MakePicturesWithStructure) {
    const Tensor x = vectors(sentence, {.dimension = 64});
    const double scaled = mean_entropy(self_attention_weights(x, 1 / 8.0));
    EXPECT_GT(scaled, 0.4);
    EXPECT_LT(scaled, 0.9);
    const double plain = mean_entropy(self_attention_weights(vectors(sentence, {.dimension = 16}), 1));
    EXPECT_GT(plain, 0.3);
    EXPECT_LT(plain, 0.9);
}

}}  // namespace headlight::token_vectors_test
