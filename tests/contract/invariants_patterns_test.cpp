// Invariants of mask patterns; numbered as in the catalogue of attentions.

#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"

#include <cmath>
#include <set>

namespace headlight::invariants_patterns_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;

AllowedPairs pairs(const std::string& mask, Index queries, Index keys) {
    return AllowedPairs(spec(R"({"mask": )" + mask + "}").mask, queries, keys);
}

Inputs tokens(Index count, RandomEngine& random) { return {.query = random_tensor({count, 4}, random)}; }

Inputs first_rows(const Inputs& inputs, Index first, Index count) {
    std::vector<Index> order;
    for (Index row = first; row < first + count; ++row)
        order.push_back(row);
    return {.query = rows_of(inputs.query, order), .parameters = inputs.parameters};
}

const std::string causal = R"({"type": "causal"})";

std::string and_causal(const std::string& mask) { return R"({"all": [)" + causal + ", " + mask + "]}"; }

TEST(Patterns, Invariant13_WindowOfTheWholeSequenceIsCausal) {
    RandomEngine random(13);
    const Inputs inputs = tokens(7, random);
    for (const Index size : {7, 8, 1000})
        EXPECT_EQ(run(spec(R"({"mask": {"type": "window", "size": )" + std::to_string(size) + "}}"), inputs)
                      .weights,
                  run(spec(R"({"mask": {"type": "causal"}})"), inputs).weights);
}

TEST(Patterns, Invariant13_WindowOfOneGivesTheValues) {
    RandomEngine random(14);
    const Inputs inputs = tokens(7, random);
    EXPECT_TRUE(near(run(spec(R"({"mask": {"type": "window", "size": 1}})"), inputs).output,
                     inputs.query.values(), exact));
}

// A[:t, :t] of the whole is A of the first t tokens.
TEST(Patterns, Invariant34_CausalMasksDoNotChangeAsTheSequenceGrows) {
    RandomEngine random(34);
    const Index n = 11;
    for (const std::string& mask :
         {causal, std::string(R"({"type": "window", "size": 3})"),
          std::string(R"({"type": "strided", "stride": 3})"),
          std::string(R"({"type": "fixed", "stride": 3, "summary": 2})"),
          std::string(R"({"type": "logarithmic"})"), std::string(R"({"type": "tree"})"),
          and_causal(R"({"type": "blocks", "size": 4})"),
          and_causal(R"({"type": "shifted_blocks", "size": 4})"),
          and_causal(R"({"type": "documents", "lengths": [2, 3]})"), and_causal(R"({"type": "dilated"})"),
          and_causal(R"({"any": [{"type": "sinks"}, {"type": "window", "size": 2}]})"),
          and_causal(R"({"type": "axial"})"), and_causal(R"({"type": "global", "tokens": [0, 4]})"),
          and_causal(R"({"type": "halo"})"), and_causal(R"({"type": "grid_stride"})")})
        for (const std::string selection :
             {"", R"(, "selection": {"type": "top_k"})", R"(, "selection": {"type": "hashing"})",
              R"(, "selection": {"type": "pages"})", R"(, "selection": {"type": "block_means"})",
              R"(, "selection": {"type": "indexer"})", R"(, "selection": {"type": "eviction"})"}) {
            SCOPED_TRACE(mask + selection);
            const AttentionSpec whole = spec(R"({"mask": )" + mask + selection + "}");
            const auto plan = planned(whole, tokens(n, random));
            const Numbers numbers = run(plan);
            for (Index t = 1; t <= n; ++t) {
                const Numbers prefix = run(whole, first_rows(plan->inputs, 0, t));
                for (Index i = 0; i < t; ++i)
                    for (Index j = 0; j < n; ++j)
                        ASSERT_NEAR(numbers.weights[static_cast<std::size_t>(i * n + j)],
                                    j < t ? prefix.weights[static_cast<std::size_t>(i * t + j)] : 0, exact)
                            << t << ": " << i << ", " << j;
            }
        }
}

