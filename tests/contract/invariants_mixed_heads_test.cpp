// What mechanisms promise whose heads share vectors, maps or values, or count for something each: tensor
// products, two maps of one head, routed and scaled heads, searches and retrievals, mixing vectors, areas.

#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"
#include "tests/support/map_rows.h"

#include <array>
#include <numbers>

namespace headlight::invariants_mixed_heads_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;
constexpr Index n = 6, width = 8;

/// The last feature of every token is 1, so that a matrix can give all of them the same number.
Inputs tokens(std::uint64_t seed) {
    RandomEngine random(seed);
    Inputs inputs{.query = random_tensor({n, width}, random)};
    for (Index token = 0; token < n; ++token)
        inputs.query(token, width - 1) = 1;
    return inputs;
}

Tensor constant_for_tokens(Index columns, double number) {
    Tensor matrix({width, columns});
    for (Index column = 0; column < columns; ++column)
        matrix(width - 1, column) = number;
    return matrix;
}

const std::string multi = R"("heads": {"type": "multi", "heads": 4}, "projections": {"type": "learned"})",
                  grouped = R"("heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
                                "projections": {"type": "learned"})";

AttentionSpec of_heads(const std::string& heads, const std::string& algorithm = {},
                       const std::string& mask = "none") {
    const std::string what = algorithm.empty() ? "" : R"(, "algorithm": {"type": )" + algorithm + "}";
    return spec("{" + heads + what + R"(, "mask": {"type": ")" + mask + "\"}}");
}

TEST(TensorProduct, OfFactorsThatChooseIsGroupedQuery) {
    Inputs inputs = tokens(1);
    Tensor choose({4, 2});
    for (Index head = 0; head < 4; ++head)
        choose(head, head / 2) = 2;  // the sum is divided by 2
    inputs.parameters["A_k"] = inputs.parameters["A_v"] = choose;
    for (const char* mask : {"none", "causal"})
        EXPECT_TRUE(near(
            run(of_heads(grouped, R"("tensor_product", "factors": "fixed", "factored_queries": false)", mask),
                inputs),
            run(of_heads(grouped, {}, mask), inputs), exact));
}

TEST(TensorProduct, OfTokensThatAllTakeTheSameIsThatOfFixedFactors) {
    RandomEngine random(2);
    Inputs fixed = tokens(3), contextual = fixed;
    for (const auto& [letter, rank] : {std::pair("q", Index(4)), std::pair("k", Index(2)), {"v", Index(2)}}) {
        const Tensor factors = random_tensor({4, rank}, random);
        Tensor matrix({width, 4 * rank});
        std::ranges::copy(factors.values(), matrix.row(width - 1).begin());
        fixed.parameters[std::string("A_") + letter] = factors;
        contextual.parameters[std::string("W_factors_") + letter] = matrix;
    }
    EXPECT_TRUE(near(run(of_heads(grouped, R"("tensor_product")"), contextual),
                     run(of_heads(grouped, R"("tensor_product", "factors": "fixed")"), fixed), exact));
}

// A mean of turned vectors is the turned mean.
TEST(TensorProduct, KnowsDistancesAlone) {
    const auto rope = [](const std::string& start) {
        AttentionSpec made = of_heads(grouped, R"("tensor_product")");
        made.position = {PositionType::rope, {}};
        Inputs inputs = tokens(4);
        if (start == "later")  // the same tokens one place later
            inputs.query = rows_of(inputs.query, {5, 0, 1, 2, 3, 4});
        return run(made, inputs).weights;
    };
    const auto here = rope("here"), later = rope("later");
    const auto ratio = [](std::span<const double> row, std::size_t a, std::size_t b) {
        return row[a] / row[b];
    };
    for (Index head = 0; head < 4; ++head)
        EXPECT_NEAR(ratio(row_of(here, head * n + 3, n), 1, 2), ratio(row_of(later, head * n + 4, n), 2, 3),
                    1e-10);
}

