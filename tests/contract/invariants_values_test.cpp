// What mechanisms promise that weigh values by a rule of their own: learned slots, kernels of a window,
// lines, quasi-attention, shifts, mutual choices and lambdas.

#include "tests/support/attention_runs.h"
#include "tests/support/map_rows.h"
#include "tests/support/self_attention.h"

#include <numeric>

namespace headlight::invariants_values_test {

using namespace test;
using namespace test::self_attention;

namespace {

Inputs two_sequences(Index queries, Index keys, Index width, std::uint64_t seed) {
    RandomEngine random(seed);
    Inputs inputs{.query = random_tensor({queries, width}, random)};
    inputs.key = random_tensor({keys, width}, random);
    inputs.value = random_tensor({keys, width}, random);
    return inputs;
}

double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

const AttentionSpec plain_cross = spec(R"({"source": {"type": "cross"}})");

TEST(PersistentMemory, OfOneSlotOfZerosIsOffByOne) {
    Inputs inputs = tokens(6, 4, 1);
    inputs.parameters["K_memory"] = inputs.parameters["V_memory"] = Tensor({1, 4});
    for (const std::string mask : {R"({"type": "none"})", R"({"type": "causal"})"})
        EXPECT_TRUE(near(
            run(spec(R"({"algorithm": {"type": "persistent_memory", "slots": 1}, "mask": )" + mask + "}"),
                inputs),
            run(spec(R"({"normalizer": {"type": "off_by_one"}, "mask": )" + mask + "}"), inputs), exact));
}

TEST(PersistentMemory, IsAttentionToSlotsAndKeysInOneSequence) {
    RandomEngine random(2);
    Inputs inputs = two_sequences(4, 5, 3, 3);
    const Tensor keys = random_tensor({2, 3}, random), values = random_tensor({2, 3}, random);
    Inputs joined = inputs;
    joined.key = stacked(keys, *inputs.key);
    joined.value = stacked(values, *inputs.value);
    inputs.parameters["K_memory"] = keys;
    inputs.parameters["V_memory"] = values;
    const Numbers slots = run(spec(R"({"source": {"type": "cross"},
                                       "algorithm": {"type": "persistent_memory", "slots": 2}})"),
                              inputs),
                  all = run(plain_cross, joined);
    EXPECT_TRUE(near(slots.output, all.output, exact));
    for (Index query = 0; query < 4; ++query)
        EXPECT_TRUE(near(row_of(slots.weights, query, 5), row_of(all.weights, query, 7).subspan(2), exact));
}

TEST(PersistentMemory, IsOpenWhereTheMaskHidesAllTokens) {
    const Trace trace = record(planned(spec(R"({"algorithm": {"type": "persistent_memory", "slots": 3},
                 "mask": {"type": "matrix", "allowed": [[1, 1, 0], [0, 0, 0], [0, 1, 1]]}})"),
                                       tokens(3, 4, 4)));
    const auto weights = stage(trace, "weights"), slots = stage(trace, "memory_weights");
    EXPECT_EQ(total_of(row_of(weights, 1, 3)), 0);
    for (Index query = 0; query < 3; ++query)
        EXPECT_NEAR(total_of(row_of(weights, query, 3)) + total_of(row_of(slots, query, 3)), 1, exact);
}

AttentionSpec convolution(const std::string& options, const std::string& others = {}) {
    return spec(R"({"algorithm": {"type": "dynamic_convolution", )" + options + "}" + others + "}");
}

TEST(DynamicConvolution, OfZerosIsTheMeanOverTheWindow) {
    Inputs inputs = tokens(6, 4, 5);
    inputs.parameters["W_kernel"] = Tensor({4, 3});
    for (const bool is_past : {true, false}) {
        const auto weights = run(convolution(std::string(R"("size": 3, "window": )") +
                                             (is_past ? R"("past")" : R"("centred")")),
                                 inputs)
                                 .weights;
        for (Index query = 0; query < 6; ++query)
            for (Index key = 0; key < 6; ++key) {
                const Index back = query - key;
                const bool is_in = is_past ? back >= 0 && back <= 2 : std::abs(back) <= 1;
                EXPECT_NEAR(row_of(weights, query, 6)[static_cast<std::size_t>(key)], is_in ? 1.0 / 3 : 0,
                            1e-15);
            }
    }
}

