// What rows promise that learned vectors make of a text, and hops, memory tokens and slots.

#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"
#include "tests/support/map_rows.h"

#include <algorithm>
#include <cmath>

namespace headlight::invariants_pooling_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;
constexpr Index tokens = 7, width = 6;

AttentionSpec of(Json algorithm, const Json& rest = Json::object()) {
    Json whole = rest;
    whole["algorithm"] = std::move(algorithm);
    return spec(whole.dump());
}
const Json cross{{"source", {{"type", "cross"}}}};

Json padding(Index real) { return {{"mask", {{"type", "padding"}, {"key_lengths", real}}}}; }

struct Pooling : testing::Test {
    RandomEngine random{111};
    Inputs inputs{.query = random_tensor({tokens, width}, random)};
    Inputs both{.query = random_tensor({4, width}, random),
                .key = random_tensor({tokens, width}, random),
                .value = random_tensor({tokens, width}, random)};

    /// Those that give every token the same.
    const std::vector<Json> pools{
        {{"type", "attention_pooling"}, {"seeds", 3}},
        {{"type", "attention_pooling"}, {"seeds", 2}, {"steps", 3}, {"block", true}},
        {{"type", "attention_pooling"}, {"query", "mean"}},
        {{"type", "attention_pooling"}, {"query", "mean_token"}, {"steps", 2}},
        {{"type", "additive_pooling"}, {"rows", 3}},
        {{"type", "additive_pooling"}, {"gated", true}, {"units", 4}},
        {{"type", "hierarchical_pooling"}, {"sentences", std::vector<Index>{2, 3}}},
        {{"type", "class_residual"}, {"classes", 3}}};

    std::vector<double> numbers(const char* name, const AttentionSpec& of_spec, const Inputs& given) const {
        return stage(record(planned(of_spec, given)), name);
    }
    static std::span<const double> row(const std::vector<double>& map, Index at, Index columns) {
        return std::span(map).subspan(static_cast<std::size_t>(at * columns),
                                      static_cast<std::size_t>(columns));
    }
};

TEST_F(Pooling, GivesEveryTokenTheSame) {
    for (const Json& pool : pools) {
        const Numbers all = run(of(pool), inputs);
        for (Index query = 1; query < tokens; ++query) {
            EXPECT_TRUE(near(row(all.weights, query, tokens), row(all.weights, 0, tokens), 0)) << pool.dump();
            EXPECT_TRUE(near(row(all.output, query, width), row(all.output, 0, width), 0)) << pool.dump();
        }
    }
}

TEST_F(Pooling, KnowsNoOrder) {
    const std::vector<Index> order{3, 0, 6, 1, 5, 2, 4};
    for (const Json& pool : pools) {
        if (pool["type"] == "hierarchical_pooling")
            continue;
        const Numbers before = run(of(pool), inputs),
                      after = run(of(pool), Inputs{.query = rows_of(inputs.query, order)});
        EXPECT_TRUE(near(after.output, before.output, exact)) << pool.dump();
        for (std::size_t at = 0; at < order.size(); ++at)
            EXPECT_NEAR(after.weights[at], before.weights[static_cast<std::size_t>(order[at])], exact);
    }
}

TEST_F(Pooling, LeavesPaddingOut) {
    Inputs shorter{.query = rows_of(inputs.query, {0, 1, 2, 3, 4})}, other = inputs;
    for (Index token = 5; token < tokens; ++token)
        std::ranges::fill(other.query.row(token), 50.0);
    for (const Json& pool : pools) {
        const Numbers padded = run(of(pool, padding(5)), other), whole = run(of(pool), shorter);
        EXPECT_TRUE(near(std::span(padded.output).first(5 * width), whole.output, exact)) << pool.dump();
        for (Index query = 0; query < tokens; ++query) {
            EXPECT_TRUE(near(row(padded.weights, query, tokens).first(5), row(whole.weights, 0, 5), exact));
            EXPECT_EQ(row(padded.weights, query, tokens)[5], 0);
            EXPECT_EQ(row(padded.weights, query, tokens)[6], 0);
        }
        const Numbers nothing = run(of(pool, padding(0)), inputs);
        for (const double weight : nothing.weights)
            EXPECT_EQ(weight, 0);
        for (const double number : nothing.output)
            EXPECT_TRUE(std::isfinite(number));
        EXPECT_THROW(planned(of(pool, {{"mask", {{"type", "causal"}}}}), inputs), Error);
    }
}