/// Pairs that are connected by a first step of one mask and a second step of another.
bool reaches(const AllowedPairs& first, const AllowedPairs& second, Index query, Index key) {
    for (Index middle = 0; middle < first.keys(); ++middle)
        if (first.allowed(query, middle) && second.allowed(middle, key))
            return true;
    return false;
}

TEST(Patterns, Invariant35_TwoStepsOfStridedReachEveryEarlierToken) {
    for (const Index n : {1, 2, 7, 16, 25})
        for (const Index stride : {1, 2, 3, 5}) {
            const auto part = [&](const std::string& which) {
                return pairs(R"({"type": "strided", "stride": )" + std::to_string(stride) + R"(, "part": ")" +
                                 which + R"("})",
                             n, n);
            };
            const AllowedPairs a = part("A"), b = part("B");
            for (Index i = 0; i < n; ++i)
                for (Index j = 0; j < n; ++j) {
                    EXPECT_EQ(reaches(a, b, i, j), j <= i) << i << ", " << j;
                    EXPECT_EQ(reaches(b, a, i, j), j <= i) << i << ", " << j;
                }
        }
}

// A token of a finished block is reached through the block's last token, which sees it.
TEST(Patterns, Invariant35_TwoStepsOfFixedReachEveryEarlierToken) {
    for (const Index n : {1, 2, 7, 16, 25})
        for (const Index stride : {1, 2, 3, 5}) {
            const AllowedPairs both =
                pairs(R"({"type": "fixed", "stride": )" + std::to_string(stride) + "}", n, n);
            for (Index i = 0; i < n; ++i)
                for (Index j = 0; j < n; ++j)
                    EXPECT_EQ(reaches(both, both, i, j), j <= i) << i << ", " << j;
        }
}

TEST(Patterns, Invariant37_DocumentsAreRunsOfTheirOwn) {
    RandomEngine random(39);
    const Inputs inputs = tokens(9, random);
    for (const bool is_causal : {false, true}) {
        const std::string documents = R"({"type": "documents", "lengths": [2, 4]})";
        const Numbers packed =
            run(spec(R"({"mask": )" + (is_causal ? and_causal(documents) : documents) + "}"), inputs);
        const AttentionSpec alone = spec(is_causal ? R"({"mask": {"type": "causal"}})" : "{}");
        std::vector<double> separate;
        for (const auto& [first, count] : {std::pair<Index, Index>{0, 2}, {2, 4}, {6, 3}}) {
            const Numbers one = run(alone, first_rows(inputs, first, count));
            separate.insert(separate.end(), one.output.begin(), one.output.end());
        }
        EXPECT_TRUE(near(packed.output, separate, exact));
    }
}

TEST(Patterns, CountOfAllowedPairsIsTheFormula) {
    for (const Index n : {1, 2, 5, 12, 30})
        for (const Index w : {1, 2, 3, 7}) {
            SCOPED_TRACE(std::to_string(n) + " tokens, " + std::to_string(w));
            const auto count = [&](const std::string& json) { return pairs(json, n, n).count(); };
            const std::string number = std::to_string(w);
            const Index seen = std::min(w, n), side = std::min(w, n - 1);
            EXPECT_EQ(count(R"({"type": "none"})"), n * n);
            EXPECT_EQ(count(causal), n * (n + 1) / 2);
            EXPECT_EQ(count(R"({"type": "window", "size": )" + number + "}"),
                      n * seen - seen * (seen - 1) / 2);
            EXPECT_EQ(count(R"({"type": "symmetric_window", "reach": )" + number + "}"),
                      n * (2 * side + 1) - side * (side + 1));
            Index strided = 0, logarithmic = 1;
            for (Index i = 0; i < n; ++i)
                strided += i / w + 1;
            for (Index i = 1; i < n; ++i)
                logarithmic += static_cast<Index>(std::log2(i)) + 2;
            EXPECT_EQ(count(R"({"type": "strided", "part": "B", "stride": )" + number + "}"), strided);
            EXPECT_EQ(count(R"({"type": "logarithmic"})"), logarithmic);
            const Index rest = n % w;
            EXPECT_EQ(count(R"({"type": "blocks", "size": )" + number + "}"), n / w * w * w + rest * rest);
            const Index p = std::min(w, n);
            EXPECT_EQ(count(R"({"type": "prefix", "length": )" + number + "}"),
                      n * (n + 1) / 2 + p * (p - 1) / 2);
            EXPECT_EQ(count(R"({"type": "random", "keys": )" + number + "}"), n * seen);
            EXPECT_EQ(count(R"({"type": "global", "tokens": [0]})"), 2 * n - 1);
        }
}