TEST(DynamicConvolution, OfEqualTokensHasOneKernelThatMoves) {
    Inputs inputs{.query = Tensor({7, 4}, 0.7)};
    const auto weights = run(convolution(R"("size": 5, "window": "centred")"), inputs).weights;
    for (std::size_t query = 1; query < 7; ++query)
        for (std::size_t key = 1; key < 7; ++key)
            EXPECT_NEAR(weights[query * 7 + key], weights[(query - 1) * 7 + key - 1], 1e-15);
    EXPECT_NEAR(total_of(row_of(weights, 3, 7)), 1, exact);
    EXPECT_LT(total_of(row_of(weights, 0, 7)), 0.99);
}

TEST(DynamicConvolution, RenormalisedSumsToOneOverWhatIsSeen) {
    const Inputs inputs = tokens(6, 4, 6);
    const std::string causal = R"(, "mask": {"type": "causal"})";
    const auto weights =
        run(convolution(R"("size": 4, "window": "centred", "renormalized": true)", causal), inputs).weights;
    for (Index query = 0; query < 6; ++query)
        EXPECT_NEAR(total_of(row_of(weights, query, 6)), 1, exact);
    EXPECT_EQ(weights[0], 1);
    EXPECT_EQ(weights[1], 0);
}

TEST(DynamicConvolution, AsksNoKeyAndTheLightweightOneNoQueryEither) {
    RandomEngine random(7);
    Inputs inputs = tokens(6, 4, 8);
    const std::string learned = R"(, "projections": {"type": "learned"})";
    const AttentionSpec dynamic = convolution(R"("size": 3)", learned),
                        light = convolution(R"("size": 3, "kernel": "lightweight")", learned);
    Inputs other = inputs;
    inputs.parameters["W_k"] = random_tensor({4, 4}, random);
    other.parameters["W_k"] = random_tensor({4, 4}, random);
    EXPECT_EQ(run(dynamic, inputs).output, run(dynamic, other).output);
    other.parameters["W_q"] = random_tensor({4, 4}, random);
    EXPECT_FALSE(near(run(dynamic, inputs).output, run(dynamic, other).output, 1e-3));
    EXPECT_EQ(run(light, inputs).output, run(light, other).output);
}

AttentionSpec line(double lambda) {
    AttentionSpec made = spec(R"({"source": {"type": "cross"}, "algorithm": {"type": "local_linear"}})");
    made.algorithm.options["lambda"] = lambda;
    return made;
}

// Values W k + b: the line misses W q + b by λ W r, r the solved offset, and a mean by all of W (q − k̄).
TEST(LocalLinear, MeetsValuesThatAreALineOfTheKeys) {
    RandomEngine random(9);
    Inputs inputs = two_sequences(5, 9, 3, 10);
    const Tensor W = random_tensor({3, 3}, random);
    inputs.value = product(*inputs.key, W);
    for (double& number : inputs.value->values())
        number += 0.5;
    for (const double lambda : {0.001, 0.1, 3.0}) {
        const Trace trace = record(planned(line(lambda), inputs));
        Tensor expected = inputs.query;
        const auto solved = stage(trace, "solved_offset");
        for (std::size_t i = 0; i < solved.size(); ++i)
            expected.values()[i] -= lambda * solved[i];
        expected = product(expected, W);
        for (double& number : expected.values())
            number += 0.5;
        EXPECT_TRUE(near(stage(trace, "output"), expected.values(), 1e-11)) << lambda;
    }
}

TEST(LocalLinear, IsTheSoftmaxWhereTheLineIsHeldLevel) {
    const Inputs inputs = two_sequences(5, 9, 3, 11);
    const Numbers soft = run(plain_cross, inputs);
    EXPECT_TRUE(near(run(line(1e6), inputs), soft, 1e-4));
    EXPECT_FALSE(near(run(line(0.1), inputs), soft, 1e-2));
}