TEST_F(Pooling, IsTheMeanWhereNothingAsks) {
    inputs.parameters = {{"seeds", Tensor({2, width})},
                         {"w_pool", Tensor({2, width})},
                         {"u_word", Tensor({width})},
                         {"u_sentence", Tensor({width})},
                         {"W_classes", Tensor({2, width})}};
    const std::vector<std::pair<Json, double>> flat{
        {{{"type", "attention_pooling"}, {"seeds", 2}}, 1},
        {{{"type", "additive_pooling"}, {"rows", 2}}, 1},
        {{{"type", "hierarchical_pooling"}, {"sentences", std::vector<Index>{100}}}, 1},
        {{{"type", "class_residual"}, {"classes", 2}, {"lambda", 0.5}}, 1.5}};
    for (const auto& [pool, sum] : flat) {
        const Numbers all = run(of(pool), inputs);
        for (const double weight : all.weights)
            EXPECT_NEAR(weight, sum / tokens, exact);
        for (Index c = 0; c < width; ++c) {
            double mean = 0;
            for (Index token = 0; token < tokens; ++token)
                mean += inputs.query(token, c) / tokens;
            EXPECT_NEAR(all.output[static_cast<std::size_t>(c)], sum * mean, exact);
        }
    }
}

// As many seeds as tokens, which are the tokens.
TEST_F(Pooling, BySeedsThatAreTheTokensIsSelfAttention) {
    const Json learned{{"projections", {{"type", "learned"}}}};
    inputs.parameters = planned(spec(learned.dump()), inputs)->inputs.parameters;
    const Trace plain = record(planned(spec(learned.dump()), inputs));
    inputs.parameters["seeds"] = inputs.query;
    const Trace pooled =
        record(planned(of({{"type", "attention_pooling"}, {"seeds", tokens}}, learned), inputs));
    EXPECT_TRUE(near(stage(pooled, "pooling_weights"), stage(plain, "weights"), exact));
    EXPECT_TRUE(near(stage(pooled, "pooled_values"), stage(plain, "context"), exact));
}

TEST_F(Pooling, BySeedsIsAttentionOfTheSeeds) {
    both.parameters["seeds"] = random_tensor({3, width}, random);
    const Numbers plain = run(
        spec(cross.dump()), Inputs{.query = both.parameters["seeds"], .key = both.key, .value = both.value});
    const AttentionSpec pool = of({{"type", "attention_pooling"}, {"seeds", 3}}, cross);
    EXPECT_TRUE(near(numbers("pooling_weights", pool, both), plain.weights, exact));
    EXPECT_TRUE(near(numbers("pooled_values", pool, both), plain.output, exact));
    // Further steps are those of a Hopfield network that the seeds ask.
    const Json options{{"steps", 4}, {"beta", 0.8}};
    Json network = options, cues = options;
    network["type"] = "hopfield";
    cues.update({{"type", "attention_pooling"}, {"seeds", 3}});
    EXPECT_TRUE(near(numbers("pooled_values", of(cues, cross), both),
                     run(of(network, cross),
                         Inputs{.query = both.parameters["seeds"], .key = both.key, .value = both.value})
                         .output,
                     exact));
}

