// What states promise that are corrected in other ways than the delta rule's, filters along the text,
// matrices of places, gates that read the output, and windows of heads.

#include "core/tensor/error.h"
#include "tests/support/causal_runs.h"

namespace headlight::invariants_filters_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;

struct Filters : CausalRuns {
    Filters() : CausalRuns(107) {}
};

TEST_F(Filters, APreconditionerOfRange1IsTheGatedDeltaRule) {
    for (const bool forgets : {true, false}) {
        const AttentionSpec its = of({{"type", "precond_delta"}, {"range", 1}, {"forgets", forgets}});
        const Inputs given = with_drawn(its, inputs);
        EXPECT_TRUE(
            near(run(its, given), run(of({{"type", "gated_delta"}, {"forgets", forgets}}), given), exact));
    }
    EXPECT_FALSE(near(run(of({{"type", "precond_delta"}}), inputs),
                      run(of({{"type", "precond_delta"}, {"range", 1}}), inputs), 1e-3));
}

TEST_F(Filters, APreconditionerWritesMoreWhereKeysHaveBeenFew) {
    const Trace trace = record(planned(of({{"type", "precond_delta"}, {"forgets", false}}), inputs));
    const auto squares = stage(trace, "curvature"), factors = stage(trace, "preconditioner");
    for (std::size_t a = 0; a < factors.size(); ++a) {
        EXPECT_GT(factors[a], 1 / 1.5);
        EXPECT_LT(factors[a], 1.5);
        for (std::size_t b = 0; b < a; ++b)
            EXPECT_EQ(factors[a]<factors[b], squares[a]> squares[b]) << a << ", " << b;
    }
}

TEST_F(Filters, OjasRuleTakesFromAKeyWhatTheStateHoldsAlongTheValue) {
    const Index half = width / 2;
    Tensor first({width, half}), second({width, half});
    for (Index c = 0; c < half; ++c) {
        first(c, c) = 1;
        second(half + c, c) = 1;
    }
    Inputs given = inputs;
    given.parameters = {{"W_q", first}, {"W_k", first}, {"W_v", second}};
    set_number(given, "beta", 0.3);
    const Json rest{{"mask", {{"type", "causal"}}}, {"projections", {{"type", "learned"}}}};
    const auto written =
        stage(record(planned(of({{"type", "gated_oja"}, {"forgets", false}}, rest), given)), "solved_keys");
    const double beta = 1 / (1 + std::exp(-0.3));
    std::vector<std::vector<double>> units, changed;
    for (Index t = 0; t < tokens; ++t) {
        std::vector<double> value, key;
        double square = 0;
        for (Index c = 0; c < half; ++c) {
            value.push_back(inputs.query(t, half + c));
            key.push_back(inputs.query(t, c));
            square += value.back() * value.back();
        }
        for (double& number : value)
            number /= std::sqrt(square);
        for (Index j = 0; j < t; ++j) {
            double overlap = 0;
            for (std::size_t c = 0; c < value.size(); ++c)
                overlap += value[c] * units[static_cast<std::size_t>(j)][c];
            for (std::size_t c = 0; c < key.size(); ++c)
                key[c] -= overlap * changed[static_cast<std::size_t>(j)][c];
        }
        for (double& number : key)
            number *= beta;
        for (std::size_t c = 0; c < key.size(); ++c)
            EXPECT_NEAR(written[static_cast<std::size_t>(t * half) + c], key[c], exact);
        units.push_back(value);
        changed.push_back(key);
    }
}

TEST_F(Filters, OjasRuleReplacesTheKeyOfAValueThatComesBack) {
    const Json rest{{"mask", {{"type", "causal"}}}, {"projections", {{"type", "learned"}}}};
    const AttentionSpec its = of({{"type", "gated_oja"}, {"forgets", false}}, rest);
    Inputs given = with_drawn(its, inputs);
    // Every value is the same vector: the sum of the features.
    Tensor same({width, width});
    for (Index a = 0; a < width; ++a)
        same(a, 0) = 1;
    given.parameters["W_v"] = same;
    for (double& number : given.query.values())
        number = std::abs(number) + 0.1;
    set_number(given, "beta", 60);
    const Trace trace = record(planned(its, given));
    const auto weights = stage(trace, "weights"), query = stage(trace, "query"), key = stage(trace, "key");
    for (Index i = 0; i < tokens; ++i) {
        double sum = 0, product = 0;
        for (Index j = 0; j < tokens; ++j)
            sum += at(weights, i, j);
        for (Index c = 0; c < width; ++c)
            product +=
                query[static_cast<std::size_t>(i * width + c)] * key[static_cast<std::size_t>(i * width + c)];
        EXPECT_NEAR(sum, product / std::sqrt(static_cast<double>(width)), 1e-9) << i;
    }
}

