// What selections promise that choose by the weights of a softmax, of all keys or of a guess, and bands of a
// video that thin out.

#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"

#include <algorithm>
#include <cmath>

namespace headlight::invariants_shares_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;
constexpr Index tokens = 12;

struct Shares : testing::Test {
    RandomEngine random{150};
    Inputs inputs{.query = random_tensor({tokens, 6}, random)};

    static AttentionSpec selected(const std::string& selection,
                                  const std::string& rest = R"("mask": {"type": "causal"})") {
        return spec("{" + rest + R"(, "selection": )" + selection + "}");
    }
    static double at(const std::vector<double>& map, Index row, Index column) {
        return map[static_cast<std::size_t>(row * tokens + column)];
    }
};

TEST_F(Shares, KeepingEverythingIsCausal) {
    const Numbers causal = run(spec(R"({"mask": {"type": "causal"}})"), inputs);
    for (const std::string selection :
         {R"({"type": "top_p", "p": 1})", R"({"type": "sparq", "k": 100})",
          R"({"type": "sparq", "k": 100, "mean": false})", R"({"type": "prefill_patterns", "vertical": 100})",
          R"({"type": "prefill_patterns", "slash": 100})",
          R"({"type": "prefill_patterns", "pattern": "blocks", "blocks": 100})",
          R"({"type": "prefill_patterns", "pattern": "a_shape", "recent": 100})",
          R"({"type": "prefill_patterns", "pattern": "in_turn", "first": 100})",
          R"({"type": "pooled_gates", "threshold": 0})", R"({"type": "pooled_gates", "dense": 100})",
          R"({"type": "pooled_gates", "rule": "best", "blocks": 100})",
          R"({"type": "antidiagonals", "groups": 100})", R"({"type": "antidiagonals", "p": 1})"})
        EXPECT_TRUE(near(run(selected(selection), inputs), causal, exact)) << selection;
}

TEST_F(Shares, TopPKeepsNoKeyTooManyAndNoneTooFew) {
    const auto full = run(spec(R"({"mask": {"type": "causal"}})"), inputs).weights;
    for (const double p : {0.3, 0.6, 0.9}) {
        const auto kept =
            run(selected(R"({"type": "top_p", "p": )" + std::to_string(p) + "}"), inputs).weights;
        for (Index query = 0; query < tokens; ++query) {
            double sum = 0, smallest = 1, largest_left = 0;
            for (Index key = 0; key < tokens; ++key)
                if (at(kept, query, key) > 0) {
                    sum += at(full, query, key);
                    smallest = std::min(smallest, at(full, query, key));
                } else {
                    largest_left = std::max(largest_left, at(full, query, key));
                }
            EXPECT_GE(sum, p - exact) << query;
            EXPECT_LT(sum - smallest, p + exact) << query << ": one less would do";
            EXPECT_GE(smallest, largest_left) << query;
        }
    }
}

// A guess by all numbers of the query is no guess: what is read has its own weights again, and the others
// share theirs.
TEST_F(Shares, SparqThatReadsEveryNumberSpreadsTheRest) {
    const auto full = run(spec(R"({"mask": {"type": "causal"}})"), inputs).weights;
    const auto weights = run(selected(R"({"type": "sparq", "r": 6, "k": 2})"), inputs).weights;
    for (Index query = 0; query < tokens; ++query) {
        std::vector<double> row;
        for (Index key = 0; key <= query; ++key)
            row.push_back(at(full, query, key));
        std::ranges::sort(row, std::greater());
        const double alpha = row[0] + (query > 0 ? row[1] : 0);
        for (Index key = 0; key <= query; ++key) {
            const double own = at(full, query, key) >= row[std::min<std::size_t>(1, row.size() - 1)]
                                   ? at(full, query, key)
                                   : 0;
            EXPECT_NEAR(at(weights, query, key), own + (1 - alpha) / static_cast<double>(query + 1), exact)
                << query << ", " << key;
        }
    }
}

// The shares of the gate sum to 1 over the blocks that may be looked at; its place is that of blocks alone.
TEST_F(Shares, AGateKeepsWhatHasMoreThanItsThreshold) {
    const auto plan = planned(selected(R"({"type": "pooled_gates", "threshold": 0.4})"), inputs);
    const Trace trace = record(plan);
    const auto shares = stage(trace, "gate_shares"), weights = stage(trace, "weights");
    for (std::size_t block = 0; block < 4; ++block) {
        double sum = 0;
        for (std::size_t of = 0; of < 4; ++of)
            sum += shares[block * 4 + of];
        EXPECT_NEAR(sum, 1, exact);
    }
    for (Index query = 0; query < tokens; ++query)
        for (Index key = 0; key <= query; ++key)
            EXPECT_EQ(at(weights, query, key) > 0,
                      shares[static_cast<std::size_t>(query / 3 * 4 + key / 3)] > 0.4)
                << query << ", " << key;
}