TEST(DifferentialTwo, ThatTakesNothingOffIsGroupedQuery) {
    Inputs inputs = tokens(5);
    inputs.parameters["W_second_share"] = constant_for_tokens(4, -1000);
    EXPECT_TRUE(
        near(run(of_heads(grouped, R"("differential_2")"), inputs), run(of_heads(grouped), inputs), exact));
}

TEST(DifferentialTwo, SumsToWhatIsNotTakenOff) {
    const Trace trace = record(planned(of_heads(grouped, R"("differential_2")", "causal"), tokens(6)));
    const auto weights = stage(trace, "weights"), shares = stage(trace, "second_share");
    for (Index row = 0; row < 4 * n; ++row)
        EXPECT_NEAR(total_of(row_of(weights, row, n)), 1 - shares[static_cast<std::size_t>(row)], exact);
}

TEST(DifferentialTwo, OfEqualQueriesLeavesAShareOfTheMap) {
    RandomEngine random(7);
    Inputs inputs = tokens(8);
    inputs.parameters["W_q"] = inputs.parameters["W_second_query"] = random_tensor({width, width}, random);
    inputs.parameters["W_second_share"] = Tensor({width, 4});
    for (const bool is_turned : {false, true}) {
        AttentionSpec two = of_heads(grouped, R"("differential_2")"), one = of_heads(grouped);
        if (is_turned)
            two.position = one.position = {PositionType::rope, {}};
        auto halves = run(one, inputs).weights;
        for (double& weight : halves)
            weight /= 2;
        EXPECT_TRUE(near(run(two, inputs).weights, halves, exact));
    }
}

TEST(DifferentialTwo, OfAGroupTakesOffWhatEqualSecondQueriesWould) {
    RandomEngine random(14);
    Inputs shared = tokens(15), own = shared;
    const Index of_head = width / 4;
    const Tensor noise = random_tensor({width, 2 * of_head}, random);
    Tensor repeated({width, width});
    for (Index row = 0; row < width; ++row)
        for (Index column = 0; column < width; ++column)
            repeated(row, column) = noise(row, column / of_head / 2 * of_head + column % of_head);
    shared.parameters["W_second_query"] = noise;
    own.parameters["W_second_query"] = repeated;
    for (const std::string mask : {"none", "causal"})
        EXPECT_TRUE(near(run(of_heads(grouped, R"("differential_2", "noise": "group")", mask), shared),
                         run(of_heads(grouped, R"("differential_2")", mask), own), exact))
            << mask;
}

TEST(HeadMixture, OfAllHeadsWithEqualGatesIsMultiHead) {
    Inputs inputs = tokens(9);
    inputs.parameters["W_routed"] = Tensor({width, 3});
    inputs.parameters["W_shared"] = Tensor({width, 1});
    inputs.parameters["W_kinds"] = Tensor({width, 2});
    EXPECT_TRUE(near(run(of_heads(multi, R"("head_mixture", "active": 3, "renormalized": true)"), inputs),
                     run(of_heads(multi), inputs), exact));
}

TEST(HeadMixture, GivesATokenAsManyHeadsAsItMayChoose) {
    for (const Index shared : {0, 1, 2})
        for (const Index active : {1, 2, 4}) {
            const std::string options = R"("head_mixture", "shared": )" + std::to_string(shared) +
                                        R"(, "active": )" + std::to_string(active);
            const auto gates = stage(record(planned(of_heads(multi, options), tokens(10))), "head_gates");
            for (std::size_t token = 0; token < n; ++token) {
                Index open = 0;
                double sum = 0;
                for (std::size_t head = 0; head < 4; ++head) {
                    open += gates[head * n + token] > 0;
                    sum += gates[head * n + token];
                }
                EXPECT_EQ(open, shared + std::min(active, 4 - shared));
                if (open == 4)
                    EXPECT_NEAR(sum, 1, exact) << "shares of all heads";
                else
                    EXPECT_LT(sum, 1);
            }
        }
}