TEST_F(Pooling, OfQueriesIsAttentionOfTheirMeans) {
    for (const bool separate : {true, false}) {
        const AttentionSpec pool =
            of({{"type", "pooled_queries"}, {"stride", 2}, {"separate", separate}}, cross);
        // Four queries are pooled as the first, two and one, or as two and two.
        const std::vector<Index> mean_of_query =
            separate ? std::vector<Index>{0, 1, 1, 2} : std::vector<Index>{0, 0, 1, 1};
        Tensor means({mean_of_query.back() + 1, width});
        for (Index query = 0; query < 4; ++query)
            for (Index c = 0; c < width; ++c)
                means(mean_of_query[static_cast<std::size_t>(query)], c) +=
                    both.query(query, c) /
                    static_cast<double>(
                        std::ranges::count(mean_of_query, mean_of_query[static_cast<std::size_t>(query)]));
        const Numbers plain =
            run(spec(cross.dump()), Inputs{.query = means, .key = both.key, .value = both.value});
        EXPECT_TRUE(near(numbers("pooling_weights", pool, both), plain.weights, exact));
        EXPECT_TRUE(near(numbers("pooled_values", pool, both), plain.output, exact));
        const Numbers all = run(pool, both);
        for (Index query = 0; query < 4; ++query) {
            const Index mean = mean_of_query[static_cast<std::size_t>(query)];
            EXPECT_TRUE(near(row(all.weights, query, tokens), row(plain.weights, mean, tokens), exact));
            EXPECT_TRUE(near(row(all.output, query, width), row(plain.output, mean, width), exact));
        }
    }
}

// Padding is in no mean, and asks what the others of its mean ask.
TEST_F(Pooling, OfQueriesLeavesOutPadding) {
    const AttentionSpec pool = of({{"type", "pooled_queries"}, {"stride", 3}}, padding(4));
    Inputs shorter{.query = Tensor({4, width})};
    for (Index token = 0; token < 4; ++token)
        std::ranges::copy(inputs.query.row(token), shorter.query.row(token).begin());
    const Numbers whole = run(of({{"type", "pooled_queries"}, {"stride", 3}}), shorter);
    for (const double anything : {1e3, -40.0}) {
        Inputs spoilt = inputs;
        for (Index token = 4; token < tokens; ++token)
            std::ranges::fill(spoilt.query.row(token), anything);
        const Numbers all = run(pool, spoilt);
        for (Index query = 0; query < 4; ++query)
            EXPECT_TRUE(near(row(all.output, query, width), row(whole.output, query, width), exact));
    }
}

TEST_F(Pooling, OfABlockAddsWhatAsked) {
    inputs.parameters = {{"seeds", random_tensor({2, width}, random)},
                         {"W_pooled", Tensor({width, width})},
                         {"b_pooled", Tensor({width}, 0.25)}};
    const AttentionSpec pool = of({{"type", "attention_pooling"}, {"seeds", 2}, {"block", true}});
    const auto found = numbers("pooled_values", pool, inputs), rows = numbers("pooled_rows", pool, inputs);
    for (std::size_t at = 0; at < rows.size(); ++at)
        EXPECT_NEAR(rows[at], inputs.parameters["seeds"].values()[at] + found[at] + 0.25, exact);
}

// The mean is put before the tokens as one more, and asks.
TEST_F(Pooling, ByTheMeanTokenIsItsRowOfSelfAttention) {
    Tensor mean({1, width});
    for (Index token = 0; token < tokens; ++token)
        for (Index c = 0; c < width; ++c)
            mean(0, c) += inputs.query(token, c) / tokens;
    const Numbers with_mean = run(spec("{}"), Inputs{.query = stacked(mean, inputs.query)});
    const Numbers pooled = run(of({{"type", "attention_pooling"}, {"query", "mean_token"}}), inputs);
    EXPECT_TRUE(near(row(pooled.output, 0, width), row(with_mean.output, 0, width), exact));
    for (std::size_t token = 0; token < tokens; ++token)
        EXPECT_NEAR(pooled.weights[token], with_mean.weights[token + 1] + with_mean.weights[0] / tokens,
                    exact);
    EXPECT_THROW(planned(of({{"type", "attention_pooling"}, {"query", "mean"}, {"seeds", 2}}), inputs),
                 Error);
    EXPECT_THROW(planned(of({{"type", "attention_pooling"}, {"query", "mean_token"}}, cross), both), Error);
}