// A_j = p_j (1 − z_j ρ) / (1 − z̄ ρ), z = k − q, ρ = z̄ / (Σ p z² + λ): the paper's form, of one feature.
TEST(LocalLinear, IsWhatThePaperPrints) {
    const Inputs inputs = two_sequences(4, 6, 1, 12);
    const double lambda = 0.3;
    const Trace trace = record(planned(line(lambda), inputs));
    const auto p = stage(trace, "soft_weights"), weights = stage(trace, "weights");
    for (Index query = 0; query < 4; ++query) {
        const auto of_row = row_of(p, query, 6);
        double mean = 0, square = lambda;
        const auto z = [&](Index key) { return (*inputs.key)(key, 0) - inputs.query(query, 0); };
        for (Index key = 0; key < 6; ++key) {
            mean += of_row[static_cast<std::size_t>(key)] * z(key);
            square += of_row[static_cast<std::size_t>(key)] * z(key) * z(key);
        }
        const double rho = mean / square;
        for (Index key = 0; key < 6; ++key)
            EXPECT_NEAR(row_of(weights, query, 6)[static_cast<std::size_t>(key)],
                        of_row[static_cast<std::size_t>(key)] * (1 - z(key) * rho) / (1 - mean * rho), exact);
    }
}

TEST(LocalLinear, SumsToOneInEveryRow) {
    const auto weights = run(spec(R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
                     "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
                     "algorithm": {"type": "local_linear", "lambda": 0.01}})"),
                             tokens(7, 8, 13))
                             .weights;
    for (Index row = 0; row < 28; ++row)
        EXPECT_NEAR(total_of(row_of(weights, row, 7)), 1, exact);
}

TEST(Coda, OfEqualVectorsIsTheAffinityAlone) {
    const Inputs inputs = tokens(5, 4, 14);
    const Trace trace = record(planned(spec(R"({"algorithm": {"type": "coda"}})"), inputs));
    const auto weights = stage(trace, "weights"), gates = stage(trace, "distance_gates");
    for (Index token = 0; token < 5; ++token) {
        const auto at = static_cast<std::size_t>(token * 6);
        EXPECT_EQ(gates[at], 1);
        EXPECT_NEAR(weights[at], std::tanh(dot(inputs.query.row(token), inputs.query.row(token)) / 2), exact);
    }
    for (const double weight : weights)
        EXPECT_LT(std::abs(weight), 1);
}

TEST(Coda, WeighsEachPairWhateverElseThereIs) {
    const Inputs all = tokens(6, 4, 15);
    Inputs some = all;
    some.query = rows_of(all.query, {0, 1, 2, 3});
    const AttentionSpec coda = spec(R"({"algorithm": {"type": "coda"}})");
    const auto of_all = run(coda, all).weights, of_some = run(coda, some).weights;
    for (Index query = 0; query < 4; ++query)
        EXPECT_TRUE(near(row_of(of_some, query, 4), row_of(of_all, query, 6).first(4), exact));
}

AttentionSpec shift(double of_keys, double of_values, const std::string& others = {}) {
    AttentionSpec made = spec(R"({"algorithm": {"type": "key_value_shift"})" + others + "}");
    made.algorithm.options = {{"key_shift", of_keys}, {"value_shift", of_values}};
    return made;
}

TEST(KeyValueShift, IsAttentionToShiftedKeysAndValues) {
    const Inputs inputs = two_sequences(4, 6, 3, 16);
    const std::string cross = R"(, "source": {"type": "cross"})";
    EXPECT_TRUE(near(run(shift(0, 0, cross), inputs), run(plain_cross, inputs), exact));
    const auto shifted = [](const Tensor& rows, double share) {
        Tensor result = rows;
        for (Index row = 0; row < rows.rows(); ++row)
            for (Index c = 0; c < rows.cols(); ++c)
                result(row, c) = (1 - share) * rows(row, c) + (row > 0 ? share * rows(row - 1, c) : 0);
        return result;
    };
    Inputs by_hand = inputs;
    by_hand.key = shifted(*inputs.key, 0.3);
    by_hand.value = shifted(*inputs.value, 0.8);
    EXPECT_TRUE(near(run(shift(0.3, 0.8, cross), inputs), run(plain_cross, by_hand), exact));
}