TEST(HeadNorm, LeavesTheDirectionOfWhatAHeadFinds) {
    Inputs inputs = tokens(21);
    for (const Index layer : {0, 2, 50}) {
        const std::string its = R"("head_norm", "layer": )" + std::to_string(layer);
        const Trace trace = record(planned(of_heads(multi, its), inputs));
        const auto attended = stage(trace, "attended"), context = stage(trace, "context");
        const double size = 1 - (0.8 - 0.6 * std::exp(-0.3 * static_cast<double>(layer)));
        for (std::size_t row = 0; row < attended.size(); row += 2) {
            EXPECT_NEAR(attended[row] * context[row + 1], attended[row + 1] * context[row], exact);
            EXPECT_NEAR(std::hypot(context[row], context[row + 1]), size * std::sqrt(2.0), 0.01);
        }
    }
    const Trace flat = record(planned(of_heads(multi, R"("head_norm", "depth": false, "layer": 9)"), inputs));
    const auto context = stage(flat, "context");
    EXPECT_NEAR(std::hypot(context[0], context[1]), std::sqrt(2.0), 0.01);
}

// W_q, W_k and W_v of a Mamba are what its states are read by, written by and given.
TEST(HybridHeads, HaveTheStatesOfMamba) {
    for (const std::string mask : {"none", "causal"}) {
        const auto with = [&](const std::string& algorithm) {
            return spec(R"({"projections": {"type": "learned"}, "algorithm": )" + algorithm +
                        R"(, "mask": {"type": ")" + mask + "\"}}");
        };
        const auto hybrid = planned(with(R"({"type": "hybrid_heads", "states": 8})"), tokens(22));
        Inputs inputs = tokens(22);
        for (const auto& [own, name] : {std::pair("W_state_read", "W_q"), std::pair("W_state_write", "W_k"),
                                        std::pair("W_state", "W_v"), std::pair("W_dt", "W_dt"),
                                        std::pair("b_dt", "b_dt"), std::pair("A_log", "A_log")})
            inputs.parameters[name] = hybrid->parameter(own);
        const Trace trace = record(hybrid),
                    scan = record(planned(with(R"({"type": "selective_scan"})"), inputs));
        EXPECT_TRUE(near(stage(trace, "state_weights"), stage(scan, "weights"), exact)) << mask;
        const auto found = stage(trace, "state_found"), gate = stage(trace, "state_gate"),
                   context = stage(scan, "context");
        for (std::size_t at = 0; at < found.size(); ++at)
            EXPECT_NEAR(found[at], gate[at] * context[at], exact) << mask;
    }
}