TEST_F(Pooling, WithGatesThatAreHalfOpenIsPlainWithHalfTheVector) {
    inputs.parameters = {{"V_pool", random_tensor({width, 4}, random)},
                         {"U_pool", Tensor({width, 4})},
                         {"w_pool", random_tensor({2, 4}, random)}};
    const Json plain{{"type", "additive_pooling"}, {"rows", 2}, {"units", 4}};
    Json gated = plain;
    gated["gated"] = true;
    const Numbers half = run(of(gated), inputs);
    for (double& number : inputs.parameters["w_pool"].values())
        number /= 2;
    EXPECT_TRUE(near(run(of(plain), inputs), half, exact));
}

// The penalty is 0 where each row looks at a token of its own, and nowhere else.
TEST_F(Pooling, RowsThatLookAtOneTokenEachHaveTheUnitMatrixAsOverlap) {
    Inputs corners{.query = identity(4)};
    corners.parameters = {{"V_pool", identity(4)}, {"w_pool", Tensor({3, 4})}};
    for (Index r = 0; r < 3; ++r)
        corners.parameters["w_pool"](r, r + 1) = 1e4;
    const AttentionSpec pool = of({{"type", "additive_pooling"}, {"rows", 3}});
    EXPECT_TRUE(near(numbers("row_overlaps", pool, corners), identity(3).values(), exact));
    corners.parameters["w_pool"](2, 3) = 0;
    corners.parameters["w_pool"](2, 1) = 1e4;
    EXPECT_NEAR(numbers("row_overlaps", pool, corners)[2], 1, exact) << "two rows at one token";
}

TEST_F(Pooling, OfOneSentenceIsAnEmbeddingOfOneRow) {
    inputs.parameters = {{"W_word", random_tensor({width, width}, random)},
                         {"b_word", Tensor({width})},
                         {"u_word", random_tensor({width}, random)}};
    const AttentionSpec text = of({{"type", "hierarchical_pooling"}, {"sentences", std::vector<Index>{100}}});
    const Numbers whole = run(text, inputs);
    EXPECT_NEAR(numbers("sentence_weights", text, inputs).front(), 1, exact);
    Inputs embedded{.query = inputs.query};
    embedded.parameters["V_pool"] = inputs.parameters["W_word"];
    embedded.parameters["w_pool"] =
        Tensor({1, width}, std::vector<double>(inputs.parameters["u_word"].values().begin(),
                                               inputs.parameters["u_word"].values().end()));
    EXPECT_TRUE(near(run(of({{"type", "additive_pooling"}, {"rows", 1}}), embedded), whole, exact));
}

TEST_F(Pooling, OfSentencesOfOneWordHasTheirWeights) {
    const AttentionSpec words =
        of({{"type", "hierarchical_pooling"}, {"sentences", std::vector<Index>(tokens, 1)}});
    EXPECT_TRUE(near(numbers("word_weights", words, inputs), identity(tokens).values(), exact));
    const auto weights = run(words, inputs).weights, sentences = numbers("sentence_weights", words, inputs);
    EXPECT_TRUE(near(row(weights, 0, tokens), sentences, exact));
}

