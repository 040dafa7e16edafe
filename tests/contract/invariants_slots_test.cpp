// What memories of learned slots, parameters that are tokens, and tokens that are joined, merged or kept by
// what they hold promise.

#include "tests/support/attention_runs.h"
#include "tests/support/map_rows.h"

#include <numeric>

namespace headlight::invariants_slots_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;
constexpr Index n = 7, width = 6;

struct Slots : testing::Test {
    RandomEngine random{131};
    Inputs inputs{.query = random_tensor({n, width}, random)};

    static AttentionSpec of(const Json& algorithm, const Json& rest = Json::object()) {
        Json whole = rest;
        whole["algorithm"] = algorithm;
        return spec(whole.dump());
    }
    static std::span<const double> row(const std::vector<double>& map, Index query, Index columns) {
        return std::span(map).subspan(static_cast<std::size_t>(query * columns),
                                      static_cast<std::size_t>(columns));
    }
};

struct ProductKeySlots : Slots {};

// No pair of halves that was passed over is better than one that is read.
TEST_F(ProductKeySlots, AreTheBestOfAllPairs) {
    constexpr Index halves = 5, slots = halves * halves;
    for (const Index read : {1, 4, 7, 25}) {
        const Trace trace =
            record(planned(of({{"type", "product_keys"}, {"halves", halves}, {"read", read}}), inputs));
        const auto left = stage(trace, "left_scores"), right = stage(trace, "right_scores"),
                   weights = stage(trace, "slot_weights");
        for (Index i = 0; i < n; ++i) {
            std::vector<double> sums;
            for (Index slot = 0; slot < slots; ++slot)
                sums.push_back(row(left, i, halves)[static_cast<std::size_t>(slot / halves)] +
                               row(right, i, halves)[static_cast<std::size_t>(slot % halves)]);
            std::vector<double> sorted = sums;
            std::ranges::sort(sorted, std::greater<>());
            const double least = sorted[static_cast<std::size_t>(read - 1)];
            double total = 0;
            for (const double sum : sums)
                total += sum >= least ? std::exp(sum) : 0;
            for (std::size_t slot = 0; slot < sums.size(); ++slot)
                EXPECT_NEAR(row(weights, i, slots)[slot],
                            sums[slot] >= least ? std::exp(sums[slot]) / total : 0, exact)
                    << read << ", " << slot;
        }
    }
}

TEST_F(ProductKeySlots, LinkTokensThatReadTheSame) {
    std::ranges::copy(inputs.query.row(1), inputs.query.row(4).begin());
    const auto weights = run(of({{"type", "product_keys"}, {"read", 2}}), inputs).weights;
    for (Index i = 0; i < n; ++i)
        EXPECT_NEAR(total_of(row(weights, i, n)), 1, exact);
    EXPECT_TRUE(near(row(weights, 1, n), row(weights, 4, n), exact));
    EXPECT_NEAR(row(weights, 1, n)[1], row(weights, 1, n)[4], exact);
}

struct ParameterTokenRows : Slots {};

TEST_F(ParameterTokenRows, AreOfOneLengthBeforeGelu) {
    const AttentionSpec spec = of({{"type", "token_parameters"}});
    const auto plan = planned(spec, inputs);
    Inputs longer = plan->inputs;
    for (double& number : longer.query.values())
        number *= 3;
    const Trace once = record(plan), again = record(planned(spec, longer));
    for (const char* name : {"queries_parameter_weights", "keys_parameter_weights", "context", "weights"})
        EXPECT_TRUE(near(stage(once, name), stage(again, name), exact)) << name;
}

// A token whose key is zeros takes no part: but for the root of their number nothing has changed.
TEST_F(ParameterTokenRows, OfAKeyOfZerosAddNothing) {
    const Json gelu_first{{"type", "token_parameters"}, {"tokens", 3}, {"order", "gelu_first"}};
    Json larger = gelu_first;
    larger["tokens"] = 12;
    const auto plan = planned(of(gelu_first), inputs);
    Inputs grown = plan->inputs;
    for (const std::string side : {"queries", "keys", "values"}) {
        grown.parameters["K_of_" + side] = stacked(plan->parameter("K_of_" + side), Tensor({9, width}));
        // √12 in the place of √3
        Tensor values = stacked(plan->parameter("V_of_" + side), random_tensor({9, width}, random));
        for (double& number : values.values())
            number /= 2;
        grown.parameters["V_of_" + side] = values;
    }
    EXPECT_TRUE(near(run(of(larger), grown), run(plan), exact));
}