TEST_F(Filters, AKalmaNetThatSolvesNothingIsGatedLinearAttention) {
    const AttentionSpec its = of({{"type", "gated_kalma"}});
    Inputs given = with_drawn(its, inputs);
    set_number(given, "sharpening", -800);
    const Trace trace = record(planned(its, given));
    const auto query = stage(trace, "unit_query_direction"), key = stage(trace, "written_key"),
               left = stage(trace, "left_of_keys"), beta = stage(trace, "write_strengths"),
               weights = stage(trace, "weights");
    for (Index i = 0; i < tokens; ++i)
        for (Index j = 0; j < tokens; ++j) {
            double product = 0;
            for (Index c = 0; c < width; ++c)
                product += query[static_cast<std::size_t>(i * width + c)] *
                           key[static_cast<std::size_t>(j * width + c)];
            EXPECT_NEAR(at(weights, i, j),
                        product / std::sqrt(static_cast<double>(width)) * at(left, i, j) *
                            beta[static_cast<std::size_t>(j)],
                        exact);
        }
}

TEST_F(Filters, AKalmaNetThatKeepsAllIsBlindToTheOrder) {
    const AttentionSpec its = of({{"type", "gated_kalma"}, {"forgets", false}});
    Inputs given = with_drawn(its, inputs), swapped = given;
    for (Index c = 0; c < width; ++c)
        std::swap(swapped.query(1, c), swapped.query(4, c));
    const auto weights = run(its, given).weights, others = run(its, swapped).weights;
    const Index last = tokens - 1;
    EXPECT_NEAR(at(weights, last, 1), at(others, last, 4), 1e-10);
    EXPECT_NEAR(at(weights, last, 4), at(others, last, 1), 1e-10);
    EXPECT_NEAR(at(weights, last, 2), at(others, last, 2), 1e-10);
}

// The whole fit finds the value of a key that has stood out: least squares with little ridge.
TEST_F(Filters, TheWholeFitOfAKalmaNetAnswersWithTheValueOfItsKey) {
    for (double& number : inputs.query.values())
        number = 0;
    for (Index t = 0; t < width; ++t)
        inputs.query(t, t) = 1;
    inputs.query(width, 2) = inputs.query(width + 1, 3) = 1;
    const AttentionSpec its = of(
        {{"type", "gated_kalma"}, {"forgets", false}, {"mixed", false}, {"ridge", 0.001}, {"scaled", false}});
    Inputs given = with_drawn(its, inputs);
    set_number(given, "beta", 60);
    const auto weights = run(its, given).weights;
    // Token 7 asks for feature 3, which token 3 and it have in halves.
    EXPECT_NEAR(at(weights, 7, 3), 0.5, 2e-3);
    EXPECT_NEAR(at(weights, 7, 7), 0.5, 2e-3);
    EXPECT_NEAR(at(weights, 7, 2), 0, exact);
}

TEST_F(Filters, SlotsThatNoTokenIsSentToKeepAll) {
    const AttentionSpec its =
        of({{"type", "gated_slots"}, {"writing", "routed"}, {"slots", 5}, {"active", 2}});
    const Trace trace = record(planned(its, inputs));
    const auto routes = stage(trace, "slot_routes"), gates = stage(trace, "gates");
    for (Index t = 0; t < tokens; ++t) {
        double sum = 0;
        Index taken = 0;
        for (Index s = 0; s < 5; ++s) {
            const std::size_t place = static_cast<std::size_t>(t * 5 + s);
            sum += routes[place];
            taken += routes[place] > 0;
            EXPECT_EQ(routes[place] == 0, gates[place] == 1);
        }
        EXPECT_NEAR(sum, 1, exact);
        EXPECT_EQ(taken, 2);
    }
}

TEST_F(Filters, ARouterToOneSlotOfOneIsGatedSlots) {
    const AttentionSpec routed = of({{"type", "gated_slots"}, {"writing", "routed"}, {"slots", 1}}),
                        plain = of({{"type", "gated_slots"}, {"slots", 1}});
    const Inputs given = with_drawn(routed, inputs);
    EXPECT_TRUE(near(run(routed, given), run(plain, given), exact));
}

