// Invariants of products that fade feature by feature, of places apart from words, of tables of two offsets,
// of turned values, of distances in groups, of queries that grow with the text, and of paths of a graph.

#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"
#include "tests/support/refusal.h"

#include <cmath>
#include <complex>
#include <numeric>

namespace headlight::invariants_relative_test {

using namespace test;

namespace {

constexpr double exact = 1e-10;
constexpr Index tokens = 12, width = 8;

AttentionSpec with_position(const Json& position, const Json& rest = Json::object()) {
    Json all = rest;
    all["position"] = position;
    return spec(all.dump());
}
const Json causal_mask{{"mask", {{"type", "causal"}}}};

std::size_t at(Index row, Index column) { return static_cast<std::size_t>(row * tokens + column); }

struct RelativePositions : testing::Test {
    RandomEngine random{83};
    Inputs inputs{.query = random_tensor({tokens, width}, random)};
    Inputs alike{.query = rows_of(inputs.query, std::vector<Index>(tokens, 2))};

    Inputs with(const std::map<std::string, Tensor>& parameters) const {
        Inputs given = inputs;
        given.parameters = parameters;
        return given;
    }
    std::vector<double> stage_of(const Json& position, const std::string& name, const Inputs& of,
                                 const Json& rest = Json::object()) const {
        return stage(record(planned(with_position(position, rest), of)), name);
    }
    std::vector<double> plain(const std::string& name) const {
        return stage_of({{"type", "none"}}, name, inputs);
    }
    std::vector<double> plain_weights(const Json& rest = Json::object()) const {
        return run(with_position({{"type", "none"}}, rest), inputs).weights;
    }
};

const Json wall{{"type", "wall"}};

TEST_F(RelativePositions, OpenGatesAreNoWall) {
    const auto open = with({{"W_wall", Tensor({width, width})}, {"b_wall", Tensor({width}, 100.0)}});
    for (const Json& rest : {causal_mask, Json::object()})
        EXPECT_TRUE(near(run(with_position(wall, rest), open).weights, plain_weights(rest), exact));
    EXPECT_FALSE(near(run(with_position(wall), inputs).weights, plain_weights(), 1e-3));
}

TEST_F(RelativePositions, GatesThatAreEqualMultiplyScores) {
    constexpr double kept = 0.8;
    const auto alike_gates =
        with({{"W_wall", Tensor({width, width})}, {"b_wall", Tensor({width}, std::log(kept / (1 - kept)))}});
    const auto scores = stage_of(wall, "scores", alike_gates), products = plain("scores");
    for (Index i = 0; i < tokens; ++i)
        for (Index j = 0; j < tokens; ++j)
            EXPECT_NEAR(scores[at(i, j)], products[at(i, j)] * std::pow(kept, std::abs(i - j)), exact);
}

TEST_F(RelativePositions, EachFeatureOfAProductFadesByItself) {
    const auto plan = planned(with_position(wall, causal_mask), inputs);
    const auto scores = stage(record(plan), "scores");
    const Tensor raw = product(inputs.query, plan->parameter("W_wall"));
    for (Index i = 0; i < tokens; ++i)
        for (Index j = 0; j <= i; ++j) {
            double sum = 0;
            for (Index c = 0; c < width; ++c) {
                double left = 1;
                for (Index t = j + 1; t <= i; ++t)
                    left /= 1 + std::exp(-raw(t, c) - plan->parameter("b_wall")[c]);
                sum += inputs.query(i, c) * inputs.query(j, c) * left;
            }
            EXPECT_NEAR(scores[at(i, j)], sum, exact);
        }
}

TEST_F(RelativePositions, ClosedGatesLeaveATokenItsOwnProduct) {
    const auto closed = with({{"W_wall", Tensor({width, width})}, {"b_wall", Tensor({width}, -1e6)}});
    const auto scores = stage_of(wall, "scores", closed), products = plain("scores");
    for (Index i = 0; i < tokens; ++i)
        for (Index j = 0; j < tokens; ++j)
            EXPECT_NEAR(scores[at(i, j)], i == j ? products[at(i, j)] : 0, exact);
}

TEST_F(RelativePositions, AWallStandsInProductsOfOneSequence) {
    for (const Json& rest : {Json{{"score", {{"type", "additive"}}}}, Json{{"source", {{"type", "cross"}}}},
                             Json{{"algorithm", {{"type", "linear"}}}, {"mask", {{"type", "causal"}}}}}) {
        Inputs both = inputs;
        if (rest.contains("source"))
            both.key = both.value = inputs.query;
        EXPECT_THROW(planned(with_position(wall, rest), both), Error) << rest.dump();
    }
}

TEST_F(RelativePositions, PlacesThatAskNothingLeaveTheScaleOfTupe) {
    const Json tied{{"type", "tupe"}, {"first", false}};
    const Json flatter{{"normalizer", {{"type", "softmax"}, {"temperature", std::sqrt(2.0)}}}};
    EXPECT_TRUE(near(run(with_position(tied), with({{"U_Q", Tensor({width, width})}})).weights,
                     plain_weights(flatter), exact));
}

TEST_F(RelativePositions, PlacesKnowNothingOfTheText) {
    const auto bias = stage_of({{"type", "tupe"}}, "position_bias", inputs);
    EXPECT_TRUE(near(stage_of({{"type", "tupe"}}, "position_bias", alike), bias, exact));
    const auto plan = planned(with_position({{"type", "tupe"}}), inputs);
    const Tensor places = product(product(plan->parameter("P_untied"), plan->parameter("U_Q")),
                                  transposed(product(plan->parameter("P_untied"), plan->parameter("U_K"))));
    for (Index i = 0; i < tokens; ++i)
        for (Index j = 0; j < tokens; ++j)
            EXPECT_NEAR(bias[at(i, j)],
                        i == 0   ? plan->parameter("theta_1")[0]
                        : j == 0 ? plan->parameter("theta_2")[0]
                                 : places(i, j) / 4,  // √(2 · 8)
                        exact);
}

TEST_F(RelativePositions, InOneRowOfAGridDecomposedPositionsAreThoseOfShaw) {
    const Tensor table = random_tensor({9, width}, random);
    std::vector<Index> reversed;
    for (Index row = 8; row >= 0; --row)
        reversed.push_back(row);
    const Json row{{"type", "decomposed"}, {"columns", tokens}, {"window", 5}};
    const Json shaw{{"type", "shaw"}, {"distance", 4}, {"values", false}};
    for (const Json& rest : {causal_mask, Json::object()})
        EXPECT_TRUE(near(run(with_position(row, rest),
                             with({{"R_h", Tensor({9, width})}, {"R_w", rows_of(table, reversed)}}))
                             .weights,
                         run(with_position(shaw, rest), with({{"a_K", table}})).weights, exact));
}

// On one line of boxes a unit wide, with nothing learned of other distances, a page is the line of T5.
TEST_F(RelativePositions, OnePageOfOneLineIsThatOfT5) {
    const Tensor table = random_tensor({16, 1}, random), other = random_tensor({64, 1}, random);
    const Json t5{{"type", "t5"}, {"buckets", 16}, {"max_distance", 20}};
    const Json plain{{"type", "page"}, {"buckets", 16}, {"max_distance", 20}};
    EXPECT_TRUE(
        near(run(with_position(plain, Json::object()),
                 with({{"line_table", table}, {"x_table", Tensor({64, 1})}, {"y_table", Tensor({64, 1})}}))
                 .weights,
             run(with_position(t5, Json::object()), with({{"relative_bias", table}})).weights, exact));
    Json boxes{
        {"type", "page"}, {"columns", tokens}, {"cell", 1}, {"page_buckets", 16}, {"page_distance", 20}};
    const auto of_line = [&](const Json& position, const char* of) {
        Inputs given = with(
            {{"line_table", Tensor({32, 1})}, {"x_table", Tensor({16, 1})}, {"y_table", Tensor({16, 1})}});
        given.parameters[of] = table;
        return run(with_position(position, Json::object()), given).weights;
    };
    const auto expected = run(with_position(t5, Json::object()), with({{"relative_bias", table}})).weights;
    EXPECT_TRUE(near(of_line(boxes, "x_table"), expected, exact));
    // The same places as a list, and down the page.
    std::vector<Index> places(static_cast<std::size_t>(tokens));
    std::iota(places.begin(), places.end(), 100);
    boxes["bottoms"] = places;
    EXPECT_TRUE(near(of_line(boxes, "y_table"), expected, exact));
    boxes["bottoms"] = std::vector<Index>{1, 2};
    expect_refusal([&] { of_line(boxes, "y_table"); }, {"position.bottoms", "tokens", "2"});
}

TEST_F(RelativePositions, DecomposedTermsAreOfRowsAndOfColumns) {
    const Json grid{{"type", "decomposed"}, {"columns", 4}};
    const auto rows = stage_of(grid, "row_scores", inputs), columns = stage_of(grid, "column_scores", inputs);
    for (Index i = 0; i < tokens; ++i)
        for (Index j = 0; j < tokens; ++j) {
            EXPECT_EQ(rows[at(i, j)], rows[at(i, j / 4 * 4)]) << "one number for a row of keys";
            EXPECT_EQ(columns[at(i, j)], columns[at(i, j % 4)]) << "one number for a column of keys";
        }
    const auto scaled = stage_of(grid, "position_bias", inputs);
    Json released = grid;
    released["scaled"] = false;
    const auto as_they_are = stage_of(released, "position_bias", inputs);
    for (std::size_t pair = 0; pair < scaled.size(); ++pair)
        EXPECT_NEAR(scaled[pair] * std::sqrt(double(width)), as_they_are[pair], exact);
}

/// Each query sees the key that stands `step` places on, around the end.
Json mask_of_step(Index step) {
    std::vector<std::vector<bool>> allowed(tokens, std::vector<bool>(tokens));
    for (Index query = 0; query < tokens; ++query)
        allowed[static_cast<std::size_t>(query)][static_cast<std::size_t>((query + step) % tokens)] = true;
    return {{"mask", {{"type", "matrix"}, {"allowed", allowed}}}};
}

TEST_F(RelativePositions, ValuesArriveTurnedByTheirDistance) {
    const Json position{{"type", "rotary_values"}};
    EXPECT_TRUE(
        near(run(with_position(position, mask_of_step(0)), inputs).output, inputs.query.values(), exact));
    const Index step = 5;
    const auto output = run(with_position(position, mask_of_step(step)), inputs).output;
    for (Index i = 0; i < tokens; ++i) {
        const Index j = (i + step) % tokens;
        for (Index pair = 0; pair < width / 2; ++pair) {
            const double angle = double(j - i) * std::pow(10000.0, -2.0 * double(pair) / width);
            const double x = inputs.query(j, pair), y = inputs.query(j, pair + width / 2);
            const auto turned = static_cast<std::size_t>(i * width + pair);
            EXPECT_NEAR(output[turned], x * std::cos(angle) - y * std::sin(angle), exact);
            EXPECT_NEAR(output[turned + width / 2], x * std::sin(angle) + y * std::cos(angle), exact);
        }
    }
}

TEST_F(RelativePositions, TurnedValuesLeaveTheWeights) {
    for (const char* layout : {"half", "interleaved"}) {
        const Json turned{{"type", "rotary_values"}, {"layout", layout}};
        EXPECT_TRUE(near(run(with_position(turned), inputs).weights,
                         run(with_position({{"type", "rope"}, {"layout", layout}}), inputs).weights, exact));
        Json alone = turned;
        alone["products"] = false;
        EXPECT_TRUE(near(run(with_position(alone), inputs).weights, plain_weights(), exact));
        EXPECT_FALSE(near(run(with_position(alone), inputs).output,
                          run(with_position({{"type", "none"}}), inputs).output, 1e-3));
    }
    for (const char* algorithm : {"linear", "online_softmax"})
        EXPECT_THROW(
            planned(with_position({{"type", "rotary_values"}}, {{"algorithm", {{"type", algorithm}}}}),
                    inputs),
            Error)
            << "nothing turns their contexts back";
}

TEST_F(RelativePositions, DistancesThatAreNotGroupedAreThoseOfRope) {
    for (const char* far : {"groups", "leaky", "constant"})
        for (const Json& rest : {causal_mask, Json::object()}) {
            const auto rope = run(with_position({{"type", "rope"}}, rest), inputs).weights;
            const Json wide{{"type", "self_extend"}, {"window", tokens}, {"far", far}};
            EXPECT_TRUE(near(run(with_position(wide, rest), inputs).weights, rope, exact)) << far;
            const Json alone{{"type", "self_extend"}, {"window", 3}, {"group", 1}, {"far", far}};
            EXPECT_EQ(bool(near(run(with_position(alone, rest), inputs).weights, rope, exact)),
                      far != std::string("constant"));
        }
}

TEST_F(RelativePositions, OneChunkIsRope) {
    for (const Json& rest : {causal_mask, Json::object()})
        EXPECT_TRUE(
            near(run(with_position({{"type", "dual_chunk"}, {"chunk", tokens}}, rest), inputs).weights,
                 run(with_position({{"type", "rope"}}, rest), inputs).weights, exact));
}

// Figure 2 of An et al. 2024 has chunks of 6, a window of 4 and no distance above 9.
TEST_F(RelativePositions, DistancesBetweenChunksAreThoseOfThePaper) {
    const auto rope = stage_of({{"type", "rope"}}, "scores", alike);
    for (const Index chunk : {1, 2, 3})
        for (const Index window : {1, 2, 4}) {
            const auto scores =
                stage_of({{"type", "dual_chunk"}, {"chunk", chunk}, {"window", window}}, "scores", alike);
            for (Index i = 0; i < tokens; ++i)
                for (Index j = 0; j <= i; ++j) {
                    const Index apart = i / chunk - j / chunk;
                    const Index place = apart == 0   ? i % chunk
                                        : apart == 1 ? std::min(chunk + i % chunk, chunk + window - 1)
                                                     : chunk + window - 1;
                    const Index distance = place - j % chunk;
                    ASSERT_LT(distance, chunk + window);
                    if (distance >= tokens)
                        continue;  // rope has none that is longer
                    EXPECT_NEAR(scores[at(i, j)], rope[at(distance, 0)], exact) << i << ", " << j;
                    EXPECT_NEAR(scores[at(j, i)], rope[at(0, distance)], exact) << "the other way round";
                }
        }
}

// Scores of equal tokens depend on the distance alone, which those of RoPE tell apart.
TEST_F(RelativePositions, FarDistancesAreThoseOfGroups) {
    const auto rope = stage_of({{"type", "rope"}}, "scores", alike);
    for (const Index window : {1, 3, 4})
        for (const Index group : {2, 3, 5}) {
            const Json grouped{{"type", "self_extend"}, {"window", window}, {"group", group}};
            Json constant = grouped;
            constant["far"] = "constant";
            const auto scores = stage_of(grouped, "scores", alike),
                       rectified = stage_of(constant, "scores", alike);
            for (Index i = 0; i < tokens; ++i)
                for (Index j = 0; j <= i; ++j) {
                    const bool is_near = i - j < window;
                    const Index distance = is_near ? i - j : i / group - j / group + window - window / group;
                    EXPECT_LE(distance, i - j + 1);
                    EXPECT_NEAR(scores[at(i, j)], rope[at(distance, 0)], exact) << i << ", " << j;
                    EXPECT_NEAR(scores[at(j, i)], rope[at(0, distance)], exact) << "the other way round";
                    EXPECT_NEAR(rectified[at(i, j)], rope[at(is_near ? i - j : window, 0)], exact);
                }
        }
}

TEST_F(RelativePositions, QueriesBeforeTheLengthStayAsTheyAre) {
    const Json long_enough{{"type", "temperature_tuning"}, {"length", tokens + 1}, {"growth", 2.0}};
    EXPECT_TRUE(near(run(with_position(long_enough), inputs).weights, plain_weights(), exact));
    const Json short_one{{"type", "temperature_tuning"}, {"length", 5}, {"growth", 2.0}};
    const auto scores = stage_of(short_one, "scores", inputs), products = plain("scores");
    for (Index i = 0; i < tokens; ++i)
        for (Index j = 0; j < tokens; ++j) {
            const double steps = i < 4 ? 0 : i < 9 ? 1 : 2;
            EXPECT_NEAR(scores[at(i, j)], products[at(i, j)] * (1 + 2 * std::log(1 + steps)), exact);
        }
}

/// The numbers of the paths themselves: row l of the table is l.
Tensor numbered_paths(Index longest) {
    Tensor table({longest + 2, 1});
    for (Index row = 0; row < longest + 2; ++row)
        table(row, 0) = static_cast<double>(row);
    return table;
}

TEST_F(RelativePositions, PathsAreAsShortAsTheGraphLets) {
    const auto given = with({{"spatial_bias", numbered_paths(4)}});
    const auto lengths = [&](const Json& graph) {
        Json position = graph;
        position["type"] = "graphormer";
        return stage_of(position, "position_bias", given);
    };
    const auto line = lengths(Json::object()), ring = lengths({{"graph", "ring"}}),
               none = lengths({{"graph", "none"}});
    const auto shortcut = lengths({{"edges", {0, 11}}});
    for (Index i = 0; i < tokens; ++i)
        for (Index j = 0; j < tokens; ++j) {
            const Index steps = std::abs(i - j), around = std::min(steps, tokens - steps);
            EXPECT_EQ(line[at(i, j)], std::min<Index>(steps, 5));
            EXPECT_EQ(ring[at(i, j)], std::min<Index>(around, 5));
            EXPECT_EQ(none[at(i, j)], i == j ? 0 : 5);
        }
    EXPECT_EQ(shortcut, ring) << "an edge from the last to the first";
    std::vector<Index> chain;
    for (Index token = 0; token + 1 < tokens; ++token)
        chain.insert(chain.end(), {token, token + 1});
    EXPECT_EQ(lengths({{"graph", "none"}, {"edges", chain}}), line);
    EXPECT_EQ(lengths({{"graph", "none"}, {"edges", {3, 100}}}), none) << "the text has no token 100";
}

// Row l k + s of the table is 10 k + s: what kind an edge is, and which step of the path.
TEST_F(RelativePositions, PathsHaveTheMeanOfTheirEdges) {
    Tensor numbers({3 * 4, 1});
    for (Index row = 0; row < 12; ++row)
        numbers(row, 0) = static_cast<double>(10 * (row / 4) + row % 4);
    const auto given = with({{"spatial_bias", Tensor({6, 1})}, {"edge_bias", numbers}});
    const auto bias = stage_of(
        {{"type", "graphormer"}, {"graph", "none"}, {"edges", {0, 1, 1, 2, 2, 3}}, {"edge_kinds", {2, 1}}},
        "position_bias", given);
    EXPECT_EQ(bias[at(0, 0)], 0);
    EXPECT_EQ(bias[at(0, 1)], 20);
    EXPECT_EQ(bias[at(1, 0)], 20);
    EXPECT_EQ(bias[at(0, 2)], (20 + 11) / 2.0);
    EXPECT_EQ(bias[at(2, 0)], (10 + 21) / 2.0);
    EXPECT_NEAR(bias[at(0, 3)], (20 + 11 + 2) / 3.0, exact) << "the last edge is of kind 0";
    EXPECT_NEAR(bias[at(3, 0)], (0 + 11 + 22) / 3.0, exact);
    EXPECT_EQ(bias[at(0, 7)], 0) << "no path";
    EXPECT_THROW(
        planned(with_position({{"type", "graphormer"}, {"edges", {0, 1}}, {"edge_kinds", {1, 1}}}), inputs),
        Error);
}

TEST_F(RelativePositions, InACompleteGraphAllOthersAreAlike) {
    std::vector<Index> edges;
    for (Index a = 0; a < tokens; ++a)
        for (Index b = 0; b < a; ++b)
            edges.insert(edges.end(), {a, b});
    const auto bias =
        stage_of({{"type", "graphormer"}, {"graph", "none"}, {"edges", edges}}, "position_bias", inputs);
    for (Index i = 0; i < tokens; ++i)
        for (Index j = 0; j < tokens; ++j)
            EXPECT_EQ(bias[at(i, j)], i == j ? bias[at(0, 0)] : bias[at(0, 1)]);
}

// What no score makes up for hides all but neighbours, as the mask of a graph does.
TEST_F(RelativePositions, APathThatCountsForNothingIsAMask) {
    Tensor table({6, 1}, -1e6);
    table(0, 0) = table(1, 0) = 0;
    const Json star{{"type", "graphormer"}, {"graph", "none"}, {"edges", {0, 1, 0, 2, 0, 3, 7, 8}}};
    std::vector<std::vector<bool>> allowed(tokens, std::vector<bool>(tokens));
    for (std::size_t token = 0; token < tokens; ++token)
        allowed[token][token] = true;
    for (const auto& [a, b] : {std::pair{0, 1}, {0, 2}, {0, 3}, {7, 8}}) {
        allowed[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = true;
        allowed[static_cast<std::size_t>(b)][static_cast<std::size_t>(a)] = true;
    }
    EXPECT_TRUE(near(run(with_position(star), with({{"spatial_bias", table}})).weights,
                     plain_weights({{"mask", {{"type", "matrix"}, {"allowed", allowed}}}}), exact));
}

TEST_F(RelativePositions, AKernelOfZerosAddsNothing) {
    const auto silent = with({{"K_place", Tensor({3, width})}, {"b_place", Tensor({width})}});
    EXPECT_TRUE(near(run(with_position({{"type", "convolutional"}}), silent).output,
                     run(with_position({{"type", "none"}}), inputs).output, exact));
}

const Json complex_order{{"type", "complex_order"}};

TEST_F(RelativePositions, WordsThatAllTurnAlikeMeetAsThoseOfRopeDo) {
    const auto alike_speeds = with({{"W_order", Tensor({width, width / 2})}});
    EXPECT_TRUE(near(run(with_position(complex_order), alike_speeds).weights,
                     run(with_position({{"type", "rope"}, {"layout", "interleaved"}}), inputs).weights,
                     exact));
    EXPECT_FALSE(near(run(with_position(complex_order), inputs).weights,
                      run(with_position({{"type", "rope"}, {"layout", "interleaved"}}), inputs).weights,
                      1e-3));
}

TEST_F(RelativePositions, AWordTurnsByTheSameAngleWhereverItStands) {
    const auto words = stage_of(complex_order, "turned_words", alike);
    for (Index token = 0; token + 1 < tokens; ++token)
        for (Index pair = 0; pair < width / 2; ++pair) {
            const auto place = [&](Index at_token) {
                const auto first = static_cast<std::size_t>(at_token * width + 2 * pair);
                return std::complex<double>(words[first], words[first + 1]);
            };
            EXPECT_NEAR(std::abs(place(token)), std::abs(place(0)), exact);
            EXPECT_NEAR(std::abs(place(token + 1) / place(token) - place(1) / place(0)), 0, exact);
        }
    EXPECT_THROW(planned(with_position(complex_order), {.query = Tensor({3, 5}, 1.0)}), Error);
}

TEST_F(RelativePositions, InsideAConvolutionMovesWithTheText) {
    const Tensor kernel = random_tensor({3, width}, random), square = random_tensor({9, width}, random);
    std::vector<Index> later{11};
    for (Index token = 0; token + 1 < tokens; ++token)
        later.push_back(token);
    for (const char* window : {"centred", "past"}) {
        const Json line{{"type", "convolutional"}, {"window", window}};
        Inputs moved = with({{"K_place", kernel}});
        const auto here = stage_of(line, "position", moved);
        moved.query = rows_of(inputs.query, later);
        const auto there = stage_of(line, "position", moved);
        for (Index token = 2; token + 2 < tokens; ++token)
            for (Index c = 0; c < width; ++c)
                EXPECT_NEAR(there[static_cast<std::size_t>((token + 1) * width + c)],
                            here[static_cast<std::size_t>(token * width + c)], exact);
    }
    // In the middle of a grid of four columns.
    const auto on_grid =
        stage_of({{"type", "convolutional"}, {"columns", 4}}, "position", with({{"K_place", square}}));
    for (Index c = 0; c < width; ++c) {
        double sum = 0;
        for (Index down = 0; down < 3; ++down)
            for (Index right = 0; right < 3; ++right)
                sum += square(down * 3 + right, c) * inputs.query(down * 4 + right + 1, c);
        EXPECT_NEAR(on_grid[static_cast<std::size_t>(6 * width + c)], sum, exact);
    }
}

TEST_F(RelativePositions, AKernelThatLooksBackKnowsNothingOfWhatComes) {
    for (const Index columns : {0, 4}) {
        const Json back{{"type", "convolutional"}, {"window", "past"}, {"columns", columns}};
        const auto plan = planned(with_position(back, causal_mask), inputs);
        const auto before = run(plan).output;
        Inputs other = plan->inputs;
        for (Index token = 6; token < tokens; ++token)
            other.query(token, 0) += 1;
        const auto after = run(with_position(back, causal_mask), other).output;
        EXPECT_TRUE(near(std::span(after).first(6 * width), std::span(before).first(6 * width), exact));
    }
}

TEST_F(RelativePositions, PaddingIsNoNeighbour) {
    const Json padding{{"mask", {{"type", "padding"}, {"key_lengths", 7}}}};
    const auto plan = planned(with_position({{"type", "convolutional"}}, padding), inputs);
    Inputs other = plan->inputs;
    for (Index token = 7; token < tokens; ++token)
        for (Index c = 0; c < width; ++c)
            other.query(token, c) += 3;
    const auto before = run(plan).output,
               after = run(with_position({{"type", "convolutional"}}, padding), other).output;
    EXPECT_TRUE(near(std::span(after).first(7 * width), std::span(before).first(7 * width), exact));
}

TEST_F(RelativePositions, ValuesThatAreGivenApartAreNotConvolved) {
    Inputs apart = inputs;
    apart.value = random_tensor({tokens, 3}, random);
    EXPECT_EQ(stage_of({{"type", "convolutional"}}, "value", apart),
              std::vector<double>(apart.value->values().begin(), apart.value->values().end()));
}

TEST_F(RelativePositions, EdgesHaveTwoEnds) {
    EXPECT_THROW(planned(with_position({{"type", "graphormer"}, {"edges", {0, 1, 2}}}), inputs), Error);
    Inputs both = inputs;
    both.key = both.value = inputs.query;
    EXPECT_THROW(planned(with_position({{"type", "graphormer"}}, {{"source", {{"type", "cross"}}}}), both),
                 Error);
}

}  // namespace

}  // namespace headlight::invariants_relative_test