struct MergedSources : Slots {
    Inputs both{.query = random_tensor({5, width}, random),
                .key = random_tensor({n, width}, random),
                .value = random_tensor({n, width}, random)};
};

// The two attentions, mixed by what each softmax has to share out.
TEST_F(MergedSources, AreTheTwoAttentionsMixed) {
    const Json cross{{"source", {{"type", "cross"}}}};
    const Numbers merged = run(of({{"type", "merged_sources"}}, cross), both);
    const Numbers own = run(spec(R"({"mask": {"type": "causal"}})"), {.query = both.query});
    const Numbers other = run(spec(cross.dump()), both);
    const double root = std::sqrt(static_cast<double>(width));
    const Tensor own_products = product(both.query, transposed(both.query)),
                 other_products = product(both.query, transposed(*both.key));
    for (Index i = 0; i < 5; ++i) {
        double of_own = 0, of_other = 0;
        for (Index t = 0; t <= i; ++t)
            of_own += std::exp(own_products(i, t) / root);
        for (Index j = 0; j < n; ++j)
            of_other += std::exp(other_products(i, j) / root);
        const double share = of_own / (of_own + of_other);
        for (std::size_t c = 0; c < width; ++c)
            EXPECT_NEAR(row(merged.output, i, width)[c],
                        share * row(own.output, i, width)[c] + (1 - share) * row(other.output, i, width)[c],
                        exact);
        for (std::size_t j = 0; j < n; ++j)
            EXPECT_NEAR(row(merged.weights, i, n)[j], (1 - share) * row(other.weights, i, n)[j], exact);
    }
}

TEST_F(MergedSources, OfWhichTheOtherIsHiddenAreCausal) {
    Json none{{"source", {{"type", "cross"}}}, {"mask", {{"type", "matrix"}, {"allowed", Json::array()}}}};
    for (Index i = 0; i < 5; ++i)
        none["mask"]["allowed"].push_back(std::vector<bool>(static_cast<std::size_t>(n), false));
    EXPECT_TRUE(near(run(of({{"type", "merged_sources"}}, none), both).output,
                     run(spec(R"({"mask": {"type": "causal"}})"), {.query = both.query}).output, exact));
    // Every key twice is every key once.
    const Json causal{{"mask", {{"type", "causal"}}}};
    EXPECT_TRUE(near(run(of({{"type", "merged_sources"}}, causal), inputs).output,
                     run(spec(causal.dump()), inputs).output, exact));
}

struct DynamicMask : Slots {};