TEST_F(Pooling, OfClassesGoesFromTheMeanToTheMaximum) {
    inputs.parameters["W_classes"] = random_tensor({3, width}, random);
    const auto logits = [&](double sharpness, double lambda) {
        return numbers(
            "class_logits",
            of({{"type", "class_residual"}, {"classes", 3}, {"sharpness", sharpness}, {"lambda", lambda}}),
            inputs);
    };
    const auto maps = numbers("class_scores", of({{"type", "class_residual"}, {"classes", 3}}), inputs);
    for (Index number = 0; number < 3; ++number) {
        const auto map = row(maps, number, tokens);
        const double mean = total_of(map) / tokens, most = *std::ranges::max_element(map);
        const auto at = static_cast<std::size_t>(number);
        EXPECT_NEAR(logits(1, 0)[at], mean, exact);
        EXPECT_NEAR(logits(0, 0.5)[at], 1.5 * mean, exact);
        EXPECT_NEAR(logits(1000, 0.5)[at], mean + 0.5 * most, 1e-2);
    }
    const auto before = logits(2, 0.3);
    for (double& number : inputs.parameters["W_classes"].values())
        number *= 7;
    EXPECT_TRUE(near(logits(2, 0.3), before, exact)) << "of a class its direction counts";
}

TEST_F(Pooling, IsRefusedWhereNothingFits) {
    for (const char* type : {"additive_pooling", "hierarchical_pooling", "class_residual", "memory_tokens"})
        EXPECT_THROW(planned(of({{"type", type}}, cross), both), Error) << type;
    both.value = random_tensor({tokens, 4}, random);
    for (const char* type : {"memory_hops", "slot_attention"})
        EXPECT_THROW(planned(of({{"type", type}}, cross), both), Error) << type;
    EXPECT_THROW(planned(of({{"type", "attention_pooling"}, {"block", true}}, cross), both), Error);
    EXPECT_NO_THROW(planned(of({{"type", "attention_pooling"}}, cross), both));
}

struct Hops : Pooling {};

TEST_F(Hops, OfOneAreDotAttentionAndTheQuery) {
    const Json causal{{"mask", {{"type", "causal"}}}};
    const Numbers once = run(of({{"type", "memory_hops"}, {"hops", 1}}, causal), inputs);
    Json dot = causal;
    dot["score"] = {{"type", "dot"}};
    const Numbers plain = run(spec(dot.dump()), inputs);
    EXPECT_TRUE(near(once.weights, plain.weights, exact));
    for (std::size_t at = 0; at < once.output.size(); ++at)
        EXPECT_NEAR(once.output[at], plain.output[at] + inputs.query.values()[at], exact);
}

// Each hop is one of its own that is asked with what the one before gave.
TEST_F(Hops, AreOneAfterAnother) {
    const Tensor C = random_tensor({2 * width, width}, random);
    both.parameters["C_hops"] = C;
    const Numbers three = run(of({{"type", "memory_hops"}}, cross), both);
    const AttentionSpec once = of({{"type", "memory_hops"}, {"hops", 1}}, cross);
    const auto values_of = [&](Index hop) {
        return product(*both.key, rows_of(C, hop == 1 ? std::vector<Index>{0, 1, 2, 3, 4, 5}
                                                      : std::vector<Index>{6, 7, 8, 9, 10, 11}));
    };
    Inputs each{.query = both.query, .key = both.key, .value = both.value};
    Numbers found = run(once, each);
    for (const Index hop : {1, 2}) {
        each.query = Tensor({4, width}, found.output);
        each.key = each.value;
        each.value = values_of(hop);
        found = run(once, each);
    }
    EXPECT_TRUE(near(three, found, exact));
}

TEST_F(Hops, OfLayersHaveOneMemory) {
    both.parameters["H_hops"] = identity(width);
    const Json layers{{"type", "memory_hops"}, {"tying", "layer_wise"}, {"hops", 2}, {"scaled", true}};
    const Numbers twice = run(of(layers, cross), both);
    Json single = layers;
    single["hops"] = 1;
    Inputs again = both;
    again.query = Tensor({4, width}, run(of(single, cross), both).output);
    EXPECT_TRUE(near(twice, run(of(single, cross), again), exact));
}

