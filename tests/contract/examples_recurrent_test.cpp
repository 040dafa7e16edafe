// What the examples of the linear, recurrent and low-rank mechanisms promise to show.

#include "tests/support/example.h"
#include "tests/support/map_rows.h"

#include <numeric>

namespace headlight::examples_recurrent_test {

using namespace test;

namespace {

double largest_elsewhere(const Example& example, Index query) {
    const auto row = example.row(query);
    double most = 0;
    for (std::size_t j = 0; j < row.size(); ++j)
        if (static_cast<Index>(j) != query)
            most = std::max(most, std::abs(row[j]));
    return most;
}

TEST(RecurrentExamples, LinearIsFlatterThanSoftmax) {
    const Example linear("linear"), softmax("causal");
    ASSERT_EQ(linear.words(), softmax.words());
    const Index last = linear.plan().queries - 1;
    EXPECT_LT(*std::ranges::max_element(linear.row(last)), *std::ranges::max_element(softmax.row(last)));
}

TEST(RecurrentExamples, TheFourthPowerIsNearSoftmaxAndTheSecondIsReBased) {
    const Example fourth("power", {{"power", std::string("4")}}), second("power"), rebased("rebased");
    const Trace trace = record(planned(spec(R"({"mask": {"type": "causal"}})"), fourth.plan().inputs));
    const auto softmax = stage(trace, "weights");
    const Index n = fourth.plan().queries;
    double of_fourth = 0, of_second = 0;
    for (Index query = 0; query < n; ++query) {
        EXPECT_TRUE(near(second.row(query), rebased.row(query), 1e-9)) << query;
        for (Index key = 0; key < n; ++key) {
            const auto at = static_cast<std::size_t>(key);
            const double exact = softmax[static_cast<std::size_t>(query * n + key)];
            of_fourth = std::max(of_fourth, std::abs(fourth.row(query)[at] - exact));
            of_second = std::max(of_second, std::abs(second.row(query)[at] - exact));
        }
    }
    EXPECT_LT(of_fourth, 0.1);
    EXPECT_GT(of_second, 0.2);
}

// the king met the queen and the man met the woman: "the" at 0, 3, 6 and 9
TEST(RecurrentExamples, TheSecondOrderWeighsLaterCopiesMore) {
    const Example example("higher_order");
    const auto row = example.row(Index(9));
    EXPECT_NEAR(row[0], 27, 0.5);
    EXPECT_NEAR(row[3], 65, 0.5);
    EXPECT_NEAR(row[6], 111, 0.5);
    EXPECT_NEAR(row[9], 154, 0.5);
}

TEST(RecurrentExamples, RetentionFadesCopiesByGamma) {
    const Example example("retention", {{"gamma", 0.7}});
    // the old man and the young man saw the sea: "the" at 0, 4 and 8
    for (Index query = 8; query < example.plan().queries; ++query) {
        const auto row = example.row(query);
        EXPECT_NEAR(row[0] / row[4], std::pow(0.7, 4), 1e-6);
        EXPECT_NEAR(row[4] / row[8], std::pow(0.7, 4), 1e-6);
    }
}

// the door was red and then the door was blue: "the" at 0 and 6, "door" at 1 and 7, "was" at 2 and 8
TEST(RecurrentExamples, TheMatrixMemoryFadesCopiesByTheGatesInBetween) {
    const Example example("mlstm");
    const auto gates = stage(record(planned(example.plan().spec, example.plan().inputs)), "log_forget_gates");
    double kept = 0;
    for (std::size_t token = 1; token <= 6; ++token)
        kept += gates[token];
    for (Index query = 6; query < example.plan().queries; ++query)
        EXPECT_NEAR(example.row(query)[0] / example.row(query)[6], std::exp(kept), 1e-9) << query;
}

TEST(RecurrentExamples, EveryWordHasItsOwnDecayInTheSixthRwkvAndNotInTheFifth) {
    const Example constant("rwkv6", {{"decay", std::string("constant")}}), own("rwkv6");
    const auto of_copies = [](const Example& example, std::size_t first) {
        const auto row = example.row(example.plan().queries - 1);
        return row[first] / row[first + 6];
    };
    for (const std::size_t first : {0u, 1u, 2u})
        EXPECT_NEAR(of_copies(constant, first), std::exp(-6 * std::exp(-2.0)), 1e-9);
    EXPECT_NEAR(of_copies(constant, 0), 0.44, 0.005);
    EXPECT_GT(std::abs(of_copies(own, 0) - of_copies(own, 1)), 0.01);
    EXPECT_GT(std::abs(of_copies(own, 1) - of_copies(own, 2)), 0.01);
}

TEST(RecurrentExamples, LevelsAreBlocksOfPlaces) {
    const Example example("log_linear");
    const auto mask = stage(record(planned(example.plan().spec, example.plan().inputs)), "level_mask");
    const auto of = [&](std::size_t query, std::size_t key) { return mask[query * 10 + key]; };
    for (std::size_t key = 1; key < 8; ++key)
        EXPECT_EQ(of(9, key), of(9, 0)) << key;
    EXPECT_NE(of(9, 8), of(9, 7));
    EXPECT_NE(of(9, 9), of(9, 8));
    for (const std::size_t begin : {4u, 6u, 7u})  // where the next block of “door” begins
        EXPECT_NE(of(7, begin), of(7, begin - 1)) << begin;
    EXPECT_EQ(of(7, 0), of(7, 3));
    EXPECT_EQ(of(7, 4), of(7, 5));
}

// the door was red and then the door was blue: "door" at 1 and 7
TEST(RecurrentExamples, DeltaRulesOverwriteTheFirstDoor) {
    for (const char* id : {"delta", "gated_delta", "kda"}) {
        const Example example(id);
        const auto row = example.row(Index(7));
        EXPECT_LT(std::abs(row[1]), std::abs(row[7])) << id;
    }
    const Example only_added("gla", {{"forgets", false}});
    EXPECT_NEAR(only_added.row(Index(7))[1], only_added.row(Index(7))[7], 1e-9);
}

/// What the second "door" gives to the first one and to itself.
std::pair<double, double> doors(const std::string& id, const ParameterValues& values = {}) {
    const Example example(id, values);
    const auto row = example.row(Index(7));
    return {row[1], row[7]};
}

void expect_doors(const std::string& id, const ParameterValues& values, double first, double second) {
    const auto [got_first, got_second] = doors(id, values);
    EXPECT_NEAR(got_first, first, 0.001) << id;
    EXPECT_NEAR(got_second, second, 0.001) << id;
}

TEST(RecurrentExamples, EveryDeltaRuleHasAFirstDoorOfItsOwn) {
    expect_doors("rwkv7", {}, 2.965, 21.892);
    expect_doors("delta_product", {{"forgets", false}}, -0.497, 1.308);
    expect_doors("delta_product", {{"forgets", false}, {"overshoot", false}}, 0.068, 0.654);
    expect_doors("gated_delta_2", {{"forgets", false}}, 0.250, 0.792);
    expect_doors("comba", {{"forgets", false}}, 0.188, 0.486);
    EXPECT_LT(doors("comba").first, 0);
    expect_doors("longhorn", {}, 0.022, 0.961);
    expect_doors("longhorn", {{"erasure", std::string("diagonal")}}, 0.687, 0.961);
    expect_doors("delta", {}, 0.122, 0.487);
}

TEST(RecurrentExamples, Rwkv7LearnsFeatureByFeature) {
    const Example example("rwkv7");
    const auto rates = stage(record(planned(example.plan().spec, example.plan().inputs)), "learning_rates");
    const auto [least, most] = std::ranges::minmax(rates);
    EXPECT_NEAR(least, 0.11, 0.005);
    EXPECT_NEAR(most, 0.95, 0.005);
    const auto faded = Example("rwkv6").row(Index(7));
    EXPECT_NEAR(faded[1] / faded[7], 0.435, 0.001);
}

// the door was red and then the door was blue: "door" at 1 and 7
TEST(RecurrentExamples, TheSecondBatchTakesBackWhatTheFirstHasWritten) {
    const Example batches("ttt"), whole("ttt", {{"batch", Index(16)}});
    EXPECT_LT(batches.row(Index(7))[1], batches.row(Index(7))[7] - 1e-3);
    EXPECT_NEAR(whole.row(Index(7))[1], whole.row(Index(7))[7], 1e-12);
    for (Index query = 0; query < 10; ++query)
        for (Index key = query / 4 * 4; key <= query; ++key) {
            const auto at = static_cast<std::size_t>(key);
            EXPECT_NEAR(batches.row(query)[at], whole.row(query)[at], 1e-12) << query << ", " << key;
        }
}

TEST(RecurrentExamples, WritesOfTitansGoOn) {
    const Example example("titans"), alone("titans", {{"momentum", false}});
    const Trace trace = record(planned(example.plan().spec, example.plan().inputs)),
                without = record(planned(alone.plan().spec, alone.plan().inputs));
    const auto left = stage(trace, "left_of_writes"), lost = stage(trace, "forgetting"),
               momenta = stage(trace, "momentum_gates"), fading = stage(without, "left_of_writes");
    for (std::size_t word = 0; word < 10; ++word) {
        EXPECT_EQ(left[word * 10 + word], 1);
        if (word > 0) {
            EXPECT_NEAR(left[word * 10 + word - 1], 1 - lost[word] + momenta[word], 1e-12);
            EXPECT_LT(fading[word * 10 + word - 1], 1);
        }
    }
}

// Segments of four words: the door was red, and then the door, was blue.
TEST(RecurrentExamples, RowsOfInfiniAttentionSayHowFullTheMemoryIs) {
    const Example delta("infini"), linear("infini", {{"update", std::string("linear")}});
    for (Index query = 0; query < 10; ++query) {
        const double with_delta = total_of(delta.row(query)), all = total_of(linear.row(query));
        EXPECT_NEAR(all, query < 4 ? 0.5 : 1, 1e-12) << query;
        if (query < 8) {
            EXPECT_NEAR(with_delta, all, 1e-12) << query;
        } else {
            EXPECT_LT(with_delta, 1 - 1e-3) << query;
        }
    }
}

// "door" at 1 and 7, "was" at 2 and 8
TEST(RecurrentExamples, AMemorizingTransformerFindsTheCopy) {
    const Example example("memorizing");
    const auto found = stage(record(planned(example.plan().spec, example.plan().inputs)), "found_weights");
    EXPECT_EQ(std::max_element(found.begin() + 70, found.begin() + 80) - found.begin(), 71);
    EXPECT_GT(found[8 * 10 + 2], 0);
    EXPECT_EQ(std::max_element(found.begin() + 80, found.begin() + 90) - found.begin(), 82);
}

TEST(RecurrentExamples, ErrorsInMotionReachTheStateLater) {
    const Example example("momentum_delta"), still("momentum_delta", {{"momentum", false}});
    const Trace trace = record(planned(example.plan().spec, example.plan().inputs)),
                without = record(planned(still.plan().spec, still.plan().inputs));
    const auto left = stage(trace, "left_of_writes"), beta = stage(trace, "write_strengths"),
               mu = stage(trace, "momentum_gates"), logs = stage(trace, "log_gates"),
               fading = stage(without, "left_of_writes");
    for (std::size_t word = 0; word < 10; ++word) {
        EXPECT_NEAR(left[word * 10 + word], beta[word], 1e-12);
        if (word > 0) {
            EXPECT_NEAR(left[word * 10 + word - 1],
                        std::exp(logs[word]) * beta[word - 1] + beta[word] * mu[word], 1e-12);
            EXPECT_LT(fading[word * 10 + word - 1], fading[(word - 1) * 10 + word - 1]);
        }
    }
}

// coffee tea coffee bread coffee milk coffee tea: "coffee" at 0, 2, 4 and 6
TEST(RecurrentExamples, CupsAreNotSharedOutByAGatedUnit) {
    const Example by_words("gau"), by_one("gau", {{"length", Index(1)}});
    const auto row = by_words.row(Index(6));
    EXPECT_GT(row[0], 0);
    for (const std::size_t cup : {2u, 4u, 6u}) {
        EXPECT_NEAR(row[cup], row[0], 1e-12 * row[0]);
        EXPECT_NEAR(by_one.row(Index(6))[cup], 64 * row[cup], 1e-10 * by_one.row(Index(6))[cup]);
    }
}

TEST(RecurrentExamples, ASummaryHasOneLengthWhateverTheTextIs) {
    const Example example("ufo");
    const auto rows = stage(record(planned(example.plan().spec, example.plan().inputs)), "unit_key_values");
    const auto width = static_cast<std::size_t>(example.plan().value_width);
    for (std::size_t row = 0; row < rows.size() / width; ++row) {
        double square = 0;
        for (std::size_t c = 0; c < width; ++c)
            square += rows[row * width + c] * rows[row * width + c];
        EXPECT_NEAR(square, 1, 1e-10) << row;
    }
}

// a king and a queen met a man and a woman: "a" at 0, 3, 6 and 9
TEST(RecurrentExamples, AKernelKnowsNoLengths) {
    const Example example("skyformer", {{"landmarks", Index(11)}, {"lambda", 1e-4}});
    for (Index query = 0; query < 11; ++query)
        for (Index key = 0; key < 11; ++key) {
            const bool is_copy = example.words()[static_cast<std::size_t>(query)] ==
                                 example.words()[static_cast<std::size_t>(key)];
            const double weight = example.row(query)[static_cast<std::size_t>(key)];
            if (is_copy)
                EXPECT_NEAR(weight, 1, 1e-3) << query << ", " << key;
            else
                EXPECT_LT(weight, 0.99) << query << ", " << key;
        }
    EXPECT_NEAR(example.weight("king", "queen"), 0.386, 0.001);
    const Example coarse("skyformer", {{"landmarks", Index(2)}, {"lambda", 1e-4}});
    for (Index query = 0; query < 11; ++query)
        EXPECT_LT(*std::ranges::max_element(coarse.row(query)), 0.315) << query;
}

// "door" at 1 and 7
TEST(RecurrentExamples, ChannelsOfMambaFadeBetweenCopies) {
    const Example example("mamba");
    EXPECT_NEAR(example.row(Index(1))[1], example.row(Index(7))[7], 1e-10);
    EXPECT_LT(example.row(Index(7))[1], example.row(Index(7))[7]);
}

TEST(RecurrentExamples, SlotsThatForgetFasterFillSooner) {
    const Example slow("gsa"), fast("gsa", {{"temperature", 1.0}});
    const auto sum = [](const Example& example, Index query) { return total_of(example.row(query)); };
    for (Index query = 0; query < 10; ++query)
        EXPECT_LT(sum(slow, query), 1) << query;
    EXPECT_GT(sum(fast, 9), sum(slow, 9));
}

TEST(RecurrentExamples, NewestWordsHaveTheProportionsOfSoftmaxBesideSlots) {
    const Example hybrid("native_hybrid"), wide("native_hybrid", {{"window", Index(10)}}), softmax("causal");
    const auto of_softmax = run(planned(softmax.plan().spec, hybrid.plan().inputs)).weights;
    for (Index query = 0; query < 10; ++query) {
        EXPECT_LT(total_of(hybrid.row(query)), 1) << query;
        for (Index key = std::max<Index>(query - 2, 0); key <= query; ++key) {
            const auto own = static_cast<std::size_t>(query), other = static_cast<std::size_t>(key);
            EXPECT_NEAR(hybrid.row(query)[other] / hybrid.row(query)[own],
                        of_softmax[own * 10 + other] / of_softmax[own * 10 + own], 1e-10);
            EXPECT_NEAR(wide.row(query)[other] / wide.row(query)[own],
                        of_softmax[own * 10 + other] / of_softmax[own * 10 + own], 1e-10);
        }
    }
}

TEST(RecurrentExamples, OneSlotSharesAlikeInEveryRow) {
    const Example one("abc", {{"slots", Index(1)}}), eight("abc");
    const auto ratio = [](const Example& example, Index query) {
        return example.row(query)[1] / example.row(query)[0];
    };
    for (Index query = 2; query < 10; ++query)
        EXPECT_NEAR(ratio(one, query), ratio(one, 1), 1e-9);
    EXPECT_GT(std::abs(ratio(eight, 3) - ratio(eight, 1)), 1e-6);
}

TEST(RecurrentExamples, AFloorOfGatesTakesLessOfANewWord) {
    const Example free("hgrn2"), floored("hgrn2", {{"lower_bound", 0.9}});
    for (Index word = 0; word < 10; ++word) {
        const auto at = static_cast<std::size_t>(word);
        EXPECT_NEAR(floored.row(word)[at], free.row(word)[at] / 10, 1e-10);
    }
}

TEST(RecurrentExamples, RodimusKeepsASixthOfACopySixWordsAgo) {
    const Example example("rodimus");
    const auto first = example.row(Index(1)), second = example.row(Index(7));
    EXPECT_NEAR(second[7], first[1], 1e-10);
    EXPECT_NEAR(second[1] / second[7], 0.170, 0.001);
}

// the king met the queen and the man met the woman: the last "the" at 9
TEST(RecurrentExamples, WavesMayCancel) {
    const Example few("random_feature", mechanism("random_feature").example.values),
        many("random_feature", {{"temperature", 0.5}, {"gated", false}, {"features", Index(256)}});
    EXPECT_NEAR(few.row(Index(9))[1], -0.001, 0.001);
    EXPECT_LT(few.row(Index(9))[1], 0);
    EXPECT_NEAR(many.row(Index(9))[1], 0.025, 0.001);
}

// the door was red and then the door was blue: "was" at 2 and 8
TEST(RecurrentExamples, AWordWithAMemoryOfItsOwnIsNotDisturbed) {
    ParameterValues values = mechanism("memory_mixture").example.values;
    const Example example("memory_mixture", values), one("gated_delta");
    values["shared"] = true;
    const Example shared("memory_mixture", values);
    for (Index query = 0; query < 10; ++query)
        for (Index key = 0; key < query; ++key)
            if ((query == 2 || query == 8) != (key == 2 || key == 8)) {
                EXPECT_NEAR(example.row(query)[static_cast<std::size_t>(key)], 0, 1e-12);
            }
    EXPECT_NEAR(example.row(Index(8))[2], 0.154, 0.001);
    EXPECT_NEAR(example.row(Index(8))[8], 0.460, 0.001);
    EXPECT_NEAR(one.row(Index(8))[2], 0.005, 0.001);
    EXPECT_GT(shared.row(Index(8))[7], 0.01);
}

TEST(RecurrentExamples, RowsOfLightNetSumToTheirQueries) {
    const Example example("lightnet");
    EXPECT_NEAR(total_of(example.row(Index(1))), total_of(example.row(Index(7))), 1e-10);
    EXPECT_GT(std::abs(total_of(example.row(Index(1))) - total_of(example.row(Index(2)))), 1e-3);
}

// the king met the queen and the man met the woman: "the" at 0, 3, 6 and 9
TEST(RecurrentExamples, DeltaFormerStoresACopyWithoutThoseBeforeIt) {
    const Example example("deltaformer", {{"strength", std::string("one")}});
    const auto row = example.row(Index(9));
    EXPECT_NEAR(row[0], 0.014, 0.001);
    EXPECT_NEAR(row[3], 0.082, 0.001);
    EXPECT_NEAR(row[6], 0.151, 0.001);
    EXPECT_NEAR(row[9], 0.216, 0.001);
    EXPECT_LT(example.row("king")[0], 0);
    const Trace trace = record(planned(spec(R"({"mask": {"type": "causal"}})"), example.plan().inputs));
    for (const std::size_t key : {0u, 3u, 6u, 9u})
        EXPECT_NEAR(stage(trace, "weights")[9 * row.size() + key], 0.216, 0.001);
}

TEST(RecurrentExamples, OfCopiesTheNewestAloneAnswersLucid) {
    const Example example("lucid");
    const auto row = example.row(Index(9));
    for (const std::size_t copy : {0u, 3u, 6u})
        EXPECT_LT(std::abs(row[copy]), 0.005);
    EXPECT_NEAR(row[9], 0.216, 0.001);
    EXPECT_NEAR(example.weight("queen", "king"), 0.089, 0.002);
    const Trace trace = record(planned(spec(R"({"mask": {"type": "causal"}})"), example.plan().inputs));
    EXPECT_NEAR(stage(trace, "weights")[4 * row.size() + 1], 0.240, 0.001);
}

TEST(RecurrentExamples, MesaSharesOneAnswerBetweenCopies) {
    const Example fitted("mesa", {{"lambda", 0.01}}), summed("mesa", {{"lambda", 1e6}});
    const auto with_copies = fitted.row(Index(8)), linear = summed.row(Index(8));
    EXPECT_LT(with_copies[0] + with_copies[4] + with_copies[8], 1.01);
    EXPECT_NEAR(linear[0] / linear[8], 1, 1e-6);
}

TEST(RecurrentExamples, LinformerComesInStripes) {
    const Example example("linformer");
    const Index keys = example.plan().keys;
    for (Index query = 0; query < example.plan().queries; ++query)
        EXPECT_NEAR(example.row(query)[0], example.row(query)[1], 1e-12);
    EXPECT_GT(keys, 4);
}

TEST(RecurrentExamples, NystromNearsSoftmax) {
    const Example exact("scaled_dot_product");
    const Example all("nystrom", {{"landmarks", Index(64)}, {"iterations", Index(60)}});
    ASSERT_EQ(exact.words(), all.words());
    for (Index query = 0; query < exact.plan().queries; ++query)
        EXPECT_TRUE(near(all.row(query), exact.row(query), 1e-4)) << query;
}

// king queen prince princess dog cat horse cow
TEST(RecurrentExamples, TwoAgentsMakeTwoKindsOfRows) {
    const Example agents("agent", {{"agents", Index(2)}});
    EXPECT_NEAR(agents.weight("prince", "prince"), 0.153, 0.001);
    EXPECT_NEAR(agents.weight("prince", "king"), 0.247, 0.001);
    for (Index query = 0; query < 8; ++query)
        EXPECT_TRUE(within(agents.row(query), agents.row(Index(query < 4 ? 0 : 4)), 0.03)) << query;
    EXPECT_GT(agents.weight("king", "king"), 5 * agents.weight("dog", "king"));
    const Trace trace = record(planned(spec("{}"), agents.plan().inputs));
    EXPECT_NEAR(stage(trace, "weights")[2 * 8 + 2], 0.435, 0.001);
}

TEST(RecurrentExamples, UntrainedPointsMakeNearlyOneRow) {
    const Example four("inducing_points"), one("inducing_points", {{"points", Index(1)}});
    for (Index query = 0; query < 8; ++query) {
        EXPECT_TRUE(within(four.row(query), four.row(Index(0)), 0.005)) << query;
        EXPECT_TRUE(within(one.row(query), one.row(Index(0)), 1e-15)) << query;
    }
}

TEST(RecurrentExamples, FourierWeightsAreWaves) {
    const Example example("fourier");
    for (std::size_t key = 0; key < 8; ++key) {
        EXPECT_EQ(example.row(Index(0))[key], 1);
        EXPECT_NEAR(example.row(Index(4))[key], key % 2 == 0 ? 1 : -1, 1e-12);
        EXPECT_NEAR(example.row(Index(1))[key], example.row(Index(7))[key], 1e-12);
    }
}

// the storm was terrible but the harbour was safe: "the" at 0 and 5, "was" at 2 and 7
TEST(RecurrentExamples, OneVectorForAllMakesOneRow) {
    for (const char* id : {"fastformer", "separable", "efficient_additive"}) {
        const Example example(id);
        const auto first = example.row(Index(0));
        EXPECT_NEAR(first[0], first[5], 1e-12) << id;
        EXPECT_NEAR(first[2], first[7], 1e-12) << id;
        for (Index query = 1; query < 9; ++query)
            EXPECT_TRUE(within(example.row(query), first, 0)) << id << ": " << query;
    }
}

// the old man and the young man saw the sea: "man" at 2 and 6
TEST(RecurrentExamples, CopiesAskTheSameOfTheirPlacesAndOfAllContent) {
    const Example example("lambda_layer");
    const Trace trace = record(std::make_shared<const Plan>(example.plan()));
    const auto content = stage(trace, "content_products"), places = stage(trace, "position_products");
    for (std::size_t key = 0; key < 10; ++key)
        EXPECT_NEAR(content[20 + key], content[60 + key], 1e-12);
    for (std::size_t key = 0; key < 6; ++key)
        EXPECT_NEAR(places[20 + key], places[60 + key + 4], 1e-12);
    EXPECT_EQ(places[20 + 6], 0);
}

/// A stage of a mechanism on its own example, as it is shown there.
std::vector<double> stage_of_example(const std::string& id, const char* name) {
    const Example example(id, mechanism(id).example.values);
    return stage(record(std::make_shared<const Plan>(example.plan())), name);
}

// king dog queen cat prince horse princess cow
TEST(RecurrentExamples, ChosenPointsTellApartWhatMeansOfNeighboursMix) {
    const auto chosen = stage_of_example("orthoformer", "chosen_queries");
    EXPECT_EQ(chosen[1], 1) << "dog";
    EXPECT_EQ(chosen[8 + 4], 1) << "prince";
    const Example points("orthoformer", {{"agents", Index(2)}});
    EXPECT_NEAR(points.weight("queen", "cat") + points.weight("queen", "cow"), 0.068, 0.001);
    for (Index query = 0; query < 8; ++query)
        EXPECT_EQ(points.row(query)[1] > points.row(query)[4], query % 2 == 1) << query;
}

// the door was red and then the door was blue: "the" at 0 and 6, "door" at 1 and 7, 64 features
TEST(RecurrentExamples, PreconditionersFallWhileNothingFades) {
    const auto factors = stage_of_example("precond_delta", "preconditioner");
    ASSERT_EQ(factors.size(), 640u);
    for (std::size_t cell = 0; cell < factors.size(); ++cell) {
        EXPECT_GT(factors[cell], 2.0 / 3);
        EXPECT_LT(factors[cell], 1.5);
        if (cell >= 64) {
            EXPECT_LE(factors[cell], factors[cell - 64] + 1e-12);
        }
    }
}

TEST(RecurrentExamples, OjasRuleFindsTheValueOfTheFirstDoorInTheSecond) {
    const auto asked = stage_of_example("gated_oja", "asked_products"),
               strengths = stage_of_example("gated_oja", "write_strengths");
    EXPECT_NEAR(asked[7 * 10 + 1], strengths[7], 1e-12);
    EXPECT_LT(std::abs(asked[7 * 10 + 3]), strengths[7]);
}

TEST(RecurrentExamples, AFitDoesNotAskForTheOrderUntilItFades) {
    const auto kept = Example("gated_kalma", {{"forgets", false}}).row(Index(9)),
               faded = Example("gated_kalma").row(Index(9));
    EXPECT_NEAR(kept[0], kept[6], 1e-10);
    EXPECT_LT(std::abs(faded[0]), std::abs(faded[6]));
}

// the door was red and then the door was blue: "the door was" at 0 to 2 and at 6 to 8
TEST(RecurrentExamples, ACopyTakesAsLongOnTheClock) {
    const auto steps = stage_of_example("cyclic_flow", "clock_steps"),
               times = stage_of_example("cyclic_flow", "clock");
    ASSERT_EQ(steps.size(), 10u);
    for (std::size_t word = 0; word < 10; ++word) {
        EXPECT_NEAR(times[word] - (word > 0 ? times[word - 1] : 0), steps[word], 1e-12);
        EXPECT_GT(steps[word], 0);
        EXPECT_LT(steps[word], 1);
    }
    for (std::size_t word = 0; word < 3; ++word)
        EXPECT_NEAR(steps[word], steps[word + 6], 1e-12);
}

TEST(RecurrentExamples, RavenSendsAWordToTwoSlots) {
    const auto routes = stage_of_example("raven", "slot_routes"), gates = stage_of_example("raven", "gates");
    ASSERT_EQ(routes.size(), 80u);
    for (std::size_t word = 0; word < 10; ++word) {
        const auto of_word = std::span(routes).subspan(8 * word, 8);
        EXPECT_EQ(std::ranges::count_if(of_word, [](double share) { return share > 0; }), 2);
        for (std::size_t slot = 8 * word; slot < 8 * word + 8; ++slot)
            EXPECT_EQ(routes[slot] > 0, gates[slot] < 1);
    }
    EXPECT_TRUE(std::ranges::equal(std::span(routes).subspan(8, 8), std::span(routes).subspan(56, 8)));
}

TEST(RecurrentExamples, FiltersGoByTheDistanceAndTheirGatesByTheWord) {
    const Example s4d("s4d"), hyena("hyena");
    for (Index i = 1; i < 10; ++i)
        for (std::size_t j = 1; j <= static_cast<std::size_t>(i); ++j)
            EXPECT_NEAR(s4d.row(i)[j], s4d.row(i - 1)[j - 1], 1e-12);
    EXPECT_NE(s4d.row(Index(9))[0], s4d.row(Index(9))[1]);
    EXPECT_NEAR(hyena.row(Index(0))[0], hyena.row(Index(6))[6], 1e-12);
    EXPECT_NEAR(hyena.row(Index(1))[1], hyena.row(Index(7))[7], 1e-12);
    EXPECT_NE(hyena.row(Index(0))[0], hyena.row(Index(1))[1]);
}

TEST(RecurrentExamples, AttentionFreeQueriesDoNotChoose) {
    const Example example("aft");
    const Index last = example.plan().queries - 1;
    // One of the keys that both see has as much more weight than another in either row, channel by channel;
    // on average nearly so.
    const auto row = example.row(last), before = example.row(last - 1);
    EXPECT_NEAR(row[0] / row[1], before[0] / before[1], 0.1);
    EXPECT_LT(largest_elsewhere(example, last), 0.6);
}

// the storm was terrible but the harbour was safe: feature 35 of "safe"
TEST(RecurrentExamples, LaserLiftsTheMeanTowardsTheLargestValue) {
    const Example example("laser");
    const std::size_t at = 8 * 64 + 34;
    const AttentionSpec laser = spec(R"({"algorithm": {"type": "laser"}})");
    EXPECT_NEAR(run(laser, example.plan().inputs).output[at], 1.51, 0.01);
    EXPECT_NEAR(run(spec("{}"), example.plan().inputs).output[at], 0.99, 0.01);
}

TEST(RecurrentExamples, ATextFindsItsPeriod) {
    const Example example("autoformer");  // red green blue, three times
    const auto row = example.row(0);
    EXPECT_EQ(std::ranges::count_if(row, [](double weight) { return weight > 0; }), 4);
    EXPECT_NEAR(row[3], row[0], 1e-12);
    EXPECT_NEAR(row[6], row[0], 1e-12);
    for (const std::size_t other : {1u, 2u, 4u, 5u, 7u, 8u})
        EXPECT_LT(row[other], row[0]);
    for (Index word = 1; word < 9; ++word)
        for (Index lag = 0; lag < 9; ++lag)
            EXPECT_EQ(example.row(word)[static_cast<std::size_t>((word + lag) % 9)],
                      row[static_cast<std::size_t>(lag)]);
}

// the cat and the dog sat in the garden
TEST(RecurrentExamples, WhatIsNotDividedStaysSharp) {
    for (const char* id : {"inline", "mala"}) {
        const Example example(id);
        EXPECT_GT(example.weight("cat", "dog"), 0.25) << id;
        EXPECT_LT(example.weight("cat", "the"), 0.1) << id;
        double least = 0, sum = 0;
        for (Index query = 0; query < example.plan().queries; ++query) {
            const auto row = example.row(query);
            least = std::min(least, std::ranges::min(row));
            sum += std::accumulate(row.begin(), row.end(), 0.0);
        }
        EXPECT_LT(least, 0) << id;
        EXPECT_NEAR(sum, static_cast<double>(example.plan().queries), 1e-12) << id;
    }
}

// the cat and the dog sat in the garden
TEST(RecurrentExamples, NoWordDiffersFromItselfInSign) {
    const Example example("polaformer");
    const Trace trace = record(planned(example.plan().spec, example.plan().inputs));
    const auto like = stage(trace, "like_weights"), unlike = stage(trace, "unlike_weights");
    const auto n = static_cast<std::size_t>(example.plan().queries);
    for (std::size_t word = 0; word < n; ++word) {
        EXPECT_EQ(unlike[word * n + word], 0) << word;
        EXPECT_GT(like[word * n + word], 0) << word;
    }
    EXPECT_LT(unlike[1 * n + 4], 0.01);
    EXPECT_LT(unlike[4 * n + 1], 0.01);
    EXPECT_GT(like[1 * n + 4], 2 * unlike[1 * n + 4]);
}

}  // namespace

}  // namespace headlight::examples_recurrent_test