TEST_F(DynamicMask, KeepsTheSameKeysForEveryQuery) {
    const Trace trace = record(planned(of({{"type", "dynamic_mask"}, {"keep", 3}}), inputs));
    const auto weights = stage(trace, "weights"), added = stage(trace, "dynamic_bias");
    std::vector<double> sorted = added;
    std::ranges::sort(sorted, std::greater<>());
    for (Index i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            EXPECT_EQ(row(weights, i, n)[j] > 0, added[j] >= sorted[2]) << i << ", " << j;
}

TEST_F(DynamicMask, ThatKeepsAllAndSaysNothingIsAttention) {
    inputs.parameters["W_value_step"] = Tensor({width, 1});
    const Json causal{{"mask", {{"type", "causal"}}}};
    for (const Index keep : {1, 7, 100})
        EXPECT_TRUE(near(run(of({{"type", "dynamic_mask"}, {"keep", keep}}, causal), inputs),
                         run(spec(causal.dump()), {.query = inputs.query}), exact))
            << keep;
}

struct ExpertChoice : Slots {};

TEST_F(ExpertChoice, OfAllTokensIsAttentionTimesTheGates) {
    inputs.parameters["W_choice"] = Tensor({width, 1});
    for (const std::string rest : {"{}", R"({"mask": {"type": "causal"}})"}) {
        const Numbers plain = run(spec(rest), {.query = inputs.query});
        const Numbers half = run(of({{"type", "expert_choice"}, {"chosen", 100}}, Json::parse(rest)), inputs);
        for (std::size_t at = 0; at < plain.output.size(); ++at)
            EXPECT_NEAR(half.output[at], plain.output[at] / 2, exact);
    }
}

TEST_F(ExpertChoice, LeavesOtherRowsAndColumnsEmpty) {
    for (const bool first : {false, true}) {
        const Trace trace =
            record(planned(of({{"type", "expert_choice"}, {"chosen", 3}, {"first", first}}), inputs));
        const auto chosen = stage(trace, "chosen"), weights = stage(trace, "weights");
        EXPECT_EQ(total_of(chosen), 3);
        if (first) {
            EXPECT_EQ(chosen[0], 1);
        }
        for (Index i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                EXPECT_EQ(row(weights, i, n)[j] > 0, chosen[static_cast<std::size_t>(i)] * chosen[j] == 1);
    }
}

struct SampledTokens : Slots {
    std::vector<double> kept_by(Index points) {
        return stage(record(planned(of({{"type", "token_sampling"}, {"points", points}}), inputs)),
                     "sampled");
    }
};

TEST_F(SampledTokens, HaveTheRowsOfAttentionAndTheOthersNone) {
    const Numbers all = run(spec("{}"), inputs);
    for (const Index points : {2, 4, 6, 50}) {
        const Trace trace = record(planned(of({{"type", "token_sampling"}, {"points", points}}), inputs));
        const auto kept = stage(trace, "sampled"), weights = stage(trace, "weights");
        EXPECT_EQ(kept[0], 1);
        EXPECT_LE(total_of(kept), static_cast<double>(points) + 1);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                EXPECT_NEAR(weights[i * n + j], kept[i] * all.weights[i * n + j], exact);
    }
}

TEST_F(SampledTokens, AreThoseThatMeanMostAndNeverTheLeast) {
    const auto significance =
        stage(record(planned(of({{"type", "token_sampling"}}), inputs)), "significance");
    EXPECT_EQ(significance[0], 0);
    EXPECT_NEAR(total_of(significance), 1, exact);
    std::vector<std::size_t> order(n - 1);
    std::iota(order.begin(), order.end(), std::size_t(1));
    std::ranges::sort(order, std::greater(), [&](std::size_t token) { return significance[token]; });
    const std::vector<double> two = kept_by(2), many = kept_by(1000);
    for (std::size_t place = 0; place < order.size(); ++place) {
        EXPECT_EQ(two[order[place]], place < 2) << place;
        EXPECT_EQ(many[order[place]], place + 1 < order.size()) << place;
    }
}

struct MergedTokens : Slots {};

TEST_F(MergedTokens, ThatAreEqualChangeNothing) {
    std::ranges::copy(inputs.query.row(1), inputs.query.row(2).begin());
    std::ranges::copy(inputs.query.row(5), inputs.query.row(0).begin());
    EXPECT_TRUE(
        near(run(of({{"type", "token_merging"}, {"merged", 2}}), inputs), run(spec("{}"), inputs), exact));
    EXPECT_FALSE(
        near(run(of({{"type", "token_merging"}, {"merged", 3}}), inputs), run(spec("{}"), inputs), 1e-3));
}

TEST_F(MergedTokens, HaveOneRowAndOneColumn) {
    for (const Index merged : {0, 1, 3, 100}) {
        const Trace trace = record(planned(of({{"type", "token_merging"}, {"merged", merged}}), inputs));
        const auto groups = stage(trace, "group_shares"), weights = stage(trace, "weights");
        Index joined = 0;
        for (Index i = 0; i < n; ++i) {
            EXPECT_NEAR(total_of(row(groups, i, n)), 1, exact);
            EXPECT_NEAR(total_of(row(weights, i, n)), 1, exact);
            bool is_first = true;
            for (Index j = 0; j < n; ++j)
                if (j != i && row(groups, i, n)[static_cast<std::size_t>(j)] > 0) {
                    is_first = is_first && j > i;
                    EXPECT_TRUE(near(row(weights, i, n), row(weights, j, n), exact)) << i << ", " << j;
                    for (Index query = 0; query < n; ++query)
                        EXPECT_NEAR(row(weights, query, n)[static_cast<std::size_t>(i)],
                                    row(weights, query, n)[static_cast<std::size_t>(j)], exact);
                }
            joined += is_first ? 0 : 1;
        }
        EXPECT_EQ(joined, std::min<Index>(merged, n / 2));
    }
}

struct EnergyDescent : Slots {
    /// The sum over all tokens before each step and after the last.
    std::vector<double> energies(const Json& algorithm, Index steps) const {
        const auto of_tokens = stage(record(planned(of(algorithm), inputs)), "energies");
        std::vector<double> sums(static_cast<std::size_t>(steps + 1));
        for (std::size_t at = 0; at < of_tokens.size(); ++at)
            sums[at % sums.size()] += of_tokens[at];
        return sums;
    }
};

TEST_F(EnergyDescent, NeverRisesBySmallSteps) {
    for (const bool norm : {true, false})
        for (const Index patterns : {0, 5}) {
            const auto sums = energies({{"type", "energy_descent"},
                                        {"steps", 20},
                                        {"rate", 0.01},
                                        {"norm", norm},
                                        {"patterns", patterns}},
                                       20);
            for (std::size_t step = 1; step < sums.size(); ++step)
                EXPECT_LT(sums[step], sums[step - 1]) << norm << ", " << patterns << ", step " << step;
        }
}

// One step of one head without norm and patterns, by hand.
TEST_F(EnergyDescent, DrawsTokensToThoseThatLookAtThem) {
    const auto plan =
        planned(of({{"type", "energy_descent"}, {"steps", 1}, {"rate", 1}, {"norm", false}, {"patterns", 0}}),
                inputs);
    const Trace trace = record(plan);
    const Tensor weights({n, n}, stage(trace, "weights"));
    const Tensor ask = product(inputs.query, plan->parameter("W_ask")),
                 tell = product(inputs.query, plan->parameter("W_tell"));
    const Tensor drawn = product(product(weights, tell), transposed(plan->parameter("W_ask"))),
                 draws = product(product(transposed(weights), ask), transposed(plan->parameter("W_tell")));
    const auto output = stage(trace, "output");
    for (Index i = 0; i < n; ++i) {
        EXPECT_EQ(weights(i, i), 0);
        for (Index c = 0; c < width; ++c)
            EXPECT_NEAR(row(output, i, width)[static_cast<std::size_t>(c)],
                        inputs.query(i, c) + drawn(i, c) + draws(i, c), exact);
    }
}

struct SparseHopfield : Slots {};

// Far from all others a pattern is retrieved exactly, which no softmax does.
TEST_F(SparseHopfield, RetrievesAPatternItself) {
    for (Index token = 0; token < n - 1; ++token) {
        std::ranges::fill(inputs.query.row(token), 0.0);
        inputs.query(token, token) = 3;
    }
    const Json network{{"type", "hopfield"}, {"steps", 4}, {"beta", 1}};
    for (const char* normalizer : {"sparsemax", "entmax"}) {
        const auto weights = run(of(network, {{"normalizer", {{"type", normalizer}}}}), inputs).weights;
        for (Index i = 0; i < n - 1; ++i)
            EXPECT_EQ(row(weights, i, n)[static_cast<std::size_t>(i)], 1) << normalizer;
    }
    const auto soft = run(of(network), inputs).weights;
    for (const double weight : soft)
        EXPECT_LT(weight, 1);
}

TEST_F(SparseHopfield, OfASoftmaxThatIsWrittenOutIsTheNetwork) {
    const Json network{{"type", "hopfield"}, {"steps", 3}};
    const Json entmax{{"normalizer", {{"type", "entmax"}, {"alpha", 1}}}};
    EXPECT_TRUE(near(run(of(network, entmax), inputs), run(of(network), inputs), 1e-10));
}

}  // namespace

}  // namespace headlight::invariants_slots_test