TEST_F(Hops, KeepTheQuestionWhereNothingIsSeen) {
    std::vector<std::vector<bool>> allowed(tokens, std::vector<bool>(tokens, true));
    allowed[2] = std::vector<bool>(tokens);
    const Json masked{{"mask", {{"type", "matrix"}, {"allowed", allowed}}}};
    const Numbers numbers = run(of({{"type", "memory_hops"}}, masked), inputs);
    EXPECT_TRUE(near(row(numbers.output, 2, width), inputs.query.row(2), exact));
    for (const double weight : row(numbers.weights, 2, tokens))
        EXPECT_EQ(weight, 0);
}

struct MemoryTokens : Pooling {};

// The memory and the text as one sequence.
TEST_F(MemoryTokens, IsPartOfTheText) {
    const Json learned{{"projections", {{"type", "learned"}, {"bias", true}}}};
    inputs.parameters = planned(spec(learned.dump()), inputs)->inputs.parameters;
    const Tensor memory = random_tensor({3, width}, random);
    Inputs together = inputs;
    together.query = stacked(memory, inputs.query);
    const Numbers all = run(spec(learned.dump()), together);
    inputs.parameters["memory_tokens"] = memory;
    const Trace trace = record(planned(of({{"type", "memory_tokens"}, {"tokens", 3}}, learned), inputs));
    const auto output = stage(trace, "output"), memory_context = stage(trace, "memory_context"),
               weights = stage(trace, "weights"), taken = stage(trace, "memory_token_weights"),
               reads = stage(trace, "memory_reads");
    EXPECT_TRUE(near(memory_context, std::span(all.output).first(3 * width), exact));
    EXPECT_TRUE(near(output, std::span(all.output).subspan(3 * width), exact));
    for (Index query = 0; query < 3 + tokens; ++query) {
        const auto whole = row(all.weights, query, 3 + tokens);
        if (query < 3) {
            EXPECT_TRUE(near(row(reads, query, tokens), whole.subspan(3), exact));
        } else {
            EXPECT_TRUE(near(row(taken, query - 3, 3), whole.first(3), exact));
            EXPECT_TRUE(near(row(weights, query - 3, tokens), whole.subspan(3), exact));
        }
    }
}

TEST_F(MemoryTokens, DoesNotReadPadding) {
    const AttentionSpec padded = of({{"type", "memory_tokens"}}, padding(4));
    Inputs other = inputs;
    for (Index token = 4; token < tokens; ++token)
        std::ranges::fill(other.query.row(token), 50.0);
    EXPECT_TRUE(
        near(numbers("memory_context", padded, other), numbers("memory_context", padded, inputs), exact));
    EXPECT_THROW(planned(of({{"type", "memory_tokens"}}, {{"mask", {{"type", "causal"}}}}), inputs), Error);
}

struct SlotRounds : Pooling {
    static Json plain(Index rounds) {
        return {{"type", "slot_attention"},
                {"rounds", rounds},
                {"cell", false},
                {"layer", false},
                {"norm", false}};
    }
};

TEST_F(SlotRounds, OfOneRoundAreTheNormaliser) {
    Json slot = cross;
    slot["normalizer"] = {{"type", "slot"}};
    EXPECT_TRUE(near(run(of(plain(1), cross), both), run(spec(slot.dump()), both), exact));
}

TEST_F(SlotRounds, AskAgainAsWhatTheyHaveBecome) {
    Inputs again = both;
    again.query = Tensor({4, width}, run(of(plain(1), cross), both).output);
    EXPECT_TRUE(near(run(of(plain(2), cross), both), run(of(plain(1), cross), again), exact));
}