TEST(HybridHeads, AddHalvesOfOneSize) {
    for (const char* heads : {"multi", "grouped"})
        for (const char* norm : {"all", "heads"}) {
            const auto& its = heads == std::string("multi") ? multi : grouped;
            const Trace trace = record(
                planned(of_heads(its, std::string(R"("hybrid_heads", "norm": ")") + norm + '"', "causal"),
                        tokens(23)));
            const auto first = stage(trace, "normed_attended"), second = stage(trace, "normed_state"),
                       context = stage(trace, "context");
            for (std::size_t at = 0; at < context.size(); ++at)
                EXPECT_NEAR(context[at], (first[at] + second[at]) / 2, exact);
            for (Index token = 0; token < n; ++token) {
                double squares = 0;
                for (Index head = 0; head < 4; ++head) {
                    double of_head = 0;
                    for (Index c = 0; c < 2; ++c) {
                        const auto at = static_cast<std::size_t>((head * n + token) * 2 + c);
                        of_head += first[at] * first[at];
                    }
                    if (norm == std::string("heads")) {
                        EXPECT_GT(of_head, 1) << "nearly as many as features: " << token << ", " << head;
                        EXPECT_LT(of_head, 2) << token << ", " << head;
                    }
                    squares += of_head;
                }
                EXPECT_GT(squares, width / 2) << token;
                EXPECT_LT(squares, width) << token;
            }
        }
}

// A share of 0 leaves the attention alone, whose weights are those without states.
TEST(HybridHeads, MixedByAClosedShareAreTheAttention) {
    Inputs inputs = tokens(24);
    inputs.parameters["W_mix"] = constant_for_tokens(4, -800);
    const Trace trace =
        record(planned(of_heads(multi, R"("hybrid_heads", "mix": "learned")", "causal"), inputs));
    EXPECT_TRUE(near(stage(trace, "context"), stage(trace, "normed_attended"), exact));
    EXPECT_TRUE(near(stage(trace, "weights"), run(of_heads(multi, {}, "causal"), inputs).weights, exact));
}

// A finite mask value, which hides no score, is refused: a state cannot have read what comes later.
TEST(HybridHeads, KnowNothingOfLaterTokens) {
    AttentionSpec causal = of_heads(multi, R"("hybrid_heads")", "causal");
    const auto weights = stage(record(planned(causal, tokens(25))), "state_weights");
    for (Index head = 0; head < 4; ++head)
        for (Index i = 0; i < n; ++i)
            for (Index j = i + 1; j < n; ++j)
                EXPECT_EQ(weights[static_cast<std::size_t>((head * n + i) * n + j)], 0) << i << ", " << j;
    causal.mask_value = -1;
    EXPECT_THROW(planned(causal, tokens(25)), Error);
}

TEST(HeadScale, OfOneHeadIsItsPartOfTheOutput) {
    RandomEngine random(11);
    Inputs inputs = tokens(12), alone = inputs;
    const Tensor W_o = random_tensor({width, width}, random);
    inputs.parameters["W_o"] = alone.parameters["W_o"] = W_o;
    inputs.parameters["s_head"] = Tensor({4}, std::vector<double>{0, 0, 1, 0});
    for (Index row = 0; row < width; ++row)
        if (row / 2 != 2)
            std::ranges::fill(alone.parameters["W_o"].row(row), 0.0);
    EXPECT_TRUE(near(run(of_heads(multi, R"("head_scale")"), inputs), run(of_heads(multi), alone), exact));
}

TEST(HeadScale, DropsWholeHeadsAndMakesUpForThem) {
    const AttentionSpec drops = of_heads(multi, R"("head_scale", "dropped": 0.5)");
    Index dropped = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Trace trace = record(planned(drops, tokens(13), seed));
        const auto attended = stage(trace, "attended"), context = stage(trace, "context");
        Index kept = 0;
        std::vector<double> factors;
        for (std::size_t head = 0; head < 4; ++head) {
            const std::size_t at = head * n * 2;
            factors.push_back(context[at] / attended[at]);
            kept += factors.back() != 0;
            for (std::size_t i = 0; i < n * 2; ++i)
                EXPECT_NEAR(context[at + i], factors.back() * attended[at + i], exact);
        }
        for (const double factor : factors)
            EXPECT_TRUE(factor == 0 || std::abs(factor - 4.0 / static_cast<double>(kept)) < exact) << factor;
        dropped += 4 - kept;
    }
    EXPECT_NEAR(static_cast<double>(dropped) / 160, 0.5, 0.12);
    EXPECT_EQ(run(drops, tokens(13), 3).output, run(drops, tokens(13), 3).output);
}

TEST(Compositional, WithoutAQuestionRetrievesTheMeanOfAllValues) {
    Inputs inputs = tokens(14);
    inputs.parameters["W_retrieval_query"] = Tensor({width, width});
    const Trace trace = record(planned(of_heads(grouped, R"("compositional")", "causal"), inputs));
    const auto weights = stage(trace, "weights"), value = stage(trace, "value"),
               context = stage(trace, "context");
    for (std::size_t row = 0; row < 4 * n; ++row)
        for (std::size_t c = 0; c < 2; ++c) {
            double mean = 0;
            for (std::size_t key = 0; key < n; ++key)
                mean += weights[row * n + key] * (value[key * 2 + c] + value[(n + key) * 2 + c]) / 2;
            EXPECT_NEAR(context[row * 2 + c], mean, exact);
        }
}

