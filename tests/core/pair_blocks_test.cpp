// Masks of long sequences are kept in blocks: held to their predicate, pair by pair, and to the memory that
// they may take.

#include "core/attention/component.h"
#include "core/catalog/mechanism.h"
#include "core/map/lazy_run.h"
#include "core/map/map_tiles.h"
#include "core/tensor/sanitizers.h"
#include "tests/support/attention_runs.h"
#include "tests/support/long_tests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <variant>

namespace headlight::pair_blocks_test {

using namespace test;

namespace {

using Allows = std::function<bool(Index query, Index key)>;

/// A mask as its definition says, pair by pair.
Allows by_definition(const Mask& mask, Index queries, Index keys) {
    const auto all_of = [=](const std::vector<Mask>& masks) {
        std::vector<Allows> parts;
        parts.reserve(masks.size());
        for (const Mask& part : masks)
            parts.push_back(by_definition(part, queries, keys));
        return parts;
    };
    if (const auto* causal = std::get_if<CausalMask>(&mask.rule)) {
        const Index shift = causal->alignment == CausalAlignment::bottom_right ? keys - queries : 0;
        return [shift](Index query, Index key) { return key <= query + shift; };
    }
    if (const auto* padding = std::get_if<PaddingMask>(&mask.rule))
        return [real = padding->key_lengths.value_or(keys)](Index, Index key) { return key < real; };
    if (const auto* matrix = std::get_if<MatrixMask>(&mask.rule))
        return [cells = matrix->allowed](Index query, Index key) {
            return bool(cells[static_cast<std::size_t>(query)][static_cast<std::size_t>(key)]);
        };
    if (const auto* pattern = std::get_if<PatternMask>(&mask.rule)) {
        const MaskComponent& component = *component_of(pattern->type);
        return component.allows(complete_options(component.options, pattern->options, "mask", "mask"),
                                queries, keys);
    }
    if (const auto* all = std::get_if<AllOf>(&mask.rule))
        return [parts = all_of(all->masks)](Index query, Index key) {
            return std::ranges::all_of(parts, [&](const Allows& part) { return part(query, key); });
        };
    if (const auto* any = std::get_if<AnyOf>(&mask.rule))
        return [parts = all_of(any->masks)](Index query, Index key) {
            return std::ranges::any_of(parts, [&](const Allows& part) { return part(query, key); });
        };
    if (const auto* inverse = std::get_if<Not>(&mask.rule))
        return [part = all_of(inverse->mask).front()](Index query, Index key) { return !part(query, key); };
    return [](Index, Index) { return true; };
}

struct MaskRow {
    std::string name;
    Mask mask;
};
void PrintTo(const MaskRow& row, std::ostream* out) { *out << row.name; }

Mask pattern(MaskPattern type, Options options = {}) { return {PatternMask{type, std::move(options)}}; }

/// Every pattern, every mask of a mechanism, and some of joined ones and matrices.
std::vector<MaskRow> mask_rows() {
    std::vector<MaskRow> rows;
    for (const MaskComponent& component : mask_components())
        rows.push_back({"pattern_" + component.word, pattern(component.type)});
    for (const Mechanism& mechanism : mechanisms())
        if (const Mask mask = build_spec(mechanism, {}).mask;
            is_masked(mask) && !std::holds_alternative<MatrixMask>(mask.rule) &&
            std::ranges::find(rows, mask, &MaskRow::mask) == rows.end())
            rows.push_back({"mechanism_" + mechanism.id, mask});
    rows.push_back({"window_of_many", pattern(MaskPattern::window, {{"size", Index(700)}})});
    const Mask causal{CausalMask{}}, early{PaddingMask{900}}, late{CausalMask{CausalAlignment::bottom_right}};
    rows.push_back({"not_a_window", Mask{Not{{pattern(MaskPattern::symmetric_window)}}}});
    rows.push_back({"all_of_two", Mask{AllOf{{causal, pattern(MaskPattern::strided)}}}});
    rows.push_back({"prefix_of_parts", Mask{AllOf{{causal, early}}}});
    rows.push_back({"bottom_right_beside_sinks", Mask{AnyOf{{late, pattern(MaskPattern::sinks)}}}});
    return rows;
}

class LongMasks : public testing::TestWithParam<MaskRow> {};
INSTANTIATE_TEST_SUITE_P(, LongMasks, testing::ValuesIn(mask_rows()),
                         [](const auto& row) { return row.param.name; });

void expect_pairs(const AllowedPairs& pairs, const Allows& allows) {
    ASSERT_EQ(pairs.rows_from(0), nullptr) << "too short for blocks";
    Index count = 0;
    std::vector<std::uint8_t> used(static_cast<std::size_t>(pairs.keys())), row(used.size()),
        expected(used.size());
    std::vector<Index> nothing_seen;
    for (Index query = 0; query < pairs.queries(); ++query) {
        Index end = 0;
        for (Index key = 0; key < pairs.keys(); ++key) {
            const bool is_allowed = allows(query, key);
            const auto at = static_cast<std::size_t>(key);
            expected[at] = is_allowed;
            used[at] |= static_cast<std::uint8_t>(is_allowed);
            end = is_allowed ? key + 1 : end;
            count += is_allowed;
        }
        pairs.write_row(query, row.data());
        ASSERT_EQ(row, expected) << query;
        const AllowedRow lying = pairs.row(query);
        ASSERT_TRUE(std::ranges::equal(lying, expected)) << query;
        ASSERT_EQ(pairs.end(query), end) << query;
        for (const Index key : {query % pairs.keys(), (query * 31) % pairs.keys(), pairs.keys() - 1})
            ASSERT_EQ(pairs.allowed(query, key), expected[static_cast<std::size_t>(key)] != 0);
        if (end == 0)
            nothing_seen.push_back(query);
    }
    EXPECT_EQ(pairs.count(), count);
    EXPECT_EQ(pairs.used_keys(), used);
    EXPECT_EQ(pairs.fully_masked_queries(), nothing_seen);
}

TEST_P(LongMasks, AreTheirPredicateAtOddSizes) {
    const Mask& mask = GetParam().mask;
    if (!is_sanitized && is_long())
        expect_pairs(AllowedPairs(mask, 2'063, 2'063), by_definition(mask, 2'063, 2'063));
    expect_pairs(AllowedPairs(mask, 2'201, 1'963), by_definition(mask, 2'201, 1'963));
}

TEST_P(LongMasks, TakeFarLessThanAByteForEachPair) {
    constexpr Index tokens = 2'063;
    const AllowedPairs pairs(GetParam().mask, tokens, tokens);
    const double most = AllowedPairs::most_bytes(GetParam().mask, tokens, tokens);
    EXPECT_LT(most, tokens * tokens / 6.0);
    EXPECT_LE(static_cast<double>(pairs.bytes()), most);
}

TEST_P(LongMasks, HaveNoneWhereNoPairIsAllowed) {
    const AllowedPairs pairs(GetParam().mask, 2'063, 2'063);
    const Allows allows = by_definition(GetParam().mask, 2'063, 2'063);
    RandomEngine random(4);
    for (int turn = 0; turn < 200; ++turn) {
        const auto below = [&](Index end) {
            return static_cast<Index>(random() % static_cast<std::uint64_t>(end));
        };
        const Index query = below(2'063), key = below(2'063),
                    queries = 1 + below(std::min<Index>(150, 2'063 - query)),
                    keys = 1 + below(std::min<Index>(150, 2'063 - key));
        bool has_none = true;
        for (Index i = query; i < query + queries; ++i)
            for (Index j = key; j < key + keys; ++j)
                has_none = has_none && !allows(i, j);
        ASSERT_TRUE(has_none || !pairs.has_none(query, queries, key, keys))
            << query << ' ' << queries << ' ' << key << ' ' << keys;
    }
}

TEST(PairBlocks, AreFewWhereAPatternRepeats) {
    const Index tokens = is_sanitized && !is_long() ? 4'096 : 8'192, middle = tokens / 2;
    for (const Mask& mask : {pattern(MaskPattern::window, {{"size", Index(64)}}),
                             pattern(MaskPattern::blocks, {{"size", Index(64)}}),
                             pattern(MaskPattern::symmetric_window, {{"reach", Index(64)}})})
        EXPECT_LT(AllowedPairs(mask, tokens, tokens).bytes(), 200'000u)
            << "numbers of rows and blocks, and a few blocks";
    const AllowedPairs window(pattern(MaskPattern::window, {{"size", Index(64)}}), tokens, tokens);
    EXPECT_TRUE(window.has_none(0, 256, 256, tokens - 256));
    EXPECT_TRUE(window.has_none(middle, 64, 0, middle - 64));
    EXPECT_FALSE(window.has_none(middle, 64, middle - 1, 1));
}

TEST(PairBlocks, OfAFewRowsSayAllNoneOrSome) {
    PairBlocks blocks(70, 130);
    std::vector<std::uint8_t> row(130);
    for (Index query = 0; query < 70; ++query) {
        for (Index key = 0; key < 130; ++key)
            row[static_cast<std::size_t>(key)] = key >= 128 ? query != 69 : key < 64 && query < 64;
        blocks.add_row(row.data());
    }
    blocks.finish();
    EXPECT_EQ(blocks.coverage(0, 0), Coverage::all);
    EXPECT_EQ(blocks.coverage(0, 1), Coverage::none);
    EXPECT_EQ(blocks.coverage(0, 2), Coverage::all) << "of two columns";
    EXPECT_EQ(blocks.coverage(1, 0), Coverage::none) << "of six rows";
    EXPECT_EQ(blocks.coverage(1, 2), Coverage::some);
    EXPECT_TRUE(blocks.at(68, 129));
    EXPECT_FALSE(blocks.at(69, 129));
    EXPECT_FALSE(blocks.at(64, 63));
}

// Runs

TEST(LongMask, IsWhatARunSees) {
    // Weights by their definition: exp(q . k / sqrt d) over the keys of a window, by hand.
    constexpr Index tokens = 2'100, width = 4, size = 9;
    RandomEngine random(2);
    Inputs inputs;
    inputs.query = random_tensor({tokens, width}, random);
    AttentionSpec windowed;
    windowed.mask = pattern(MaskPattern::window, {{"size", size}});
    const auto made = planned(windowed, inputs);
    ASSERT_EQ(made->allowed.rows_from(0), nullptr);
    Executor<double> executor(made);
    executor.run();
    for (const Index query : {Index(0), Index(5), Index(63), Index(64), Index(1'000), tokens - 1}) {
        std::vector<double> expected(tokens);
        double sum = 0;
        for (Index key = std::max<Index>(0, query - size + 1); key <= query; ++key) {
            double score = 0;
            for (Index c = 0; c < width; ++c)
                score += inputs.query.row(query)[static_cast<std::size_t>(c)] *
                         inputs.query.row(key)[static_cast<std::size_t>(c)];
            sum += expected[static_cast<std::size_t>(key)] = std::exp(score / 2);
        }
        for (Index key = 0; key < tokens; ++key)
            ASSERT_NEAR(executor.weights()[static_cast<std::size_t>(query * tokens + key)],
                        expected[static_cast<std::size_t>(key)] / sum, 1e-12)
                << query << ' ' << key;
    }
}

TEST(LongMask, HasNoTilesOfRowsThatNobodyNeeds) {
    constexpr Index tokens = 2'100;
    RandomEngine random(3);
    Inputs inputs;
    inputs.query = random_tensor({tokens, 4}, random);
    AttentionSpec windowed;
    windowed.mask = pattern(MaskPattern::window, {{"size", Index(9)}});
    const auto made = std::make_shared<const Plan>(plan(windowed, inputs, {.keeps = Keeps::rows}));
    const Trace trace = record_lazy(made);
    const MapOrigin& origin = trace.lazy_maps(*trace.find("weights")).origin();
    const MapPlace place{origin.layer, 0};
    const auto dark = origin.tiles->tile(place, 0, 1, 5), bright = origin.tiles->tile(place, 0, 1, 1);
    EXPECT_TRUE(std::ranges::all_of(dark->maxima, [](float number) { return number == 0; }));
    EXPECT_TRUE(std::ranges::any_of(bright->maxima, [](float number) { return number > 0; }));
    EXPECT_FALSE(origin.tiles->maps()->is_zero({origin.layer, 0}, {0, 64, 0, 64}));
    // With a number in place of minus infinity a forbidden pair has a weight.
    windowed.mask_value = -1;
    const auto soft = std::make_shared<const Plan>(plan(windowed, inputs, {.keeps = Keeps::rows}));
    const Trace of_soft = record_lazy(soft);
    const MapOrigin& soft_origin = of_soft.lazy_maps(*of_soft.find("weights")).origin();
    EXPECT_FALSE(soft_origin.tiles->maps()->is_zero({soft_origin.layer, 0}, {256, 256, 1'280, 256}));
    EXPECT_GT(soft_origin.tiles->tile({soft_origin.layer, 0}, 0, 1, 5)->maxima.front(), 0);
}

struct StagesOfScores {
    const char* name;
    AttentionSpec spec;
};

void PrintTo(const StagesOfScores& row, std::ostream* out) { *out << row.name; }

constexpr Index repeated_tokens = 8;

/// Allows all pairs but one, in a row that is neither at an end nor in the middle.
AttentionSpec with_one_forbidden_cell() {
    AttentionSpec spec;
    MatrixMask mask;
    mask.allowed.assign(repeated_tokens, std::vector<bool>(repeated_tokens, true));
    mask.allowed[2][5] = false;
    spec.mask.rule = std::move(mask);
    return spec;
}

AttentionSpec unscaled(AttentionSpec spec = {}) {
    spec.score.type = ScoreType::dot;
    return spec;
}

AttentionSpec masked_first(AttentionSpec spec) {
    spec.mask_order = MaskOrder::before_scale;
    return spec;
}

AttentionSpec with_alibi() {
    AttentionSpec spec;
    spec.position.type = PositionType::alibi;
    return spec;
}

AttentionSpec soft_capped(AttentionSpec spec) {
    spec.score.softcap = 2;
    return spec;
}

class RepeatedStage : public testing::TestWithParam<StagesOfScores> {};

// What views tell by these is which stages are worth a picture of their own: that of a mask is, however
// little it forbids.
TEST_P(RepeatedStage, HasTheSameNumbersInEveryCell) {
    RandomEngine random(3);
    Inputs inputs;
    inputs.query = random_tensor({repeated_tokens, 4}, random);
    const auto planned = [&](Keeps keeps) {
        return std::make_shared<const Plan>(plan(GetParam().spec, inputs, {.keeps = keeps}));
    };
    const Trace late = record_lazy(planned(Keeps::rows)), full = record(planned(Keeps::trace));
    const std::vector<std::string> stages{"scores", "scaled_scores", "biased_scores", "masked_scores"};
    for (const std::string& one : stages)
        for (const std::string& other : stages)
            EXPECT_EQ(&late.lazy_maps(*late.find(one)) == &late.lazy_maps(*late.find(other)),
                      std::ranges::equal(full.values(*full.find(one)), full.values(*full.find(other))))
                << one << " and " << other;
}

INSTANTIATE_TEST_SUITE_P(All, RepeatedStage,
                         testing::Values(StagesOfScores{"scaled", {}}, StagesOfScores{"unscaled", unscaled()},
                                         StagesOfScores{"one_forbidden_cell", with_one_forbidden_cell()},
                                         StagesOfScores{"one_forbidden_cell_first",
                                                        masked_first(with_one_forbidden_cell())},
                                         StagesOfScores{"masked_first_unscaled",
                                                        masked_first(unscaled(with_one_forbidden_cell()))},
                                         StagesOfScores{"nothing_masked_first", masked_first({})},
                                         StagesOfScores{"biased", with_alibi()},
                                         StagesOfScores{"soft_capped", soft_capped(unscaled())}),
                         [](const auto& row) { return row.param.name; });

TEST(LongMask, LeavesNoWeightToAForbiddenPairWhateverNormalises) {
    // What is_zero() promises of every normaliser whose rows are computed again.
    constexpr Index tokens = 90;
    RandomEngine random(3);
    Inputs inputs;
    inputs.query = random_tensor({tokens, 4}, random);
    Index tried = 0;
    for (const NormalizerComponent& component : normalizer_components()) {
        AttentionSpec windowed;
        windowed.mask = pattern(MaskPattern::window, {{"size", Index(9)}});
        windowed.normalizer.type = component.type;
        if (!has_lazy_rows(*planned(windowed, inputs)))
            continue;
        const Numbers numbers = run(windowed, inputs);
        for (Index query = 0; query < tokens; ++query)
            for (Index key = 0; key < tokens; ++key) {
                const double weight = numbers.weights[static_cast<std::size_t>(query * tokens + key)];
                ASSERT_TRUE(weight == 0 || (key <= query && query - key < 9)) << component.word;
            }
        ++tried;
    }
    EXPECT_GT(tried, 10);
}

}  // namespace

}  // namespace headlight::pair_blocks_test