TEST_F(Filters, AMapWithoutGatesHasTheSameNumberAlongEachDiagonal) {
    for (const char* filter : {"states", "network"}) {
        const AttentionSpec its = of({{"type", "long_convolution"}, {"filter", filter}, {"gates", false}});
        const Inputs given = with_drawn(its, inputs);
        const auto weights = run(its, given).weights;
        for (Index i = 1; i < tokens; ++i)
            for (Index j = 1; j <= i; ++j)
                EXPECT_NEAR(at(weights, i, j), at(weights, i - 1, j - 1), exact);
        Inputs others = given;
        others.query = random_tensor({tokens, width}, random);
        EXPECT_EQ(run(its, others).weights, weights);
    }
}

// One state that does not turn: h(t) = 2 C (1 − e^(−Δ r)) / r e^(−t Δ r), what retention has but for a
// factor.
TEST_F(Filters, AStateThatOnlyFadesIsADecay) {
    const AttentionSpec its = of({{"type", "long_convolution"}, {"states", 1}, {"gates", false}});
    Inputs given = with_drawn(its, inputs);
    given.parameters["filter_step"] = Tensor({width}, std::log(0.5));
    given.parameters["filter_rates"] = Tensor({width, 1}, std::log(0.8));
    given.parameters["C_real"] = Tensor({width, 1}, 1);
    given.parameters["C_imaginary"] = Tensor({width, 1}, 3);  // of a state that is real
    const auto weights = run(its, given).weights;
    for (Index i = 0; i < tokens; ++i)
        for (Index j = 0; j <= i; ++j)
            EXPECT_NEAR(at(weights, i, j),
                        2 * (1 - std::exp(-0.4)) / 0.8 * std::exp(-0.4 * static_cast<double>(i - j)), exact);
}

TEST_F(Filters, AStateThatTurnsByHalfATurnChangesItsSign) {
    const AttentionSpec its = of({{"type", "long_convolution"}, {"states", 2}, {"gates", false}});
    Inputs given = with_drawn(its, inputs);
    given.parameters["filter_step"] = Tensor({width});  // Δ = 1
    given.parameters["filter_rates"] = Tensor({width, 2}, -2);
    given.parameters["C_imaginary"] = Tensor({width, 2});
    Tensor only_second({width, 2});
    for (Index c = 0; c < width; ++c)
        only_second(c, 1) = 1;
    given.parameters["C_real"] = only_second;
    const auto weights = run(its, given).weights;
    const double left = -std::exp(-std::exp(-2.0));  // e^(iπ) < 0
    for (Index i = 1; i < tokens; ++i)
        EXPECT_NEAR(at(weights, i, 0), left * at(weights, i - 1, 0), exact);
}

TEST_F(Filters, ATokenHasMoreOfItselfByD) {
    const AttentionSpec its = of({{"type", "long_convolution"}, {"gates", false}});
    Inputs given = with_drawn(its, inputs), more = given;
    more.parameters["filter_own"] = Tensor({width}, 2);
    const auto before = run(its, given).weights, after = run(its, more).weights;
    for (Index i = 0; i < tokens; ++i)
        for (Index j = 0; j < tokens; ++j)
            EXPECT_NEAR(at(after, i, j) - at(before, i, j), i == j ? 2 : 0, exact);
}

TEST_F(Filters, GatesOfAConvolutionNeedOneWidth) {
    const Json rest{{"mask", {{"type", "causal"}}}, {"projections", {{"type", "learned"}}}};
    Inputs narrow = inputs;
    narrow.parameters = {{"W_q", random_tensor({width, 3}, random)},
                         {"W_k", random_tensor({width, 3}, random)}};
    narrow.parameters["W_v"] = random_tensor({width, width}, random);
    EXPECT_THROW(planned(of({{"type", "long_convolution"}}, rest), narrow), Error);
    EXPECT_THROW(planned(of({{"type", "spatial_gating"}}, rest), narrow), Error);
    EXPECT_NO_THROW(planned(of({{"type", "long_convolution"}, {"gates", false}}, rest), narrow));
}