// A gate that is open keeps the slot, and layers of zeros add nothing.
TEST_F(SlotRounds, StayWhereTheCellKeepsThem) {
    both.parameters = {{"W_cell", Tensor({width, 3 * width})},
                       {"U_cell", Tensor({width, 3 * width})},
                       {"b_cell", Tensor({3 * width})},
                       {"c_cell", Tensor({3 * width})},
                       {"W_slot_hidden", Tensor({width, 2 * width})},
                       {"W_slot", Tensor({2 * width, width})}};
    for (Index c = width; c < 2 * width; ++c)
        both.parameters["b_cell"][c] = 1e3;
    EXPECT_TRUE(near(run(of({{"type", "slot_attention"}}, cross), both).output, both.query.values(), exact));
    for (Index c = width; c < 2 * width; ++c)
        both.parameters["b_cell"][c] = 0;
    const auto half = run(of({{"type", "slot_attention"}, {"rounds", 1}}, cross), both).output;
    for (std::size_t at = 0; at < half.size(); ++at)
        EXPECT_NEAR(half[at], both.query.values()[at] / 2, exact);
}

TEST_F(SlotRounds, ThatAreAlikeStayAlike) {
    std::ranges::copy(both.query.row(1), both.query.row(3).begin());
    const Numbers numbers = run(of({{"type", "slot_attention"}}, cross), both);
    EXPECT_TRUE(near(row(numbers.weights, 3, tokens), row(numbers.weights, 1, tokens), exact));
    EXPECT_TRUE(near(row(numbers.output, 3, width), row(numbers.output, 1, width), exact));
}

TEST_F(SlotRounds, ShareOutEachKeyInEveryRound) {
    const auto rounds = numbers("round_weights", of({{"type", "slot_attention"}}, cross), both);
    ASSERT_EQ(rounds.size(), 4u * 3u * tokens);
    for (Index round = 0; round < 3 * 4; ++round)
        EXPECT_NEAR(total_of(row(rounds, round, tokens)), 1, exact);
}

struct Capsules : Pooling {
    static AttentionSpec routed(Index rounds, Index types = 4) {
        return of({{"type", "capsules"}, {"rounds", rounds}, {"types", types}}, cross);
    }
};

TEST_F(Capsules, BeginWithoutAPreference) {
    for (const double weight : run(routed(1), both).weights)
        EXPECT_NEAR(weight, 0.25, exact);
}

TEST_F(Capsules, ShareOutEachChildInEveryRound) {
    const auto rounds = numbers("round_weights", routed(3), both);
    ASSERT_EQ(rounds.size(), 4u * 3u * tokens);
    double most = 0;
    for (std::size_t column = 0; column < 3u * tokens; ++column) {
        double sum = 0;
        for (std::size_t parent = 0; parent < 4; ++parent) {
            sum += rounds[parent * 3 * tokens + column];
            most = std::max(most, rounds[parent * 3 * tokens + column]);
        }
        EXPECT_NEAR(sum, 1, exact) << column;
    }
    EXPECT_GT(most, 0.251) << "some child has found its parent";
}

// Parents of one matrix stay alike; of votes that vanish nothing is left, and no length reaches 1.
TEST_F(Capsules, OfOneMatrixAreOne) {
    const Numbers numbers = run(routed(3, 1), both);
    for (const double weight : numbers.weights)
        EXPECT_NEAR(weight, 0.25, exact);
    for (Index parent = 1; parent < 4; ++parent)
        EXPECT_TRUE(near(row(numbers.output, parent, width), row(numbers.output, 0, width), exact));
    Inputs loud = both;
    for (const double size : {1e-3, 1.0, 1e3}) {
        for (std::size_t at = 0; at < both.value->values().size(); ++at)
            loud.value->values()[at] = size * both.value->values()[at];
        const auto output = run(routed(3), loud).output;
        for (Index parent = 0; parent < 4; ++parent) {
            double squares = 0;
            for (const double number : row(output, parent, width))
                squares += number * number;
            EXPECT_LT(squares, size == 1e-3 ? 1e-3 : 1.0);
        }
    }
}

}  // namespace

}  // namespace headlight::invariants_pooling_test