// The question and the answers are so large that the softmax is a choice: of the retrieval whose first number
// is larger, for each query by itself.
TEST(Compositional, WithAHardChoiceFetchesWithTheValuesOfOneHead) {
    Inputs inputs = tokens(15);
    inputs.parameters["W_retrieval_query"] = constant_for_tokens(4, 1e6);
    inputs.parameters["W_retrieval_key"] = Tensor({2, 1}, std::vector<double>{1, 0});
    const Trace trace =
        record(planned(of_heads(grouped, R"("compositional", "selection_width": 1)"), inputs));
    const auto weights = stage(trace, "weights"), value = stage(trace, "value"),
               context = stage(trace, "context");
    for (std::size_t row = 0; row < 4 * n; ++row) {
        std::array<std::array<double, 2>, 2> found{};
        for (std::size_t r = 0; r < 2; ++r)
            for (std::size_t c = 0; c < 2; ++c)
                for (std::size_t key = 0; key < n; ++key)
                    found[r][c] += weights[row * n + key] * value[(r * n + key) * 2 + c];
        const auto& best = found[0][0] > found[1][0] ? found[0] : found[1];
        for (std::size_t c = 0; c < 2; ++c)
            EXPECT_NEAR(context[row * 2 + c], best[c], 1e-9);
    }
}

TEST(Collaborative, OfBlocksOfOnesIsMultiHead) {
    Inputs inputs = tokens(16);
    Tensor blocks({4, width});
    for (Index feature = 0; feature < width; ++feature)
        blocks(feature / 2, feature) = 1;
    inputs.parameters["M_heads"] = blocks;
    for (const char* mask : {"none", "causal"})
        EXPECT_TRUE(near(run(of_heads(multi, R"("collaborative")", mask), inputs),
                         run(of_heads(multi, {}, mask), inputs), exact));
}

/// Each pseudo-head takes its own head alone.
Tensor own_head_in_each(Index pseudo) {
    Tensor mixing({pseudo * 4, 4});
    for (Index row = 0; row < pseudo * 4; ++row)
        mixing(row, row % 4) = 1;
    return mixing;
}

Inputs unmixed(std::uint64_t seed, Index pseudo) {
    Inputs inputs = tokens(seed);
    for (const char* of : {"query", "key", "value"})
        inputs.parameters[std::string("M_pseudo_") + of] = own_head_in_each(pseudo);
    Tensor mean({4, pseudo});
    for (double& number : mean.values())
        number = 1 / static_cast<double>(pseudo);
    inputs.parameters["R_collapse"] = mean;
    return inputs;
}

// Copies of a token share what it would get alone, and each of its queries finds the same.
TEST(InterleavedHeads, OfCopiesAreMultiHead) {
    for (const Index pseudo : {1, 2, 3}) {
        const Inputs inputs = unmixed(61, pseudo);
        const std::string copies = R"("interleaved_heads", "pseudo": )" + std::to_string(pseudo);
        for (const char* mask : {"none", "causal"})
            EXPECT_TRUE(near(run(of_heads(multi, copies, mask), inputs),
                             run(of_heads(multi, {}, mask), inputs), exact));
    }
}

TEST(InterleavedHeads, OfPermutedHeadsArePermuted) {
    Inputs inputs = unmixed(62, 1);
    Tensor turned({4, 4});
    for (Index head = 0; head < 4; ++head)
        turned(head, (head + 1) % 4) = 1;
    for (const char* of : {"query", "key", "value"})
        inputs.parameters[std::string("M_pseudo_") + of] = turned;
    const auto plain = run(of_heads(multi), inputs).weights,
               moved = run(of_heads(multi, R"("interleaved_heads", "pseudo": 1)"), inputs).weights;
    for (std::size_t at = 0; at < plain.size(); ++at)
        EXPECT_NEAR(moved[at], plain[(at + n * n) % plain.size()], exact);
}

TEST(InterleavedHeads, PutTogetherOfAllHeadsWithBlocksAreThoseOfEach) {
    Inputs own = tokens(63), all = own;
    RandomEngine random(64);
    const Tensor numbers = random_tensor({4, 2}, random);
    Tensor blocks({4, 8});
    for (Index head = 0; head < 4; ++head)
        for (Index p = 0; p < 2; ++p)
            blocks(head, head * 2 + p) = numbers(head, p);
    own.parameters["R_collapse"] = numbers;
    all.parameters["R_collapse"] = blocks;
    EXPECT_TRUE(near(run(of_heads(multi, R"("interleaved_heads")", "causal"), own),
                     run(of_heads(multi, R"("interleaved_heads", "collapse": "all")", "causal"), all),
                     exact));
}