// a b c a: what follows is b.
TEST(KeyValueShift, FindsWhatFollowedTheSameToken) {
    Inputs inputs{.query = Tensor({4, 3})};
    for (const Index token : {0, 1, 2, 3})
        inputs.query(token, token % 3) = 20;
    const std::string causal = R"(, "mask": {"type": "causal"})";
    const Numbers induction = run(shift(1, 0, causal), inputs), plain = run(shift(0, 0, causal), inputs);
    EXPECT_NEAR(induction.weights[3 * 4 + 1], 1, exact);
    EXPECT_TRUE(near(row_of(induction.output, 3, 3), inputs.query.row(1), exact));
    EXPECT_TRUE(near(row_of(plain.output, 3, 3), inputs.query.row(3), exact));
}

TEST(KeyValueShift, HasNumbersForEachHead) {
    Inputs inputs = tokens(5, 4, 17);
    inputs.parameters["alpha_1"] = inputs.parameters["beta_1"] = Tensor({2}, std::vector<double>{1, 0});
    inputs.parameters["alpha_2"] = Tensor({2}, std::vector<double>{0, 1});
    inputs.parameters["beta_2"] = Tensor({2});
    const std::string heads =
        R"(, "heads": {"type": "multi", "heads": 2}, "projections": {"type": "learned"})";
    const auto learned = run(shift(-1, -1, heads), inputs).weights;
    EXPECT_TRUE(near(row_of(learned, 0, 25), row_of(run(shift(0, 0, heads), inputs).weights, 0, 25), exact));
    EXPECT_TRUE(near(row_of(learned, 1, 25), row_of(run(shift(1, 0, heads), inputs).weights, 1, 25), exact));
    EXPECT_EQ(run(shift(-0.5, -0.5, heads), inputs).weights, learned) << "no share is below 0";
}

TEST(DualSoftmax, IsTurnedByExchangingTheSequences) {
    const Inputs inputs = two_sequences(4, 6, 3, 18);
    Inputs exchanged = inputs;
    exchanged.query = *inputs.key;
    exchanged.key = exchanged.value = inputs.query;
    const AttentionSpec dual =
        spec(R"({"source": {"type": "cross"}, "normalizer": {"type": "dual_softmax", "temperature": 0.3}})");
    const auto there = run(dual, inputs).weights, back = run(dual, exchanged).weights;
    for (std::size_t query = 0; query < 4; ++query)
        for (std::size_t key = 0; key < 6; ++key)
            EXPECT_NEAR(there[query * 6 + key], back[key * 4 + query], exact);
}

TEST(DualSoftmax, IsTheSoftmaxOfRowsTimesThatOfColumns) {
    const Inputs inputs = two_sequences(4, 6, 3, 19);
    Inputs exchanged = inputs;
    exchanged.query = *inputs.key;
    exchanged.key = exchanged.value = inputs.query;
    const auto weights =
        run(spec(R"({"source": {"type": "cross"}, "normalizer": {"type": "dual_softmax"}})"), inputs).weights;
    const auto rows = run(plain_cross, inputs).weights, columns = run(plain_cross, exchanged).weights;
    for (std::size_t query = 0; query < 4; ++query) {
        for (std::size_t key = 0; key < 6; ++key)
            EXPECT_NEAR(weights[query * 6 + key], rows[query * 6 + key] * columns[key * 4 + query], exact);
        EXPECT_LT(total_of(row_of(weights, static_cast<Index>(query), 6)), 1);
    }
}

TEST(DualSoftmax, OfOneQueryIsTheSoftmax) {
    const Inputs inputs = two_sequences(1, 6, 3, 20);
    EXPECT_TRUE(
        near(run(spec(R"({"source": {"type": "cross"}, "normalizer": {"type": "dual_softmax"}})"), inputs),
             run(plain_cross, inputs), exact));
}

AttentionSpec matching(const std::string& normalizer) {
    return spec(R"({"source": {"type": "cross"}, "normalizer": {"type": ")" + normalizer +
                R"("}, "algorithm": {"type": "matchability"}})");
}