// Rotary positions turn the keys that are looked at, not those that the gate pools.
TEST_F(Shares, AGateReadsKeysBeforeTheyAreTurned) {
    const std::string gate = R"({"type": "pooled_gates"})";
    const auto shares = [&](const std::string& rest) {
        return stage(record(planned(selected(gate, rest), inputs)), "gate_shares");
    };
    EXPECT_EQ(shares(R"("mask": {"type": "causal"}, "position": {"type": "rope"})"),
              shares(R"("mask": {"type": "causal"})"));
}

TEST_F(Shares, AnAShapeIsSinksAndAWindow) {
    EXPECT_TRUE(
        near(run(selected(R"({"type": "prefill_patterns", "pattern": "a_shape", "first": 2, "recent": 3})"),
                 inputs),
             run(spec(R"({"mask": {"all": [{"type": "causal"},
                             {"any": [{"type": "sinks", "sinks": 2}, {"type": "window", "size": 3}]}]}})"),
                 inputs),
             exact));
}

TEST_F(Shares, HeadsTakeThePatternsInTurn) {
    const std::string heads =
        R"("projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 3}, "mask": {"type": "causal"})";
    const auto of = [&](const std::string& pattern) {
        return run(selected(R"({"type": "prefill_patterns", "pattern": ")" + pattern + R"("})", heads),
                   inputs)
            .weights;
    };
    const auto in_turn = of("in_turn");
    std::ptrdiff_t head = 0;
    for (const std::string pattern : {"a_shape", "vertical_slash", "blocks"}) {
        const auto alone = of(pattern);
        const auto first = head++ * tokens * tokens;
        EXPECT_TRUE(near(std::span(in_turn).subspan(static_cast<std::size_t>(first), tokens * tokens),
                         std::span(alone).subspan(static_cast<std::size_t>(first), tokens * tokens), exact))
            << pattern;
    }
}

TEST_F(Shares, AntidiagonalsOfOneCellAreTopP) {
    for (const std::string p : {"0.4", "0.8"})
        EXPECT_TRUE(
            near(run(selected(R"({"type": "antidiagonals", "stride": 1, "groups": 1, "ends": false, "p": )" +
                              p + "}"),
                     inputs),
                 run(selected(R"({"type": "top_p", "p": )" + p + "}"), inputs), exact))
            << p;
}

TEST_F(Shares, FirstAndOwnBlockStay) {
    const auto weights =
        run(selected(R"({"type": "antidiagonals", "stride": 2, "groups": 1, "p": 0.01})"), inputs).weights;
    for (Index query = 0; query < tokens; ++query)
        for (Index key = 0; key < tokens; ++key)
            EXPECT_EQ(at(weights, query, key) > 0, key <= query && (key < 2 || key / 2 == query / 2))
                << query << ", " << key;
}

// With one token to a frame only distances are left that are a power of 2.
TEST_F(Shares, RadialBandsOfSinglePlacesAreLogarithmic) {
    EXPECT_TRUE(near(run(spec(R"({"mask": {"all": [{"type": "causal"},
                                      {"type": "radial", "frame": 1, "first": false}]}})"),
                         inputs),
                     run(spec(R"({"mask": {"type": "logarithmic"}})"), inputs), exact));
}

TEST_F(Shares, TheFirstFrameIsSeenByAll) {
    const auto weights = run(spec(R"({"mask": {"type": "radial", "frame": 2}})"), inputs).weights;
    for (Index query = 0; query < tokens; ++query)
        EXPECT_TRUE(at(weights, query, 0) > 0 && at(weights, query, 1) > 0) << query;
}

TEST_F(Shares, PatternsAskForOneSequence) {
    EXPECT_THROW(planned(spec(R"({"source": {"type": "cross"}, "selection": {"type": "prefill_patterns"}})"),
                         {.query = inputs.query, .key = inputs.query, .value = inputs.query}),
                 Error);
    EXPECT_THROW(
        planned(spec(R"({"normalizer": {"type": "sparsemax"}, "selection": {"type": "sparq"}})"), inputs),
        Error);
}

}  // namespace

}  // namespace headlight::invariants_shares_test
