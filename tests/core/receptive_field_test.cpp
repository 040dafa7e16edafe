// What a stack of masked layers can know of.

#include "core/analysis/receptive_field.h"
#include "core/attention/component.h"
#include "tests/support/refusal.h"

namespace headlight::receptive_field_test {

using namespace test;

namespace {

Mask pattern(MaskPattern type, Options options) { return {PatternMask{type, std::move(options)}}; }

/// As written: paths of at most `layers` steps along allowed pairs.
std::vector<std::uint8_t> by_paths(const AllowedPairs& allowed, Index layers) {
    const Index tokens = allowed.queries();
    std::vector<std::uint8_t> first(static_cast<std::size_t>(tokens * tokens), 0);
    for (Index query = 0; query < tokens; ++query) {
        std::vector<Index> distance(static_cast<std::size_t>(tokens), layers + 1);
        distance[static_cast<std::size_t>(query)] = 0;
        for (Index layer = 1; layer <= layers; ++layer)
            for (Index from = 0; from < tokens; ++from)
                for (Index to = 0; to < tokens; ++to)
                    if (distance[static_cast<std::size_t>(from)] == layer - 1 && allowed.allowed(from, to))
                        distance[static_cast<std::size_t>(to)] =
                            std::min(distance[static_cast<std::size_t>(to)], layer);
        for (Index key = 0; key < tokens; ++key)
            if (const Index steps = distance[static_cast<std::size_t>(key)]; steps <= layers)
                first[static_cast<std::size_t>(query * tokens + key)] =
                    static_cast<std::uint8_t>(std::max<Index>(steps, 1));
    }
    return first;
}

TEST(ReceptiveField, IsThePathsAlongAllowedPairs) {
    for (const Index tokens : {1, 2, 7, 64, 65, 70})
        for (const Index seed : {1, 2, 3}) {
            const AllowedPairs allowed(pattern(MaskPattern::random, {{"keys", Index(2)}, {"seed", seed}}),
                                       tokens, tokens);
            EXPECT_EQ(receptive_field(allowed, 8).first, by_paths(allowed, 8)) << tokens;
        }
}

TEST(ReceptiveField, AWindowGrowsByItsReachWithEveryLayer) {
    const Index tokens = 20;
    const AllowedPairs allowed(pattern(MaskPattern::window, {{"size", Index(3)}}), tokens, tokens);
    const ReceptiveField field = receptive_field(allowed, 4);
    for (Index after = 1; after <= 4; ++after)
        for (Index query = 0; query < tokens; ++query)
            for (Index key = 0; key < tokens; ++key)
                EXPECT_EQ(field.reaches(query, key, after), key <= query && query - key <= 2 * after);
}

class SparseTransformer : public testing::TestWithParam<std::pair<MaskPattern, Index>> {};

TEST_P(SparseTransformer, CoversTheCausalTriangleInTwoHops) {
    const auto [type, stride] = GetParam();
    const Index tokens = stride * stride;
    const AllowedPairs sparse(pattern(type, {{"stride", stride}}), tokens, tokens);
    const ReceptiveField field = receptive_field(sparse, 2);
    const Index causal = tokens * (tokens + 1) / 2;
    EXPECT_LT(field.count(1), causal);
    EXPECT_EQ(field.count(2), causal);
    for (Index query = 0; query < tokens; ++query)
        for (Index key = 0; key < tokens; ++key)
            EXPECT_EQ(field.reaches(query, key, 2), key <= query) << query << ' ' << key;
}

INSTANTIATE_TEST_SUITE_P(All, SparseTransformer,
                         testing::Values(std::pair{MaskPattern::strided, Index(3)},
                                         std::pair{MaskPattern::strided, Index(5)},
                                         std::pair{MaskPattern::fixed, Index(3)},
                                         std::pair{MaskPattern::fixed, Index(5)}));

TEST(ReceptiveField, ATokenKeepsItsOwnVector) {
    const AllowedPairs nothing(Mask{Not{{Mask{NoMask{}}}}}, 3, 3);
    const ReceptiveField field = receptive_field(nothing, 2);
    EXPECT_EQ(field.first, (std::vector<std::uint8_t>{1, 0, 0, 0, 1, 0, 0, 0, 1}));
}

TEST(ReceptiveField, NeedsOneSequence) {
    expect_refusal([] { receptive_field(AllowedPairs(Mask{}, 3, 2), 1); }, {"3 queries and 2 keys"});
    expect_refusal([] { receptive_field(AllowedPairs(Mask{}, 3, 3), 0); }, {"layers", "1 to 64"});
}

}  // namespace

}  // namespace headlight::receptive_field_test