TEST(Patterns, EveryQueryOfANeighbourhoodSeesTheSameNumberOfKeys) {
    for (const Index columns : {3, 4, 7})
        for (const Index rows : {3, 5})
            for (const Index size : {1, 2, 3}) {
                const AllowedPairs allowed =
                    pairs(Json{{"type", "neighbourhood"}, {"columns", columns}, {"size", size}}.dump(),
                          rows * columns, rows * columns);
                for (Index query = 0; query < rows * columns; ++query)
                    EXPECT_EQ(std::ranges::count(allowed.row(query), 1), size * size) << query;
            }
}

TEST(Patterns, ADilatedNeighbourhoodIsOneOnEachNet) {
    for (const Index columns : {4, 7})
        for (const Index rows : {4, 5})
            for (const Index size : {1, 2}) {
                const Index tokens_in_all = rows * columns;
                const auto of = [&](Index dilation) {
                    return pairs(Json{{"type", "neighbourhood"},
                                      {"columns", columns},
                                      {"size", size},
                                      {"dilation", dilation}}
                                     .dump(),
                                 tokens_in_all, tokens_in_all);
                };
                const AllowedPairs near = of(2), alone = of(7);
                const AllowedPairs net = pairs(
                    Json{{"type", "grid_stride"}, {"columns", columns}, {"down", 2}, {"across", 2}}.dump(),
                    tokens_in_all, tokens_in_all);
                for (Index i = 0; i < tokens_in_all; ++i) {
                    EXPECT_EQ(std::ranges::count(near.row(i), 1), size * size);
                    EXPECT_EQ(std::ranges::count(alone.row(i), 1), 1);
                    for (Index j = 0; j < tokens_in_all; ++j)
                        EXPECT_LE(near.allowed(i, j), net.allowed(i, j));
                }
            }
}

// The windows of Swin, in the order of the windows, are blocks along the diagonal.
TEST(Patterns, GridWindowsAreBlocksAfterAPermutation) {
    const Index columns = 6, rows = 4, size = 2, tokens_in_all = rows * columns;
    const AllowedPairs allowed =
        pairs(R"({"type": "grid_window", "columns": 6, "size": 2})", tokens_in_all, tokens_in_all);
    std::vector<Index> order;
    for (Index y = 0; y < rows; y += size)
        for (Index x = 0; x < columns; x += size)
            for (Index cell = 0; cell < size * size; ++cell)
                order.push_back((y + cell / size) * columns + x + cell % size);
    const AllowedPairs blocks = pairs(R"({"type": "blocks", "size": 4})", tokens_in_all, tokens_in_all);
    for (Index i = 0; i < tokens_in_all; ++i)
        for (Index j = 0; j < tokens_in_all; ++j)
            EXPECT_EQ(allowed.allowed(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]),
                      blocks.allowed(i, j));
}

TEST(Patterns, ShiftedWindowsJoinWhatTheWindowsPart) {
    const AllowedPairs shifted = pairs(R"({"type": "shifted_grid_window", "columns": 4, "size": 2})", 16, 16);
    std::multiset<Index> sizes;
    for (Index query = 0; query < 16; ++query)
        sizes.insert(std::ranges::count(shifted.row(query), 1));
    // Four corners alone, eight tokens at the sides in pairs, four in the middle.
    EXPECT_EQ(sizes, (std::multiset<Index>{1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 4, 4, 4, 4}));
}