// As a causal mask over the longer text has it: the first token's first query sees one key.
TEST(InterleavedHeads, InStrictOrderSeeNoLaterNumberOfTheirToken) {
    const Trace trace = record(planned(
        of_heads(multi, R"("interleaved_heads", "pseudo": 3, "strict": true)", "causal"), tokens(65)));
    const auto shares = stage(trace, "pseudo_weights");
    const std::size_t size = 3 * n;
    for (std::size_t row = 0; row < 4 * size; ++row)
        for (std::size_t column = 0; column < size; ++column)
            EXPECT_EQ(shares[row * size + column] > 0, column <= row % size);
}

TEST(DynamicallyComposed, ThatMixesNothingIsMultiHead) {
    Inputs inputs = tokens(22);
    for (const char* site : {"scores_q", "scores_k", "weights_q", "weights_k"}) {
        inputs.parameters[std::string("W_mixing_") + site] = Tensor({16, 16});
        inputs.parameters[std::string("W_own_") + site] = Tensor({width, 4});
    }
    EXPECT_TRUE(near(run(of_heads(multi, R"("dynamically_composed")", "causal"), inputs),
                     run(of_heads(multi, {}, "causal"), inputs), exact));
}

// Where all tokens mix alike: P = I + w2 w1ᵀ + diag(tanh), w1 over its root mean square.
TEST(DynamicallyComposed, ThatMixesAlikeForAllTokensIsTalkingHeads) {
    RandomEngine random(23);
    Inputs composed = tokens(24), talking = composed;
    for (const std::string map : {"scores", "weights"}) {
        const std::string site = map + "_q";
        const Tensor hidden = constant_for_tokens(16, 0.8), mixing = random_tensor({16, 8}, random);
        Tensor own({width, 4});
        for (Index head = 0; head < 4; ++head)
            own(width - 1, head) = 0.1 * static_cast<double>(head + 1);
        composed.parameters["W_hidden_" + site] = hidden;
        composed.parameters["W_mixing_" + site] = mixing;
        composed.parameters["W_own_" + site] = own;
        const double unit =
            0.4 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (0.8 + 0.044715 * 0.8 * 0.8 * 0.8)));
        std::vector<double> made(8, 0.0);
        for (Index column = 0; column < 8; ++column)
            for (Index row = 0; row < 16; ++row)
                made[static_cast<std::size_t>(column)] += unit * mixing(row, column);
        double squares = 0;
        for (std::size_t head = 0; head < 4; ++head)
            squares += made[head] * made[head];
        Tensor mix({4, 4});
        for (Index to = 0; to < 4; ++to)
            for (Index from = 0; from < 4; ++from)
                mix(to, from) = (to == from ? 1 + std::tanh(own(width - 1, to)) : 0) +
                                made[static_cast<std::size_t>(4 + to)] *
                                    made[static_cast<std::size_t>(from)] / std::sqrt(squares / 4 + 1e-6);
        talking.parameters["P_" + map] = mix;
    }
    const std::string heads =
        R"("heads": {"type": "talking", "heads": 4}, "projections": {"type": "learned"})";
    for (const char* mask : {"none", "causal"})
        EXPECT_TRUE(near(
            run(of_heads(multi, R"("dynamically_composed", "rank": 1, "sides": "queries")", mask), composed),
            run(of_heads(heads, {}, mask), talking), 1e-11));
}

AttentionSpec areas(Index widest, const std::string& values, const std::string& others = {}) {
    return spec(R"({"algorithm": {"type": "area", "widest": )" + std::to_string(widest) + R"(, "values": ")" +
                values + "\"}" + others + "}");
}

