#include "core/attention/plan.h"
#include "core/tensor/interruption.h"
#include "core/tensor/memory.h"
#include "core/tensor/sanitizers.h"
#include "tests/support/long_tests.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

namespace headlight::allowed_pairs_test { namespace {

Mask causal(CausalAlignment alignment = CausalAlignment::top_left) { return {CausalMask{alignment}}; }
Mask padding(std::optional<Index> lengths) { return {PaddingMask{lengths}}; }
Mask matrix(std::vector<std::vector<bool>> allowed) { return {MatrixMask{std::move(allowed)}}; }
Mask all(std::vector<Mask> masks) { return {AllOf{std::move(masks)}}; }
Mask any(std::vector<Mask> masks) { return {AnyOf{std::move(masks)}}; }
Mask negated(Mask mask) { return {Not{{std::move(mask)}}}; }

/// One line per query, # where it may look.
std::string picture(const AllowedPairs& pairs) {
    std::string text;
    for (Index query = 0; query < pairs.queries(); ++query) {
        text += query ? "/" : "";
        for (Index key = 0; key < pairs.keys(); ++key)
            text += pairs.allowed(query, key) ? '#' : '.';
    }
    return text;
}

struct Case {
    const char* name;
    Mask mask;
    Index queries, keys;
    const char* picture;
    bool is_prefix;
    bool is_masked;
};

class Masks : public testing::TestWithParam<Case> {};

TEST_P(Masks, AllowThesePairs) {
    const Case& row = GetParam();
    const AllowedPairs pairs(row.mask, row.queries, row.keys);
    const std::string shown = picture(pairs);
    EXPECT_EQ(shown, row.picture);
    EXPECT_EQ(pairs.is_prefix(), row.is_prefix);
    EXPECT_EQ(is_masked(row.mask), row.is_masked);
    EXPECT_EQ(pairs.count(), std::ranges::count(shown, '#'));
    EXPECT_EQ(pairs.all_allowed(), shown.find('.') == std::string::npos);
}

const Case cases[] = {
    {"none", {NoMask{}}, 2, 3, "###/###", true, false},
    {"causal", causal(), 3, 3, "#../##./###", true, true},
    {"causal_more_keys_top_left", causal(), 2, 4, "#.../##..", true, true},
    {"causal_more_keys_bottom_right", causal(CausalAlignment::bottom_right), 2, 4, "###./####", true, true},
    {"causal_fewer_keys_bottom_right", causal(CausalAlignment::bottom_right), 4, 2, "../../#./##", true,
     true},
    {"causal_one_query_sees_all", causal(CausalAlignment::bottom_right), 1, 3, "###", true, true},
    {"padding", padding(2), 2, 3, "##./##.", true, true},
    {"padding_of_nothing", padding({}), 2, 3, "###/###", true, false},
    {"padding_of_everything", padding(0), 2, 2, "../..", true, true},
    {"matrix", matrix({{true, false, true}, {false, false, false}}), 2, 3, "#.#/...", false, true},
    {"matrix_of_ones", matrix({{true, true}}), 1, 2, "##", true, false},
    {"all", all({causal(), padding(2)}), 3, 3, "#../##./##.", true, true},
    {"all_of_nothing", all({}), 1, 2, "##", true, false},
    {"any", any({causal(), padding(2)}), 3, 3, "##./##./###", true, true},
    {"any_of_nothing", any({}), 1, 2, "..", true, true},
    {"any_with_none", any({causal(), {NoMask{}}}), 2, 2, "##/##", true, false},
    {"not_causal", negated(causal()), 3, 3, ".##/..#/...", false, true},
    {"not_not", negated(negated(padding(1))), 1, 3, "#..", true, true},
    {"window",
     all({causal(), negated(matrix({{false, false, false}, {false, false, false}, {true, false, false}}))}),
     3, 3, "#../##./.##", false, true},
};

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Rows, Masks, testing::ValuesIn(cases), name_of);

TEST(AllowedPairs, JoinedMasksAllowWhatBothAllow) {
    EXPECT_EQ(joined_masks(causal(), padding(2)), all({causal(), padding(2)}));
    EXPECT_EQ(joined_masks({NoMask{}}, causal()), causal());
    EXPECT_EQ(joined_masks(causal(), padding({})), causal());
    EXPECT_EQ(joined_masks({NoMask{}}, {NoMask{}}), Mask{NoMask{}});
}

TEST(AllowedPairs, KnowsWhoSeesNothingAndWhatNobodySees) {
    const AllowedPairs pairs(matrix({{false, true, false}, {false, false, false}}), 2, 3);
    EXPECT_EQ(pairs.fully_masked_queries(), (std::vector<Index>{1}));
    EXPECT_EQ(pairs.used_keys(), (std::vector<std::uint8_t>{0, 1, 0}));
    EXPECT_EQ(pairs.end(0), 2);
    EXPECT_EQ(pairs.end(1), 0);
}

TEST(AllowedPairs, RefusesMasksOfOtherShapes) {
    const auto refusal = [](const Mask& mask, Index queries = 2, Index keys = 3) {
        return test::refusal([&] { AllowedPairs(mask, queries, keys); });
    };
    EXPECT_EQ(refusal(padding(4)),
              "mask.key_lengths: padding mask: expected 0 to 3, the number of keys, got 4");
    EXPECT_EQ(refusal(padding(-1)),
              "mask.key_lengths: padding mask: expected 0 to 3, the number of keys, got -1");
    EXPECT_EQ(
        refusal(matrix({{true, true, true}})),
        "mask.allowed: matrix mask: expected [2, 3]: a row for each query, a cell for each key, got 1 row");
    EXPECT_EQ(refusal(all({matrix({{true, true, true}, {true}})})),
              "mask.allowed, row 2: matrix mask: expected [2, 3]: a row for each query, a cell for each key, "
              "got 1 cell");
    EXPECT_EQ(refusal({Not{}}), "mask.not: negated mask: expected exactly one mask, got 0");
    const MemoryLimit limit(4'000'000'000);
    EXPECT_EQ(
        refusal(negated(causal()), Index(1) << 20, Index(1) << 20),
        "mask: expected at most 4.0 GB of memory, as --memory says, got 143 GB: a bit for each of 1048576 "
        "keys for each query");
}

TEST(AllowedPairs, OfLongSequencesHaveNoCells) {
    constexpr Index queries = 2'500, keys = 2'000;
    for (const Mask& mask : {Mask{NoMask{}}, causal(), causal(CausalAlignment::bottom_right), padding(1'234),
                             padding(0), all({causal(), padding(900)})}) {
        const AllowedPairs pairs(mask, queries, keys), few(mask, queries, 1'500);
        EXPECT_TRUE(pairs.is_prefix());
        EXPECT_EQ(pairs.rows_from(7), nullptr);
        EXPECT_NE(few.rows_from(7), nullptr) << "few enough pairs for cells";
        Index count = 0;
        for (const Index query : {Index(0), Index(1), Index(1'999), queries - 1}) {
            const auto row = pairs.row(query);
            ASSERT_EQ(std::ssize(row), keys);
            for (Index key = 0; key < keys; ++key)
                EXPECT_EQ(row[static_cast<std::size_t>(key)] != 0, key < pairs.end(query));
        }
        for (Index query = 0; query < queries; ++query)
            count += pairs.end(query);
        EXPECT_EQ(pairs.count(), count);
        EXPECT_EQ(std::ranges::count(pairs.used_keys(), 1), std::ranges::max(pairs.ends()));
    }
    const AllowedPairs window(all({causal(), negated(padding(3))}), queries, keys);
    EXPECT_FALSE(window.is_prefix());
    EXPECT_EQ(window.rows_from(5), nullptr);
    EXPECT_EQ(std::ranges::count(window.row(4), 1), 2);
    EXPECT_EQ(std::ranges::count(window.row(1'000), 1), 1'001 - 3);
}

TEST(AllowedPairs, OfAMillionTokensAreCountedWithoutACellForEach) {
    constexpr Index tokens = Index(1) << 20;
    EXPECT_EQ(AllowedPairs(causal(), tokens, tokens).count(), tokens * (tokens + 1) / 2);
}

TEST(AllowedPairs, DrawAMaskOfManyRowByRow) {
    // A thousand masks on 600 x 600 pairs: each alone would take 360 KB at a time.
    const Index rows = is_sanitized && !test::is_long() ? 60 : 600;
    Mask some = all({});
    for (Index i = 0; i < 999; ++i)
        std::get<AllOf>(some.rule).masks.push_back(negated(padding(i % 300)));
    const AllowedPairs pairs(some, rows, 600);
    EXPECT_EQ(pairs.count(), rows * (600 - 299));
    EXPECT_FALSE(pairs.allowed(7, 298));
    EXPECT_TRUE(pairs.allowed(7, 299));
}

TEST(AllowedPairs, CanBeInterruptedWhileTheyAreDrawn) {
    const std::atomic<bool> wanted = true;
    const Interruption interruption(wanted);
    EXPECT_THROW(AllowedPairs(causal(), 4, 4), Interrupted);
}

TEST(AllowedPairs, NestedMasksOfOneDepthDoNotDisturbEachOther) {
    const Mask nested = any({all({causal(), any({padding(1), all({causal(), padding(2)})})}),
                             all({negated(causal()), negated(padding(2))})});
    EXPECT_EQ(picture(AllowedPairs(nested, 3, 3)), "#.#/###/##.");
}

}}  // namespace headlight::allowed_pairs_test