std::vector<std::vector<bool>> cells(const std::string& mask, Index queries, Index keys) {
    const AllowedPairs allowed = pairs(mask, queries, keys);
    std::vector<std::vector<bool>> rows(static_cast<std::size_t>(queries));
    for (Index query = 0; query < queries; ++query)
        for (Index key = 0; key < keys; ++key)
            rows[static_cast<std::size_t>(query)].push_back(allowed.allowed(query, key));
    return rows;
}

TEST(Patterns, WaitKGrowsFromCausalToFull) {
    const auto wait = [](Index k) { return Json{{"type", "wait_k"}, {"k", k}}.dump(); };
    for (const Index n : {1, 2, 7}) {
        EXPECT_EQ(cells(wait(1), n, n), cells(causal, n, n));
        for (const Index m : {1, 4, 9}) {
            EXPECT_EQ(cells(wait(m), n, m), cells(R"({"type": "none"})", n, m));
            for (const Index k : {2, 3})
                for (Index t = 0; t < n; ++t)
                    EXPECT_EQ(std::ranges::count(pairs(wait(k), n, m).row(t), 1), std::min(k + t, m));
        }
    }
}

TEST(Patterns, AnOrderIsCausalInTurns) {
    const auto of = [](const Json& options) {
        Json mask{{"type", "permutation"}};
        mask.update(options);
        return mask.dump();
    };
    const Json left_to_right{{"order", {0}}}, given{{"order", {4, 9, 1, 0}}};  // a text of 6 has no token 9
    EXPECT_EQ(cells(of(left_to_right), 6, 6), cells(causal, 6, 6));
    const std::vector<std::size_t> turns{4, 1, 0, 2, 3, 5};
    for (const Json& options : {given, Json{{"seed", 3}}}) {
        const auto content = cells(of(options), 6, 6);
        Json strict = options;
        strict["stream"] = "query";
        const auto query = cells(of(strict), 6, 6);
        std::set<std::ptrdiff_t> sizes;
        for (std::size_t i = 0; i < 6; ++i) {
            sizes.insert(std::ranges::count(content[i], true));
            for (std::size_t j = 0; j < 6; ++j) {
                EXPECT_NE(content[i][j], i != j && content[j][i]) << "one of two is first";
                EXPECT_EQ(query[i][j], content[i][j] && i != j);
            }
        }
        EXPECT_EQ(sizes, (std::set<std::ptrdiff_t>{1, 2, 3, 4, 5, 6}));
    }
    for (std::size_t turn = 0; turn < 6; ++turn)
        EXPECT_EQ(std::ranges::count(cells(of(given), 6, 6)[turns[turn]], true),
                  static_cast<std::ptrdiff_t>(turn + 1));
    EXPECT_THROW(cells(of({{"order", {1, 1}}}), 6, 6), Error);
}

Json on_grid(const std::string& type, Index columns) { return {{"type", type}, {"columns", columns}}; }

TEST(Patterns, GridsHaveTheirLimits) {
    for (const Index columns : {1, 3, 6})
        for (const Index tokens_in_all : {1, 11, 18})
            for (const Index size : {1, 2, 3}) {
                SCOPED_TRACE(std::to_string(columns) + " columns, " + std::to_string(tokens_in_all));
                const auto of = [&](const Json& mask) {
                    return cells(mask.dump(), tokens_in_all, tokens_in_all);
                };
                Json halo = on_grid("halo", columns), windows = on_grid("grid_window", columns);
                halo["size"] = windows["size"] = size;
                halo["halo"] = 0;
                EXPECT_EQ(of(halo), of(windows));
                halo["halo"] = 100;
                EXPECT_EQ(of(halo), of({{"type", "none"}}));
                Json tiles = on_grid("sliding_tile", columns), near = on_grid("neighbourhood", columns);
                tiles["tile"] = 1;
                tiles["window"] = near["size"] = size;
                EXPECT_EQ(of(tiles), of(near));
                tiles["tile"] = size;
                tiles["window"] = 100;
                EXPECT_EQ(of(tiles), of({{"type", "none"}}));
                Json net = on_grid("grid_stride", columns);
                net["down"] = net["across"] = 1;
                EXPECT_EQ(of(net), of({{"type", "none"}}));
            }
}