TEST(Area, OfMeansSumsToOneAndOfSumsToTheMeanSize) {
    const std::string causal = R"(, "mask": {"type": "causal"})";
    const auto means = run(areas(3, "mean", causal), tokens(17)).weights;
    const Trace trace = record(planned(areas(3, "sum", causal), tokens(17)));
    const auto sums = stage(trace, "weights"), given = stage(trace, "area_weights");
    const Index count = 6 + 5 + 4;
    for (Index query = 0; query < n; ++query) {
        EXPECT_NEAR(total_of(row_of(means, query, n)), 1, exact);
        const auto of_areas = row_of(given, query, count);
        EXPECT_NEAR(total_of(row_of(sums, query, n)),
                    total_of(of_areas.first(6)) + 2 * total_of(of_areas.subspan(6, 5)) +
                        3 * total_of(of_areas.last(4)),
                    exact);
        for (Index key = query + 1; key < n; ++key)
            EXPECT_EQ(row_of(sums, query, n)[static_cast<std::size_t>(key)], 0);
    }
    EXPECT_NEAR(sums[0], 1, exact) << "the first query sees one area";
}

// Equal keys are given as much as there are areas that hold them: 1, 2 or 3 of 15.
TEST(Area, OfEqualKeysCountsTheAreas) {
    Inputs inputs = tokens(18);
    inputs.key = Tensor({n, width}, 0.3);
    inputs.value = inputs.query;
    const auto weights = run(areas(3, "sum", R"(, "source": {"type": "cross"})"), inputs).weights;
    const std::vector<double> holding{3, 5, 6, 6, 5, 3};
    for (Index query = 0; query < n; ++query)
        for (std::size_t key = 0; key < n; ++key)
            EXPECT_NEAR(row_of(weights, query, n)[key], holding[key] / 15, exact);
}

TEST(Area, IsClosedWhereTheQueryDoesNotSeeAllOfIt) {
    Inputs inputs = tokens(19);
    inputs.query = rows_of(inputs.query, {0, 1, 2});
    const std::string holes = R"(, "mask": {"type": "matrix", "allowed": [[1, 0, 1], [0, 0, 0], [0, 1, 1]]})";
    const Trace trace = record(planned(areas(2, "sum", holes), inputs));
    const auto given = stage(trace, "area_weights"), weights = stage(trace, "weights");
    const std::vector<bool> open{true,  false, true,  false, false, false, false, false,
                                 false, false, false, true,  true,  false, true};
    for (std::size_t at = 0; at < open.size(); ++at)
        EXPECT_EQ(given[at] > 0, open[at]) << at;
    EXPECT_EQ(total_of(row_of(weights, 1, 3)), 0);
}

AttentionSpec pairs_of_keys(const std::string& others = {}) {
    return spec(R"({"algorithm": {"type": "simplicial")" + others + "}}");
}

// The second key and value of every token are 1 where their matrices give 1 for the last feature alone.
TEST(Simplicial, OfSecondKeysThatSayNothingIsAttention) {
    Inputs inputs = tokens(20);
    inputs.parameters["W_second_key"] = inputs.parameters["W_second_value"] = constant_for_tokens(width, 1);
    const Numbers plain = run(spec("{}"), inputs);
    EXPECT_TRUE(near(run(pairs_of_keys(), inputs), plain, exact));
    EXPECT_TRUE(near(run(pairs_of_keys(R"(, "window": 1)"), inputs), plain, exact));
    EXPECT_FALSE(near(run(pairs_of_keys(), tokens(20)), plain, 1e-3));
}

TEST(Simplicial, SumsToOneOverThePairsThatAreSeen) {
    const Trace trace = record(
        planned(spec(R"({"algorithm": {"type": "simplicial"}, "mask": {"type": "causal"}})"), tokens(21)));
    const auto weights = stage(trace, "weights"), of_pairs = stage(trace, "pair_weights");
    for (Index query = 0; query < n; ++query) {
        const auto row = row_of(of_pairs, query, n * n);
        EXPECT_NEAR(total_of(row), 1, exact);
        for (Index first = 0; first < n; ++first) {
            const auto of_first = row.subspan(static_cast<std::size_t>(first * n), n);
            EXPECT_NEAR(row_of(weights, query, n)[static_cast<std::size_t>(first)], total_of(of_first),
                        exact);
            for (Index second = 0; second < n; ++second)
                EXPECT_EQ(of_first[static_cast<std::size_t>(second)] > 0, first <= query && second <= query);
        }
    }
}

}  // namespace

}  // namespace headlight::invariants_mixed_heads_test