TEST_F(Filters, AClosedMatrixOfPlacesLetsTheOtherHalfThrough) {
    const AttentionSpec its = of({{"type", "spatial_gating"}}, Json::object());
    Inputs given = inputs;
    given.parameters["W_places"] = Tensor({tokens, tokens});
    const Trace trace = record(planned(its, given));
    EXPECT_EQ(stage(trace, "context"), stage(trace, "query"));
    EXPECT_EQ(stage(trace, "weights"), std::vector<double>(static_cast<std::size_t>(tokens * tokens), 0));
    given.parameters["W_places"] = random_tensor({tokens, tokens}, random);
    const auto map = given.parameters["W_places"].values();
    EXPECT_TRUE(std::ranges::equal(run(its, given).weights, map));
}

TEST_F(Filters, AttentionOnAttentionThatIsOpenIsWhatAttentionGives) {
    const AttentionSpec its = of({{"type", "attention_on_attention"}}, Json::object());
    Inputs given = with_drawn(its, inputs);
    Tensor unit({width, width});
    for (Index c = 0; c < width; ++c)
        unit(c, c) = 1;
    given.parameters["W_information_o"] = unit;
    given.parameters["W_information_q"] = Tensor({width, width});
    for (const char* name : {"W_relevance_o", "W_relevance_q"})
        given.parameters[name] = Tensor({width, width});
    given.parameters["b_relevance"] = Tensor({width}, 800);
    EXPECT_TRUE(near(run(its, given), run(spec("{}"), inputs), exact));
    given.parameters["b_relevance"] = Tensor({width}, -800);
    const Numbers closed = run(its, given);
    EXPECT_TRUE(std::ranges::all_of(closed.output, [](double number) { return number == 0; }));
    EXPECT_TRUE(near(closed.weights, run(spec("{}"), inputs).weights, exact));
}

TEST_F(Filters, TwoGatesChooseBetweenTheTokenAndItsPast) {
    const AttentionSpec its = of({{"type", "attention_on_attention"}, {"gates", "both"}}, Json::object());
    Inputs given = with_drawn(its, inputs);
    for (const char* name : {"W_information_o", "W_information_q", "W_relevance_o", "W_relevance_q"})
        given.parameters[name] = Tensor({width, width});
    given.parameters["b_information"] = Tensor({width}, 800);
    given.parameters["b_relevance"] = Tensor({width}, -800);
    EXPECT_TRUE(near(run(its, given).output, inputs.query.values(), exact)) << "the token";
    given.parameters["b_information"] = Tensor({width}, -800);
    given.parameters["b_relevance"] = Tensor({width}, 800);
    EXPECT_TRUE(near(run(its, given), run(spec("{}"), inputs), exact)) << "what attention gives";
}

TEST_F(Filters, EachHeadSeesItsOwnWindow) {
    const Json rest{{"projections", {{"type", "learned"}}}, {"heads", {{"type", "multi"}, {"heads", 3}}}};
    Json windows = rest;
    windows["selection"] = {{"type", "head_windows"}, {"reaches", {0, 2, 65536}}};
    const AttentionSpec its = spec(windows.dump()), plain = spec(rest.dump());
    const auto weights = run(its, inputs).weights, whole = run(plain, inputs).weights;
    const std::size_t map = static_cast<std::size_t>(tokens * tokens);
    const std::vector<Index> reaches{0, 2, tokens};
    for (std::size_t head = 0; head < 3; ++head)
        for (Index i = 0; i < tokens; ++i) {
            double sum = 0, of_window = 0;
            for (Index j = 0; j < tokens; ++j)
                if (std::abs(i - j) <= reaches[head])
                    of_window += whole[head * map + static_cast<std::size_t>(i * tokens + j)];
            for (Index j = 0; j < tokens; ++j) {
                const std::size_t place = head * map + static_cast<std::size_t>(i * tokens + j);
                sum += weights[place];
                if (std::abs(i - j) <= reaches[head]) {
                    EXPECT_NEAR(weights[place], whole[place] / of_window, exact);
                } else {
                    EXPECT_EQ(weights[place], 0);
                }
            }
            EXPECT_NEAR(sum, 1, exact);
        }
    // The list begins again where there are more heads than numbers in it.
    windows["selection"]["reaches"] = Json::array({1});
    Json masked = rest;
    masked["mask"] = {{"type", "symmetric_window"}, {"reach", 1}};
    EXPECT_TRUE(near(run(spec(windows.dump()), inputs), run(spec(masked.dump()), inputs), exact));
}

}  // namespace

}  // namespace headlight::invariants_filters_test
