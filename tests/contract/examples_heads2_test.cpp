// The examples of heads, executions and memories show what their entries promise.

#include "tests/support/example.h"
#include "tests/support/map_rows.h"

#include <gtest/gtest.h>

#include <numeric>

namespace headlight::examples_heads2_test {

using namespace test;

namespace {

Trace traced(const Example& example) { return record(std::make_shared<const Plan>(example.plan())); }

TEST(HeadExamples, QueryHeadsShareOneOrTwoHeadsOfKeys) {
    EXPECT_EQ(traced(Example("multi_query")).find("key")->shape.front(), 1);
    EXPECT_EQ(traced(Example("grouped_query")).find("key")->shape.front(), 2);
    EXPECT_EQ(traced(Example("grouped_query")).find("weights")->shape.front(), 8);
}

TEST(HeadExamples, LatentKeysVanishWhenAbsorbed) {
    const Trace plain = traced(Example("latent")), absorbed = traced(Example("latent", {{"absorbed", true}}));
    EXPECT_NE(plain.find("value"), nullptr);
    EXPECT_EQ(absorbed.find("value"), nullptr);
    EXPECT_TRUE(near(stage(plain, "weights"), stage(absorbed, "weights"), 1e-9));
}

TEST(HeadExamples, MixedRowsDoNotSumToOne) {
    EXPECT_GT(std::abs(total_of(Example("talking_heads").row(0)) - 1), 0.01);
    const Example differential("differential");
    EXPECT_LT(total_of(differential.row(0)), 0.5);
    const auto weights = stage(traced(differential), "weights");
    EXPECT_LT(*std::ranges::min_element(weights), 0);
}

TEST(HeadExamples, EachWordTakesOffAShareOfItsOwn) {
    const Example example("differential_2");
    const Trace trace = traced(example);
    const auto weights = stage(trace, "weights"), shares = stage(trace, "second_share");
    EXPECT_LT(*std::ranges::min_element(weights), 0);
    for (Index query = 0; query < example.plan().queries; ++query)
        EXPECT_NEAR(total_of(example.row(query)), 1 - shares[static_cast<std::size_t>(query)], 1e-12);
    EXPECT_GT(std::abs(shares[1] - shares[2]), 1e-3);
}

TEST(HeadExamples, WhatWasTakenOffIsGivenBackOnAverage) {
    const Example example("dint");
    const Trace trace = traced(example);
    const auto weights = stage(trace, "weights"), first = stage(trace, "first_weights"),
               importance = stage(trace, "importance");
    EXPECT_LT(*std::ranges::min_element(weights), 0);
    const auto n = static_cast<std::size_t>(example.plan().queries);
    for (std::size_t row = 0; row < n; ++row)
        EXPECT_NEAR(total_of(example.row(static_cast<Index>(row))), 1, 1e-12);
    for (std::size_t key = 0; key < n; ++key) {
        double sum = 0;
        for (std::size_t query = 0; query < n; ++query)
            sum += first[query * n + key];
        EXPECT_NEAR(importance[key], sum / static_cast<double>(n), 1e-12);
    }
}

// the king met the queen and the man met the woman: "the" at 0, 3, 6 and 9
TEST(HeadExamples, AWordChoosesTwoHeadsBesideTheFirst) {
    const Example example("head_mixture");
    const auto gates = stage(traced(example), "head_gates");
    const auto n = static_cast<std::size_t>(example.plan().queries);
    for (std::size_t word = 0; word < n; ++word) {
        EXPECT_GT(gates[word], 0);
        Index chosen = 0;
        for (std::size_t head = 1; head < 8; ++head)
            chosen += gates[head * n + word] > 0;
        EXPECT_EQ(chosen, 2) << word;
    }
    for (std::size_t head = 0; head < 8; ++head)
        for (const std::size_t copy : {3u, 6u, 9u})
            EXPECT_NEAR(gates[head * n + copy], gates[head * n], 1e-12);
}

TEST(HeadExamples, ADroppedHeadGivesNothing) {
    const Example example("drop_head");
    const Trace trace = traced(example);
    const auto attended = stage(trace, "attended"), context = stage(trace, "context");
    const std::size_t size = context.size() / 8;
    Index dropped = 0;
    for (std::size_t head = 0; head < 8; ++head) {
        const bool is_dropped = context[head * size] == 0;
        dropped += is_dropped;
        for (std::size_t i = head * size; i < (head + 1) * size; ++i)
            EXPECT_TRUE(is_dropped ? context[i] == 0 : std::abs(context[i]) >= std::abs(attended[i]));
    }
    EXPECT_GT(dropped, 0);
    EXPECT_LT(dropped, 8);
}

TEST(HeadExamples, SearchesChooseAmongTheValuesOfBothGroups) {
    const auto choices = stage(traced(Example("compositional")), "retrieval_weights");
    const auto [least, most] = std::ranges::minmax(choices);
    EXPECT_GT(least, 0.01);
    EXPECT_LT(most, 0.99);
}

TEST(HeadExamples, EverySecondWordHoldsTwo) {
    const Example example("temporal_latent");
    for (Index query = 0; query < example.plan().queries; ++query)
        for (Index key = 0; key < example.plan().keys; ++key)
            EXPECT_EQ(example.row(query)[static_cast<std::size_t>(key)] > 0,
                      key == query || (key < query && key % 2 == 1))
                << query << ", " << key;
}

TEST(HeadExamples, AWordIsTwoRowsInOrder) {
    const Example example("interleaved_heads", {{"causal", true}, {"strict", true}});
    const auto weights = stage(traced(example), "pseudo_weights");
    const auto size = static_cast<std::size_t>(2 * example.plan().queries);
    for (std::size_t row = 0; row < size; ++row)
        for (std::size_t column = 0; column < size; ++column)
            EXPECT_EQ(weights[row * size + column] > 0, column <= row) << row << ", " << column;
}

TEST(HeadExamples, WordsInTheMiddleAreInMoreAreas) {
    const Example example("area");
    for (Index query = 0; query < example.plan().queries; ++query)
        EXPECT_GT(total_of(example.row(query)), 1.01) << query;
}

TEST(HeadExamples, EachFeatureOfAWordHasAWinner) {
    const Example example("tropical");
    for (Index query = 0; query < example.plan().queries; ++query) {
        EXPECT_NEAR(total_of(example.row(query)), 1, 1e-12);
        for (const double weight : example.row(query))
            EXPECT_NEAR(64 * weight, std::round(64 * weight), 1e-9);
    }
    const Example alone("tropical", {{"projections", std::string("none")}});
    for (const std::string& word : alone.words())
        EXPECT_EQ(alone.weight(word, word), 1) << word;
}

TEST(HeadExamples, TwoBitsAreFourNumbersOfEachChannel) {
    const Example example("quantized_cache");
    const Trace trace = traced(example);
    const auto keys = stage(trace, "rounded_key"), errors = stage(trace, "weight_errors");
    const auto n = static_cast<std::size_t>(example.plan().queries), width = keys.size() / n;
    for (std::size_t channel = 0; channel < width; ++channel) {
        std::vector<double> numbers;
        for (std::size_t word = 0; word < n; ++word)
            numbers.push_back(keys[word * width + channel]);
        std::ranges::sort(numbers);
        const auto end =
            std::unique(numbers.begin(), numbers.end(), [](double a, double b) { return b - a < 1e-9; });
        EXPECT_LE(end - numbers.begin(), 4);
    }
    const auto largest = [](const std::vector<double>& all) {
        return std::abs(*std::ranges::max_element(all, {}, [](double number) { return std::abs(number); }));
    };
    EXPECT_GT(largest(errors), 1e-3);
    for (std::size_t word = 0; word < n; ++word)
        EXPECT_NEAR(total_of(std::span(errors).subspan(word * n, n)), 0, 1e-12);
    EXPECT_LT(largest(stage(traced(Example("quantized_cache", {{"bits", Index(16)}})), "weight_errors")),
              1e-3);
}

TEST(HeadExamples, WordsOfAClusterShareARow) {
    const auto different_rows = [](const Example& example) {
        std::vector<std::vector<double>> rows;
        for (Index query = 0; query < example.plan().queries; ++query) {
            const auto row = example.row(query);
            if (std::ranges::none_of(rows, [&](const auto& other) { return bool(near(row, other, 1e-12)); }))
                rows.emplace_back(row.begin(), row.end());
        }
        return rows.size();
    };
    const Example example("clustered");
    EXPECT_TRUE(near(example.row(Index(0)), example.row(Index(5)), 1e-12)) << "both “cat”";
    EXPECT_TRUE(near(example.row(Index(1)), example.row(Index(8)), 1e-12)) << "both “dog”";
    EXPECT_LE(different_rows(example), 3u);
    EXPECT_GT(different_rows(Example("clustered", {{"exact_keys", Index(2)}})), 3u);
}

TEST(HeadExamples, FarWordsShareANumber) {
    const Example example("h_transformer");
    const Trace trace = traced(example);
    const auto halvings = stage(trace, "halvings");
    const auto n = static_cast<std::size_t>(example.plan().queries);
    EXPECT_EQ(*std::ranges::max_element(halvings), 2);
    for (std::size_t i = 0; i + 1 < n; i += 2)
        for (std::size_t j = 0; j + 1 < n; j += 2) {
            const double first = example.row(static_cast<Index>(i))[j];
            const bool is_one = std::abs(first - example.row(static_cast<Index>(i))[j + 1]) < 1e-12;
            if (halvings[i * n + j] > 0) {
                EXPECT_TRUE(is_one) << i << ", " << j;
            }
        }
    for (const double each : stage(traced(Example("h_transformer", {{"block", Index(8)}})), "halvings"))
        EXPECT_EQ(each, 0);
}

TEST(HeadExamples, FourSquaresAreLookedAtAgain) {
    const Example example("multiresolution");
    const Trace trace = traced(example);
    const auto refined = stage(trace, "refined_pairs"), coarse = stage(trace, "coarse_scores");
    EXPECT_EQ(total_of(refined), 4 * 9);
    ASSERT_EQ(coarse.size(), 16u);
    const double largest = *std::ranges::max_element(coarse);
    const auto at = static_cast<std::size_t>(std::ranges::find(coarse, largest) - coarse.begin());
    EXPECT_EQ(refined[at / 4 * 3 * 12 + at % 4 * 3], 1);
    EXPECT_EQ(total_of(stage(traced(Example("multiresolution", {{"refined", Index(6)}})), "refined_pairs")),
              6 * 9);
}

TEST(HeadExamples, AWordHasTheHashOfItself) {
    const Example example("yoso");
    for (Index query = 0; query < example.plan().queries; ++query)
        EXPECT_EQ(example.row(query)[static_cast<std::size_t>(query)], 1);
    EXPECT_EQ(example.row(Index(0))[6], 1) << "both “king”";
    EXPECT_GT(example.weight("king", "queen"), example.weight("king", "red"));
    const Example one_plane("yoso", {{"hashes", Index(1)}});
    EXPECT_NEAR(std::pow(one_plane.weight("cat", "blue"), 8), example.weight("cat", "blue"), 1e-12);
}

TEST(HeadExamples, PartsOfTheKeysAreMerged) {
    const Example example("split_keys");
    const Trace trace = traced(example);
    const auto parts = stage(trace, "part_weights"), shares = stage(trace, "part_shares");
    ASSERT_EQ(shares.size(), 27u);
    for (std::size_t query = 0; query < 9; ++query) {
        EXPECT_NEAR(total_of(std::span(parts).subspan(9 * query, 9)), 3, 1e-12);
        EXPECT_NEAR(total_of(std::span(shares).subspan(3 * query, 3)), 1, 1e-12);
        EXPECT_NEAR(total_of(example.row(static_cast<Index>(query)).first(3)), shares[3 * query], 1e-12);
    }
}

TEST(HeadExamples, AMatrixOfPlacesIsTheMap) {
    const Example example("spatial_gating");
    const Index n = example.plan().queries;
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
            EXPECT_EQ(example.row(i)[static_cast<std::size_t>(j)],
                      example.plan().parameter("W_places")(i, j));
    const auto gate = stage(traced(example), "place_gate");
    EXPECT_FALSE(near(std::span(gate).first(64), std::span(gate).subspan(64, 64), 1e-3));
}

TEST(HeadExamples, AttentionOnAttentionHasTheMapsOfTheAttention) {
    const Example example("attention_on_attention"), plain("multi_head");
    ASSERT_EQ(example.words(), plain.words());
    EXPECT_TRUE(near(stage(traced(example), "weights"), stage(traced(plain), "weights"), 1e-12));
    const auto gate = stage(traced(example), "information_gate");
    for (const double number : gate) {
        EXPECT_GT(number, 0);
        EXPECT_LT(number, 1);
    }
    EXPECT_NE(gate[0], gate[1]);
    EXPECT_NE(gate[0], gate[64]);
}

TEST(HeadExamples, StatesReachBeyondTheWindowOfTheAttentionBesideThem) {
    const Example example("hybrid_heads");
    const auto states = stage(traced(example), "state_weights");
    for (Index query = 0; query < 10; ++query)
        for (Index key = 0; key < 10; ++key) {
            const auto at = static_cast<std::size_t>(key);
            const double weight = example.row(query)[at];
            EXPECT_EQ(weight > 0, key <= query && query - key <= 2) << query << ", " << key;
            EXPECT_EQ(states[static_cast<std::size_t>(query * 10) + at] != 0, key <= query)
                << query << ", " << key;
        }
}

// the king and the queen drink tea: "the" at 0 and 3
TEST(HeadExamples, EqualWordsOpenTheSameFeatures) {
    const Example example("output_gate");
    const auto gate = stage(traced(example), "output_gate");
    const auto n = static_cast<std::size_t>(example.plan().queries);
    const std::size_t width = gate.size() / (8 * n);
    for (std::size_t head = 0; head < 8; ++head)
        for (std::size_t c = 0; c < width; ++c) {
            const std::size_t first = head * n * width + c;
            EXPECT_NEAR(gate[first], gate[first + 3 * width], 1e-12);
        }
    EXPECT_GT(std::abs(gate[0] - gate[width]), 1e-6);
}

// the king met the queen and the man met the woman: "the" at 0, 3, 6 and 9, "met" at 2 and 8
TEST(HeadExamples, AWordHasOneOfTwoValueExpertsOfEachHead) {
    const Example example("switch_head");
    const auto gates = stage(traced(example), "value_experts");
    const auto n = static_cast<std::size_t>(example.plan().queries);
    ASSERT_EQ(gates.size(), 4 * n * 2);
    for (std::size_t at = 0; at < gates.size(); at += 2)
        EXPECT_TRUE((gates[at] == 0) != (gates[at + 1] == 0)) << at;
    for (std::size_t head = 0; head < 4; ++head)
        for (std::size_t expert = 0; expert < 2; ++expert) {
            const auto of_word = [&](std::size_t word) { return gates[(head * n + word) * 2 + expert]; };
            for (const std::size_t copy : {3u, 6u, 9u})
                EXPECT_NEAR(of_word(copy), of_word(0), 1e-12);
            EXPECT_NEAR(of_word(8), of_word(2), 1e-12);
        }
}

TEST(HeadExamples, FourHeadsReadOneStateThatIsValueAndKey) {
    const Example example("grouped_latents");
    const Trace trace = traced(example);
    const auto value = stage(trace, "value"), key = stage(trace, "content_key");
    const auto m = static_cast<std::size_t>(example.plan().keys);
    const std::size_t width = value.size() / (8 * m), half = key.size() / (8 * m);
    ASSERT_EQ(2 * half, width);
    for (std::size_t head = 0; head < 8; ++head)
        for (std::size_t at = 0; at < m * width; ++at) {
            EXPECT_EQ(value[head * m * width + at], value[head / 4 * 4 * m * width + at]);
            if (at % width < half) {
                EXPECT_EQ(value[head * m * width + at],
                          key[head * m * half + at / width * half + at % width]);
            }
        }
}

TEST(HeadExamples, AGroupSaysHalfOfWhatItFound) {
    const Trace trace = traced(Example("grouped_output"));
    EXPECT_EQ(2 * trace.find("narrowed_output")->shape.back(), trace.find("concatenation")->shape.back());
}

TEST(HeadExamples, WindowsOfHeadsBecomeWider) {
    const Example example("head_windows");
    const auto weights = stage(traced(example), "weights");
    const std::vector<Index> reaches{0, 1, 3, 65536};
    const Index n = example.plan().queries;
    for (Index head = 0; head < 4; ++head)
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < n; ++j)
                EXPECT_EQ(weights[static_cast<std::size_t>((head * n + i) * n + j)] > 0,
                          std::abs(i - j) <= reaches[static_cast<std::size_t>(head)]);
}

// cat dog red, cat dog blue, cow horse green, cow horse black: frames of three places
TEST(HeadExamples, OneHeadLooksThroughTheFramesAndTheOthersAboutInTheirOwn) {
    const auto weights = stage(traced(Example("frame_heads")), "weights");
    ASSERT_EQ(weights.size(), 8u * 12 * 12);
    for (std::size_t head = 0; head < 8; ++head)
        for (std::size_t i = 3; i < 12; ++i)
            for (std::size_t j = 0; j < 12; ++j) {
                const bool is_seen = j < 3 || (head == 4 ? i % 3 == j % 3 : i / 3 == j / 3);
                EXPECT_EQ(weights[(head * 12 + i) * 12 + j] > 0, is_seen) << head << ": " << i << ", " << j;
            }
}

TEST(HeadExamples, StripesOfTwoHeadsAreACross) {
    for (const Index width : {1, 2}) {
        const Example example("cswin", {{"heads", Index(2)}, {"width", width}});
        const auto weights = stage(traced(example), "weights");
        ASSERT_EQ(weights.size(), 2u * 9 * 9);
        for (std::size_t i = 0; i < 9; ++i)
            for (std::size_t j = 0; j < 9; ++j) {
                const auto w = static_cast<std::size_t>(width);
                EXPECT_EQ(weights[i * 9 + j] > 0, i / 3 / w == j / 3 / w);
                EXPECT_EQ(weights[81 + i * 9 + j] > 0, i % 3 / w == j % 3 / w);
            }
    }
}

TEST(HeadExamples, ACacheOfThreeIsABand) {
    const Example example("kv_cache", {{"capacity", Index(3)}});
    EXPECT_EQ(example.weight("king", "once"), 0);
    EXPECT_GT(example.weight("king", "wise"), 0);
}

TEST(HeadExamples, AHopfieldNetworkGathersWords) {
    const auto apart = [](const Example& example, Index a, Index b) {
        double sum = 0;
        for (Index key = 0; key < 7; ++key)
            sum += std::abs(example.row(a)[static_cast<std::size_t>(key)] -
                            example.row(b)[static_cast<std::size_t>(key)]);
        return sum;
    };
    const auto after = [](Index steps, double beta = 0) {
        return Example("hopfield", {{"steps", steps}, {"beta", beta}});
    };
    EXPECT_GT(apart(after(1), 0, 1), 0.7);
    EXPECT_LT(apart(after(3), 0, 1), 0.15);  // king and queen
    EXPECT_LT(apart(after(3), 2, 3), 0.05);  // man and woman
    EXPECT_GT(apart(after(3), 0, 2), 0.8);
    EXPECT_LT(apart(after(50), 0, 6), 0.01);
    const auto ends_in = [](const Example& example, Index word) {
        const auto row = example.row(word);
        return std::ranges::max_element(row) - row.begin();
    };
    const Example pairs = after(50, 0.3), sharp = after(50, 1);
    const Index partners[] = {1, 1, 3, 3, 4, 5, 6};
    for (Index word = 0; word < 7; ++word) {
        EXPECT_EQ(ends_in(pairs, word), partners[word]);
        EXPECT_EQ(ends_in(sharp, word), word);
    }
}

// the king and the queen drink tea
TEST(HeadExamples, ShapedAttentionKeepsEachWordAndTellsTheOthersApart) {
    const Mechanism& shaped = mechanism("shaped");
    const Inputs inputs{.query = Example("shaped").plan().inputs.query};  // without its parameters
    const Trace trace = record(planned(build_spec(shaped, shaped.example.values), inputs));
    const auto weights = stage(trace, "weights");
    for (std::size_t head = 0; head < 4; ++head)
        for (std::size_t word = 0; word < 7; ++word)
            EXPECT_GT(weights[(head * 7 + word) * 7 + word], 1);
    const auto king = std::span(weights).subspan(7, 7);
    EXPECT_NEAR(king[4], 0.07, 0.01);
    EXPECT_NEAR(std::ranges::min(king), -0.09, 0.01);
}

// a king and a queen met a man and a woman: "a" first, "met" at 5
TEST(HeadExamples, ExclusiveAttentionLeavesLittleToAWordThatStandsFourTimes) {
    const Trace trace = traced(Example("exclusive"));
    const auto shares = stage(trace, "own_share"), attended = stage(trace, "attended"),
               contexts = stage(trace, "context");
    EXPECT_NEAR(shares[0], 0.97, 0.01);
    EXPECT_NEAR(shares[5], 0.74, 0.01);
    const std::size_t width = contexts.size() / shares.size();
    const auto length = [&](const std::vector<double>& numbers, std::size_t word) {
        const auto row = std::span(numbers).subspan(word * width, width);
        return std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
    };
    EXPECT_LT(length(contexts, 0), 0.05 * length(attended, 0));
    EXPECT_GT(length(contexts, 5), 0.5 * length(attended, 5));
}

// a king and a queen met a man and a woman: "a" first, "king" at 1
TEST(HeadExamples, ALineLeavesOutWhatLiesOnTheFarSide) {
    const Example line("local_linear");
    const Trace mean = record(planned(spec("{}"), line.plan().inputs));
    for (const std::size_t a : {0u, 3u, 6u, 9u}) {
        EXPECT_NEAR(stage(mean, "weights")[11 + a], 0.055, 0.001);
        EXPECT_NEAR(line.row("king")[a], 0.004, 0.001);
    }
    EXPECT_NEAR(stage(mean, "weights")[12], 0.449, 0.001);
    EXPECT_NEAR(line.weight("king", "king"), 0.873, 0.001);
}

TEST(HeadExamples, SlotsGetMostFromWordsThatFitLeast) {
    const Example example("persistent_memory");
    const auto slots = stage(traced(example), "memory_weights");
    const auto given = [&](const std::string& word) {
        const auto at = std::ranges::find(example.words(), word) - example.words().begin();
        return total_of(std::span(slots).subspan(static_cast<std::size_t>(4 * at), 4));
    };
    EXPECT_NEAR(given("kitten"), 0.13, 0.015);
    EXPECT_NEAR(given("sleeps"), 0.07, 0.015);
    EXPECT_NEAR(given("the"), 0.01, 0.005);
}

TEST(HeadExamples, AHeadByLocationDoesNotLookAtTheCells) {
    const Example example("ntm", {{"addressing", std::string("location")}});
    EXPECT_NEAR(total_of(example.row(0)), 1, 1e-9);
    EXPECT_GT(example.row(0)[0] + example.row(0)[1] + example.row(0)[7], 0.999);
}

}  // namespace

}  // namespace headlight::examples_heads2_test