// Every cell of a window lies in another net, and every net has a cell in each window.
TEST(Patterns, AWindowAndANetReachEveryCellInTwoSteps) {
    const AllowedPairs windows = pairs(R"({"type": "grid_window", "columns": 6, "size": 2})", 24, 24),
                       net =
                           pairs(R"({"type": "grid_stride", "columns": 6, "down": 2, "across": 2})", 24, 24);
    for (Index i = 0; i < 24; ++i)
        for (Index j = 0; j < 24; ++j) {
            EXPECT_TRUE(reaches(windows, net, i, j) && reaches(net, windows, i, j)) << i << ", " << j;
            EXPECT_EQ(windows.allowed(i, j) && net.allowed(i, j), i == j);
        }
}

TEST(Patterns, QueriesOfATileSeeTheSameWholeTiles) {
    for (const Index window : {1, 2, 3}) {
        Json mask = on_grid("sliding_tile", 8);
        mask["tile"] = 2;
        mask["window"] = window;
        const auto rows = cells(mask.dump(), 48, 48);  // 3 × 4 tiles
        const auto cell = [](Index token) { return token / 8 / 2 * 4 + token % 8 / 2; };
        for (Index i = 0; i < 48; ++i) {
            const auto& row = rows[static_cast<std::size_t>(i)];
            EXPECT_EQ(std::ranges::count(row, true), 4 * window * window) << i;
            EXPECT_TRUE(row[static_cast<std::size_t>(i)]);
            for (Index j = 0; j < 48; ++j) {
                if (cell(j) == cell(i)) {
                    EXPECT_EQ(rows[static_cast<std::size_t>(j)], row) << i << ", " << j;
                }
            }
        }
    }
}

TEST(Patterns, BlockDiffusionHasThreeMasks) {
    constexpr Index length = 7;
    for (const Index size : {1, 2, 3, 7, 100}) {
        SCOPED_TRACE(size);
        const auto all = cells(Json{{"type", "block_diffusion"}, {"size", size}, {"noised", length}}.dump(),
                               2 * length, 2 * length);
        EXPECT_EQ(all,
                  cells(Json{{"type", "block_diffusion"}, {"size", size}}.dump(), 2 * length, 2 * length))
            << "the noised copy is half of all";
        const auto quarter = [&](Index first_query, Index first_key) {
            std::vector<std::vector<bool>> part;
            for (Index i = 0; i < length; ++i) {
                const auto& row = all[static_cast<std::size_t>(first_query + i)];
                part.emplace_back(row.begin() + first_key, row.begin() + first_key + length);
            }
            return part;
        };
        const Json blocks{{"type", "blocks"}, {"size", size}}, so_far{{"type", "causal"}};
        EXPECT_EQ(quarter(0, 0), cells(blocks.dump(), length, length));
        EXPECT_EQ(quarter(length, length), cells(Json{{"any", {blocks, so_far}}}.dump(), length, length));
        EXPECT_EQ(quarter(0, length),
                  cells(Json{{"all", {so_far, {{"not", blocks}}}}}.dump(), length, length));
        EXPECT_EQ(quarter(length, 0), cells(R"({"not": {"type": "none"}})", length, length));
    }
}

TEST(Patterns, ImagesAreSeenWithinTheirIntervals) {
    const Json mask{{"type", "flamingo"}, {"image_tokens", 2}, {"starts", {1, 4}}, {"ends", {6}}};
    const auto rows = cells(mask.dump(), 8, 6);
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = 0; j < 6; ++j)
            EXPECT_EQ(rows[i][j], j < 2 ? i >= 1 && i < 6 : j < 4 && i >= 4) << i << ", " << j;
}

TEST(Patterns, TreeRefusesAParentThatComesLater) {
    try {
        pairs(R"({"type": "tree", "parents": [-1, 0, 4]})", 5, 5);
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("token 2"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("before"), std::string::npos) << error.what();
    }
}

}  // namespace

}  // namespace headlight::invariants_patterns_test
