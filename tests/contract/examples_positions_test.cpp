// What the examples of positions promise to show is there to see.

#include "core/attention/explain.h"
#include "tests/support/example.h"

namespace headlight::examples_positions_test {

using namespace test;

namespace {

/// One stage of a mechanism's own example, [head, row, column].
class Map {
public:
    Map(const std::string& id, const std::string& name, const ParameterValues& values = {})
        : example_(id, values), trace_(record(std::make_shared<const Plan>(example_.plan()))),
          stage_(trace_.find(name)) {
        EXPECT_NE(stage_, nullptr) << name;
    }
    double operator()(Index row, Index column, Index head = 0) const {
        return trace_.matrix(*stage_, head)[static_cast<std::size_t>(row * stage_->shape.back() + column)];
    }
    Index rows() const { return example_.plan().queries; }
    Index columns() const { return stage_->shape.back(); }

private:
    Example example_;
    Trace trace_;
    const Stage* stage_;
};

TEST(PositionExamples, EqualWordsDifferByTheirPlace) {
    for (const std::string id : {"sinusoidal", "learned_positions"}) {
        const Example example(id);
        const auto& words = example.words();
        const auto second = std::find(words.begin() + 3, words.end(), words[2]) - words.begin();
        ASSERT_LT(second, std::ssize(words)) << id;
        EXPECT_FALSE(near(example.row(2), example.row(second), 0.005)) << id;
    }
}

TEST(PositionExamples, ShawClipsItsDistances) {
    const Map terms("shaw", "relative_scores");
    EXPECT_DOUBLE_EQ(terms(0, 4), terms(0, 9));
    EXPECT_NE(terms(0, 3), terms(0, 4));
}

TEST(PositionExamples, BucketsOfT5Widen) {
    const Map bias("t5", "position_bias");
    EXPECT_DOUBLE_EQ(bias(0, 8), bias(0, 9));
    EXPECT_NE(bias(0, 7), bias(0, 8));
    EXPECT_DOUBLE_EQ(bias(0, 3), bias(5, 8));
    EXPECT_NE(bias(0, 3), bias(0, 3, 1)) << "each head has its own";
}

TEST(PositionExamples, AlibiLiesOverTheWavesOfRope) {
    const Map scores("rope_and_alibi", "biased_scores"), waves("rope_and_alibi", "scaled_scores");
    EXPECT_NEAR(scores(9, 0) - waves(9, 0), -9.0 / 16, 1e-12);
    EXPECT_NEAR(scores(9, 0, 1) - waves(9, 0, 1), -9.0 / 256, 1e-12);
    EXPECT_GT(std::abs(waves(9, 0) - waves(9, 9)), 0.01);
}

TEST(PositionExamples, AlibiFadesFastInItsFirstHead) {
    const Map bias("alibi", "position_bias");
    EXPECT_DOUBLE_EQ(bias(8, 6), -1);
    EXPECT_DOUBLE_EQ(bias(8, 0, 7), -8.0 / 256);
}

TEST(PositionExamples, RotationsStartAtTheFirstPlace) {
    const Map before("rope", "query"), after("rope", "rotated_query");
    double turned = 0;
    for (Index column = 0; column < before.columns(); ++column) {
        EXPECT_EQ(before(0, column), after(0, column));
        turned += std::abs(before(5, column) - after(5, column));
    }
    EXPECT_GT(turned, 1);
    const Map partly("partial_rope", "rotated_query");
    for (Index column = 2; column < before.columns(); ++column)
        EXPECT_EQ(partly(5, column), before(5, column));
    EXPECT_NE(partly(5, 0), before(5, 0));
}

TEST(PositionExamples, OneWordShowsTheBandOfDistances) {
    const Map scores("rope", "scores"), plain("rope", "weights");
    EXPECT_NEAR(scores(1, 0), scores(9, 8), 1e-9);
    for (Index key = 1; key < 5; ++key)
        EXPECT_LT(plain(0, key), plain(0, key - 1));
    EXPECT_NEAR(Map("position_interpolation", "scores")(8, 0), scores(4, 0), 1e-9);
    const auto contrast = [](const Map& map) { return map(0, 0) / map(0, 4); };
    EXPECT_LT(contrast(Map("ntk_rope", "weights")), contrast(plain));
    EXPECT_GT(Map("yarn", "weights")(0, 0), plain(0, 0));
    EXPECT_LT(contrast(Map("llama3_rope", "weights")), contrast(Map("ntk_rope", "weights")));
    EXPECT_NEAR(contrast(Map("partial_rope", "weights")), 1, 0.1);
    EXPECT_GT(std::abs(Map("rope_interleaved", "scores")(3, 0) - scores(3, 0)), 0.01);
}

TEST(PositionExamples, StretchedAnglesGrowSlower) {
    const Map plain("rope", "angles");
    const Index last = plain.columns() - 1;
    const Map interpolated("position_interpolation", "angles");
    for (const Index column : {Index(0), last})
        EXPECT_NEAR(interpolated(8, column), plain(4, column), 1e-12);
    for (const std::string id : {"ntk_rope", "yarn"}) {
        const Map stretched(id, "angles");
        EXPECT_NEAR(stretched(5, 0), plain(5, 0), 1e-12) << id;
        EXPECT_NEAR(stretched(5, last), plain(5, last) / 8, 1e-12) << id;
    }
    const Map llama("llama3_rope", "angles"), kept("llama3_rope", "angles", {{"factor", 1.0}});
    EXPECT_NEAR(llama(5, 0), kept(5, 0), 1e-12);
    EXPECT_NEAR(llama(5, last), kept(5, last) / 8, 1e-12);
}

TEST(PositionExamples, XposDrawsKeysOut) {
    const auto length = [](const Map& map) { return std::hypot(map(8, 0), map(8, 1)); };
    EXPECT_GT(length(Map("xpos", "rotated_key")), 1.5 * length(Map("xpos", "key")));
    EXPECT_LT(length(Map("xpos", "rotated_query")), length(Map("xpos", "query")) / 1.5);
}

TEST(PositionExamples, DistanceAloneIsTheSameAlongDiagonals) {
    const Map distance("transformer_xl", "global_position_scores");
    EXPECT_NEAR(distance(2, 0), distance(9, 7), 1e-12);
    const Map content("transformer_xl", "global_content_scores");
    EXPECT_NEAR(content(2, 3), content(9, 3), 1e-12);
}

TEST(PositionExamples, EqualWordsHaveEqualBandsInDeberta) {
    const Map rows("deberta", "content_to_position"), columns("deberta", "position_to_content");
    EXPECT_NEAR(rows(1, 2), rows(6, 7), 1e-12);  // both of "new", one place on
    EXPECT_NEAR(columns(2, 1), columns(7, 6), 1e-12);
    EXPECT_GT(std::abs(rows(1, 2) - rows(2, 3)), 1e-6);
}

TEST(PositionExamples, CountsGrowToTheLeft) {
    const Map counts("cope", "counted_positions");
    const Index last = counts.rows() - 1;
    for (Index key = 1; key <= last; ++key) {
        EXPECT_GE(counts(last, key - 1), counts(last, key));
        EXPECT_LE(counts(last, key - 1) - counts(last, key), 1);
    }
}

TEST(PositionExamples, ForgettingHoldsBackWhatIsFar) {
    const Map bias("forgetting", "position_bias");
    for (Index key = 1; key < bias.rows(); ++key)
        EXPECT_LE(bias(bias.rows() - 1, key - 1), bias(bias.rows() - 1, key));
}

// the key to the cabinets in the old house is lost: "old" at 7
TEST(PositionExamples, OldHidesMoreBeforeItThanBehindIt) {
    const Map bias("two_sided_forgetting", "position_bias");
    for (Index row = 7; row < bias.rows(); ++row)
        EXPECT_NEAR(bias(row, 6) - bias(row, 7), -0.545, 0.001);
    for (Index row = 0; row < 7; ++row)
        EXPECT_NEAR(bias(row, 7) - bias(row, 6), -0.050, 0.001);
}

// we won and then we lost and then we slept: "we" at 0, 4 and 8, "and" at 2 and 6
TEST(PositionExamples, EachQueryHasGatesOfItsOwn) {
    const Map bias("pair_forgetting", "position_bias"), gates("pair_forgetting", "pair_gates");
    for (Index query = 0; query < bias.rows(); ++query)
        for (Index key = 1; key <= query; ++key)
            EXPECT_LE(bias(query, key - 1), bias(query, key));
    EXPECT_NEAR(gates(9, 0), gates(9, 4), 1e-12);
    EXPECT_NEAR(gates(9, 2), gates(9, 6), 1e-12);
    EXPECT_GT(std::abs(gates(9, 1) - gates(8, 1)), 1e-6);
}

TEST(PositionExamples, PathLeavesTheDiagonalAlone) {
    const Map still("path", "scores", {{"strength", 0.0}}), moved("path", "scores");
    for (Index row = 0; row < still.rows(); ++row)
        EXPECT_NEAR(still(row, row), moved(row, row), 1e-12);
    EXPECT_GT(std::abs(still(8, 0) - moved(8, 0)), 1e-3);
}

TEST(PositionExamples, KerpleFlattensOut) {
    const Map bias("kerple", "position_bias");
    EXPECT_GT(bias(0, 0) - bias(0, 1), 2 * (bias(0, 4) - bias(0, 5)));
}

TEST(PositionExamples, SandwichIsAHumpThatHeadsFlatten) {
    const Map bias("sandwich", "position_bias");
    for (Index key = 1; key < 5; ++key)
        EXPECT_LT(bias(0, key), bias(0, key - 1));
    EXPECT_GT(bias(0, 0) - bias(0, 4), 7 * (bias(0, 0, 7) - bias(0, 4, 7)));
}

TEST(PositionExamples, EveryCellHasItsArithmetic) {
    for (const Mechanism& mechanism : mechanisms()) {
        if (mechanism.family != "Positions")
            continue;
        RandomEngine random(3);
        Inputs inputs;
        inputs.query = random_tensor({4, 8}, random);
        const auto plan = planned(build_spec(mechanism, {}), inputs);
        const Trace trace = record(plan);
        for (const Stage& stage : trace.stages()) {
            const bool by_head = stage.shape.size() > 2 && stage.axes.front() == Axis::head;
            const Index heads = by_head ? stage.shape.front() : 1, columns = stage.shape.back();
            const auto numbers = trace.values(stage);
            for (Index at = 0; at < stage.size(); ++at) {
                const Index row = at / columns % (stage.size() / columns / heads);
                const auto steps =
                    explain_cell(*plan, trace, stage.name, at / columns / (stage.size() / columns / heads),
                                 row, at % columns);
                ASSERT_FALSE(steps.empty()) << mechanism.id << ", " << stage.name;
                EXPECT_EQ(steps.back().value, numbers[static_cast<std::size_t>(at)])
                    << mechanism.id << ", " << stage.name;
                EXPECT_FALSE(steps.back().expression.empty()) << mechanism.id << ", " << stage.name;
            }
        }
    }
}

TEST(PositionExamples, EveryWordHasItsOwnDistanceCurve) {
    const Map bias("distance_curves", "position_bias");
    EXPECT_NEAR(bias(2, 1), bias(6, 5), 1e-12);  // "sat", one place back
    EXPECT_GT(std::abs(bias(2, 1) - bias(4, 3)), 1e-3) << "“the” has another";
    EXPECT_EQ(bias(10, 0), 0) << "beyond its reach";
    EXPECT_EQ(bias(2, 3), 0) << "it looks back only";
    EXPECT_GT(std::abs(bias(10, 7) - bias(10, 8)), 1e-3);
    EXPECT_GT(std::abs(bias(2, 1) - bias(2, 1, 1)), 1e-3) << "each head mixes its own";
}

// row row row row row row row row row row
TEST(PositionExamples, SeriesDoNotKnowTheDistanceAlone) {
    const Map scores("fope", "scaled_scores"), rotary("rope", "scaled_scores");
    double most = 0;
    for (Index place = 1; place < 10; ++place) {
        EXPECT_NEAR(rotary(place, place - 1), rotary(1, 0), 1e-9);
        most = std::max(most, std::abs(scores(place, place - 1) - scores(1, 0)));
    }
    EXPECT_GT(most, 1e-3);
    const Map cosines("fope", "query_cosines");
    for (Index feature = 0; feature < cosines.columns(); ++feature)
        if (feature % 32 >= 16) {
            EXPECT_EQ(cosines(5, feature), 1) << feature;
        }
}

TEST(PositionExamples, AGridHasRowsAndColumns) {
    const Map weights("grid_rope", "weights");
    EXPECT_NEAR(weights(4, 1), weights(4, 7), 1e-12);  // above and below the middle
    EXPECT_NEAR(weights(4, 3), weights(4, 5), 1e-12);  // beside it
    for (const Index corner : {0, 2, 6, 8})
        for (const Index next : {1, 3, 5, 7})
            EXPECT_LT(weights(4, corner), weights(4, next));
    const Map angles("m_rope", "query_angles");
    const Index pairs = angles.columns() / 2;
    for (Index token = 2; token < 10; ++token)
        EXPECT_EQ(angles(token, 0), token < 6 ? 2 : 3) << "the place of its frame";
    EXPECT_EQ(angles(2, pairs - 1), angles(4, pairs - 1)) << "one column";
    EXPECT_LT(angles(2, pairs - 1), angles(3, pairs - 1));
}

TEST(PositionExamples, OffsetsHaveOneBias) {
    const Map table("grid_bias", "position_bias");
    EXPECT_DOUBLE_EQ(table(0, 1), table(2, 3));  // red and blue, cat and dog
    EXPECT_DOUBLE_EQ(table(0, 4), table(3, 7));  // one row down
    EXPECT_NE(table(0, 1), table(1, 0));
    EXPECT_NE(table(0, 1), table(0, 1, 1)) << "each head has its own";
    const Map curve("dynamic_bias", "position_bias");
    EXPECT_DOUBLE_EQ(curve(2, 0), curve(9, 7));
    EXPECT_NE(curve(2, 0), curve(0, 2));
    EXPECT_NE(curve(2, 0), curve(2, 0, 1));
}

TEST(PositionExamples, PolarWordsSeeThemselvesMost) {
    const Map weights("pope", "weights");
    for (Index key = 1; key < 5; ++key)
        EXPECT_LT(weights(0, key), weights(0, key - 1));
    const Map sizes("pope", "query_magnitudes"), turned("pope", "polar_query");
    for (Index column = 0; column < sizes.columns(); ++column) {
        EXPECT_GT(sizes(7, column), 0);
        EXPECT_NEAR(std::hypot(turned(7, column), turned(7, sizes.columns() + column)), sizes(7, column),
                    1e-12);
    }
}

TEST(PositionExamples, EachFeatureOfTheWallFallsAtItsOwnPace) {
    const Map sums("wall", "cumulative_gates");
    for (Index row = 1; row < sums.rows(); ++row)
        for (Index column = 0; column < sums.columns(); ++column)
            EXPECT_LT(sums(row, column), sums(row - 1, column));
    EXPECT_GT(std::abs(sums(9, 0) - sums(9, 1)), 1e-3);
}

TEST(PositionExamples, ToTheFirstTokenAllPlacesAreOne) {
    const Map weights("tupe", "weights"), bias("tupe", "position_bias");
    for (Index key = 0; key < 10; ++key)
        EXPECT_NEAR(weights(0, key), 0.1, 1e-12);
    for (Index query = 2; query < 10; ++query)
        EXPECT_EQ(bias(query, 0), bias(1, 0)) << "and it to all";
    EXPECT_GT(std::abs(weights(4, 2) - weights(4, 3)), 1e-3);
}

TEST(PositionExamples, WordsOfOneColumnOfAPageAreAtNoDistanceAcross) {
    const Map across("page", "column_biases"), down("page", "row_biases"), line("page", "line_biases"),
        bias("page", "position_bias");
    for (Index query = 0; query < 9; ++query)
        for (Index key = 0; key < 9; ++key) {
            EXPECT_EQ(across(query, key), across(query % 3, key % 3));
            EXPECT_EQ(down(query, key), down(query / 3 * 3, key / 3 * 3));
            EXPECT_NEAR(bias(query, key), line(query, key) + across(query, key) + down(query, key), 1e-12);
        }
    EXPECT_EQ(across(0, 0), across(1, 1));
    EXPECT_NE(across(0, 0), across(0, 1));
    EXPECT_NE(line(0, 0), line(0, 3)) << "“red” and “green”";
}

TEST(PositionExamples, ImaginaryHeadsStandAQuarterBehind) {
    const Map queries("imaginary_rope", "rotated_query"), weights("imaginary_rope", "weights");
    const Index half = queries.columns() / 2;
    for (const Index head : {0, 2})
        for (Index row = 0; row < queries.rows(); ++row)
            for (Index column = 0; column < half; ++column) {
                EXPECT_NEAR(queries(row, column, head + 1), queries(row, half + column, head), 1e-12);
                EXPECT_NEAR(queries(row, half + column, head + 1), -queries(row, column, head), 1e-12);
            }
    double apart = 0;
    for (Index key = 0; key < 10; ++key)
        apart += std::abs(weights(9, key) - weights(9, key, 1));
    EXPECT_GT(apart, 0.05);
}

TEST(PositionExamples, DecomposedOffsetsAddUp) {
    const Map bias("decomposed", "position_bias");
    EXPECT_NEAR(bias(4, 0), bias(8, 4), 1e-12);  // one row up and one column to the left
    EXPECT_NEAR(bias(4, 1) + bias(4, 3), bias(4, 0) + bias(4, 4), 1e-12);
    EXPECT_GT(std::abs(bias(4, 1) - bias(4, 3)), 1e-3);
}

TEST(PositionExamples, TurnedValuesTellWhereTheyCameFrom) {
    const Map plain("rope", "context"), turned("rotary_values", "context");
    double apart = 0;
    for (Index column = 0; column < plain.columns(); ++column) {
        EXPECT_NEAR(plain(0, column), plain(9, column), 1e-12);
        apart += std::abs(turned(0, column) - turned(9, column));
    }
    EXPECT_GT(apart, 1e-2);
}

TEST(PositionExamples, FarPairsShareTheirScoresInSquares) {
    const Map scores("self_extend", "scores");
    for (const auto& [query, key] : {std::pair{9, 0}, {8, 1}, {9, 1}, {10, 2}, {11, 3}})
        EXPECT_NEAR(scores(query, key), scores(8, 0), 1e-9);
    EXPECT_NEAR(scores(3, 1), scores(9, 7), 1e-9);
    for (Index distance = 1; distance < 4; ++distance)
        EXPECT_GT(std::abs(scores(9, 9 - distance) - scores(9, 10 - distance)), 1e-3);
}

TEST(PositionExamples, ChunksBeginAgain) {
    const Map scores("dual_chunk", "scores");
    for (Index query = 8; query < 12; ++query) {
        for (Index key = 0; key < 4; ++key)
            EXPECT_NEAR(scores(query, key), scores(8, key), 1e-9) << "one place for all of a chunk";
        for (Index key = 8; key <= query; ++key)
            EXPECT_NEAR(scores(query, key), scores(query - 8, key - 8), 1e-9) << "as in the first chunk";
    }
    EXPECT_NEAR(scores(4, 3), scores(1, 0), 1e-9) << "neighbours stay neighbours where chunks meet";
}

TEST(PositionExamples, LateQueriesAreLonger) {
    const ParameterValues values{{"length", Index(2)}, {"growth", 1.0}};
    const Map before("temperature_tuning", "query", values),
        after("temperature_tuning", "tempered_query", values);
    for (Index row = 0; row < before.rows(); ++row)
        for (Index column = 0; column < before.columns(); ++column)
            EXPECT_NEAR(after(row, column), before(row, column) * (1 + std::log(1 + (row + 1) / 2)), 1e-12);
    EXPECT_EQ(before.rows(), 10) << "the last factor is 1 + ln 6";
}

TEST(PositionExamples, AWordHasASpeedOfItsOwn) {
    const Map speeds("complex_order", "word_speeds"), turned("complex_order", "turned_words");
    for (const Index again : {3, 6})  // the king and the queen drink the tea
        for (Index pair = 0; pair < speeds.columns(); ++pair)
            EXPECT_NEAR(speeds(again, pair), speeds(0, pair), 1e-12);
    EXPECT_GT(std::abs(speeds(1, 0) - speeds(0, 0)), 1e-3);
    double moved = 0;
    for (Index column = 0; column < turned.columns(); ++column)
        moved += std::abs(turned(3, column) - turned(0, column));
    EXPECT_GT(moved, 1e-3);
}

TEST(PositionExamples, PairsOfColumnsHaveOneBias) {
    const Map bias("msa_rows", "position_bias");
    for (Index i = 0; i < 4; ++i)
        for (Index j = 0; j < 4; ++j)
            EXPECT_NEAR(bias(4 + i, 4 + j), bias(i, j), 1e-12);
}

TEST(PositionExamples, TheSameWordPutsItsPointsIntoOnePlace) {
    const Map bias("invariant_points", "position_bias");  // the king and the queen drink tea
    for (Index key = 0; key < 7; ++key) {
        EXPECT_NEAR(bias(3, key), bias(0, key), 1e-12);
        for (Index query = 0; query < 7; ++query)
            EXPECT_LE(bias(query, key), 0);
    }
}

TEST(PositionExamples, AConvolutionFeelsTheEnds) {
    const Map added("convolutional", "position");
    double first = 0, last = 0;
    for (Index column = 0; column < added.columns(); ++column) {
        for (Index row = 2; row < 9; ++row)
            EXPECT_NEAR(added(row, column), added(1, column), 1e-12);
        first += std::abs(added(0, column) - added(1, column));
        last += std::abs(added(9, column) - added(1, column));
    }
    EXPECT_GT(first, 1e-3);
    EXPECT_GT(last, 1e-3);
}

TEST(PositionExamples, WordsThatBelongTogetherAreOneStepApart) {
    const Map bias("graphormer", "position_bias");  // the old man gave his dog a bone
    for (const Index key : {5, 7})
        EXPECT_EQ(bias(3, key), bias(3, 2));
    for (const Index key : {1, 4, 6})
        EXPECT_EQ(bias(3, key), bias(3, 0));
    EXPECT_NE(bias(3, 2), bias(3, 0));
    EXPECT_NE(bias(3, 2), bias(3, 2, 1)) << "each head has its own";
}

TEST(PositionExamples, FireSpreadsItsCurveOverLateRows) {
    const Map bias("fire", "position_bias");
    EXPECT_DOUBLE_EQ(bias(2, 1), bias(3, 2));
    EXPECT_NE(bias(7, 6), bias(8, 7));
    EXPECT_NEAR(bias(6, 0), bias(8, 0), 1e-12) << "the first token is as far back as there is";
}

}  // namespace

}  // namespace headlight::examples_positions_test