// What the two sequences say of themselves is said by one matrix: each may be the other.
TEST(Matchability, IsTurnedByExchangingTheSequences) {
    const Inputs inputs = two_sequences(4, 6, 3, 41);
    Inputs exchanged = inputs;
    exchanged.query = *inputs.key;
    exchanged.key = exchanged.value = inputs.query;
    const auto there = run(matching("dual_softmax"), inputs).weights,
               back = run(matching("dual_softmax"), exchanged).weights;
    for (std::size_t query = 0; query < 4; ++query)
        for (std::size_t key = 0; key < 6; ++key)
            EXPECT_NEAR(there[query * 6 + key], back[key * 4 + query], exact);
}

TEST(Matchability, OfTokensThatSurelyHaveAPartnerIsTheNormaliser) {
    Inputs inputs = two_sequences(4, 6, 3, 42);
    inputs.parameters["W_matchability"] = Tensor({3, 1});
    inputs.parameters["b_matchability"] = Tensor({1}, 60.0);
    EXPECT_TRUE(
        near(run(matching("dual_softmax"), inputs),
             run(spec(R"({"source": {"type": "cross"}, "normalizer": {"type": "dual_softmax"}})"), inputs),
             exact));
    EXPECT_TRUE(near(run(matching("softmax"), inputs), run(plain_cross, inputs), exact));
}

TEST(Matchability, OfTokensThatHaveNoneLeavesNothing) {
    Inputs inputs = two_sequences(4, 6, 3, 43);
    inputs.parameters["W_matchability"] = Tensor({3, 1});
    inputs.parameters["b_matchability"] = Tensor({1}, -60.0);
    for (const double number : run(matching("dual_softmax"), inputs).output)
        EXPECT_NEAR(number, 0, exact);
}

AttentionSpec lambda_layer(Index reach) {
    AttentionSpec made = spec(R"({"source": {"type": "cross"}, "algorithm": {"type": "lambda_layer"}})");
    made.algorithm.options["reach"] = reach;
    return made;
}

// Efficient attention takes a softmax of the query's features first.
TEST(LambdaLayer, WithoutPlacesIsEfficientAttentionOfPlainQueries) {
    Inputs inputs = two_sequences(4, 6, 3, 21);
    inputs.parameters["E_lambda"] = Tensor({3, 3});
    const Numbers efficient =
        run(spec(R"({"source": {"type": "cross"}, "algorithm": {"type": "efficient"}})"), inputs);
    for (Index query = 0; query < 4; ++query) {
        double sum = 0;
        for (double& number : inputs.query.row(query))
            sum += number = std::exp(number);
        for (double& number : inputs.query.row(query))
            number /= sum;
    }
    EXPECT_TRUE(near(run(lambda_layer(1), inputs), efficient, exact));
}

TEST(LambdaLayer, KnowsPlacesWithinItsReachAlone) {
    RandomEngine random(22);
    Inputs inputs = two_sequences(5, 7, 3, 23), without = inputs;
    inputs.parameters["E_lambda"] = random_tensor({5, 3}, random);
    without.parameters["E_lambda"] = Tensor({5, 3});
    const auto placed = run(lambda_layer(2), inputs).weights, plain = run(lambda_layer(2), without).weights;
    for (Index query = 0; query < 5; ++query)
        for (Index key = 0; key < 7; ++key) {
            const Index distance = key - query;
            const auto at = static_cast<std::size_t>(query * 7 + key);
            const double of_place =
                std::abs(distance) > 2
                    ? 0
                    : dot(inputs.query.row(query), inputs.parameters["E_lambda"].row(distance + 2));
            EXPECT_NEAR(placed[at], plain[at] + of_place, exact);
        }
}

TEST(LambdaLayer, GivesPaddingNoShare) {
    Inputs inputs = two_sequences(4, 6, 3, 24), shorter = inputs;
    AttentionSpec padded = lambda_layer(2);
    padded.mask = mask_from_json(Json::parse(R"({"type": "padding", "key_lengths": 4})"), "mask");
    shorter.key = rows_of(*inputs.key, {0, 1, 2, 3});
    shorter.value = rows_of(*inputs.value, {0, 1, 2, 3});
    inputs.parameters = shorter.parameters = {{"E_lambda", Tensor({5, 3}, 0.3)}};
    EXPECT_TRUE(near(run(padded, inputs).output, run(lambda_layer(2), shorter).output, exact));
}

}  // namespace

}  // namespace headlight::invariants_values_test
