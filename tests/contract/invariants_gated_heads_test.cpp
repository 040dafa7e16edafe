// What gates and experts of heads promise, states that groups of heads share, outputs in groups, and a mask
// for each head.

#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"
#include "tests/support/self_attention.h"

#include <cmath>
#include <numbers>

namespace headlight::invariants_gated_heads_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;
constexpr Index n = 6, width = 8;

Inputs tokens(std::uint64_t seed) { return self_attention::tokens(n, width, seed); }

Json of_heads(Index heads, const Json& rest) {
    Json made{{"projections", {{"type", "learned"}}}, {"heads", {{"type", "multi"}, {"heads", heads}}}};
    made.update(rest);
    return made;
}

AttentionSpec with(const Json& algorithm, Index heads = 4, Json rest = Json::object()) {
    if (!algorithm.empty())
        rest["algorithm"] = algorithm;
    return spec(of_heads(heads, rest).dump());
}

TEST(OutputGate, ThatIsOpenIsMultiHeadAndThatIsClosedIsNothing) {
    for (const char* reads : {"token", "output", "both"})
        for (const Index rank : {0, 2}) {
            const AttentionSpec gated = with({{"type", "output_gate"}, {"reads", reads}, {"rank", rank}});
            Inputs inputs = tokens(1);
            for (const char* of : {"x", "o"}) {
                inputs.parameters[std::string("W_open_") + of] = Tensor({width, width});
                inputs.parameters[std::string("U_open_") + of] = Tensor({2, width});
            }
            inputs.parameters["b_open"] = Tensor({width}, 800);
            EXPECT_TRUE(near(run(gated, inputs), run(with({}), inputs), exact)) << reads;
            inputs.parameters["b_open"] = Tensor({width}, -800);
            const std::vector<double> shut = run(gated, inputs).output;
            for (const double number : shut)
                EXPECT_EQ(number, 0);
        }
}

// x σ(x) of x = 1.2784645… is 1.
TEST(OutputGate, OfSiluHasNoUpperBound) {
    const AttentionSpec gated = with({{"type", "output_gate"}, {"reads", "token"}, {"function", "silu"}});
    Inputs inputs = tokens(2);
    inputs.parameters["W_open_x"] = Tensor({width, width});
    inputs.parameters["b_open"] = Tensor({width}, 1.27846454276107);
    EXPECT_TRUE(near(run(gated, inputs), run(with({}), inputs), 1e-10));
    inputs.parameters["b_open"] = Tensor({width}, 800);
    auto many = run(with({}), inputs).output;
    for (double& number : many)
        number *= 800;
    EXPECT_TRUE(near(run(gated, inputs).output, many, 1e-9));
}

TEST(OutputGate, OfFullRankIsThatOfItsTwoMatrices) {
    RandomEngine random(3);
    Inputs thin = tokens(4), whole = thin;
    const Tensor D = random_tensor({width, 3}, random), U = random_tensor({3, width}, random);
    thin.parameters["D_open_o"] = D;
    thin.parameters["U_open_o"] = U;
    whole.parameters["W_open_o"] = product(D, U);
    EXPECT_TRUE(near(run(with({{"type", "output_gate"}, {"reads", "output"}, {"rank", 3}}), thin),
                     run(with({{"type", "output_gate"}, {"reads", "output"}}), whole), exact));
}

TEST(HeadGates, OfL0ReachBothEnds) {
    Inputs inputs = tokens(5), shut = inputs;
    inputs.parameters["a_head"] = Tensor({4}, 3.0);
    EXPECT_TRUE(
        near(run(with({{"type", "head_scale"}, {"gates", "l0"}}), inputs), run(with({}), inputs), exact))
        << "open";
    shut.parameters["a_head"] = Tensor({4}, std::vector<double>{3, -3, -3, 3});
    const auto context =
        stage(record(planned(with({{"type", "head_scale"}, {"gates", "l0"}}), shut)), "context");
    for (std::size_t at = 0; at < context.size(); ++at)
        EXPECT_EQ(context[at] == 0, at / (n * 2) == 1 || at / (n * 2) == 2) << at;
}

// P(s > 0) = σ(a − β ln(0.1 / 1.1)) (Louizos et al. 2018, equation 12).
TEST(HeadGates, ThatAreDrawnAreOpenAsOftenAsTheySay) {
    const AttentionSpec drawn = with({{"type", "head_scale"}, {"gates", "l0"}, {"drawn", true}});
    Inputs inputs = tokens(6);
    inputs.parameters["a_head"] = Tensor({4}, -0.5);
    double open = 0, whole = 0;
    constexpr int draws = 200;
    for (std::uint64_t seed = 1; seed <= draws; ++seed) {
        const Trace trace = record(planned(drawn, inputs, seed));
        const auto context = stage(trace, "context"), attended = stage(trace, "attended");
        for (std::size_t head = 0; head < 4; ++head) {
            const double gate = context[head * n * 2] / attended[head * n * 2];
            EXPECT_GE(gate, 0);
            EXPECT_LE(gate, 1 + exact);
            open += gate > 0;
            whole += gate > 1 - exact;
        }
    }
    const auto chance = [](double edge) {
        return 1 / (1 + std::exp(0.5 + 0.33 * std::log(edge / (1 - edge))));
    };
    EXPECT_NEAR(open / (4 * draws), chance(0.1 / 1.2), 0.06);
    EXPECT_NEAR(whole / (4 * draws), chance(1.1 / 1.2), 0.06);
    EXPECT_EQ(run(drawn, inputs, 3).output, run(drawn, inputs, 3).output);
}

TEST(HeadScale, OfNormedValuesDoesNotSeeTheirLength) {
    RandomEngine random(7);
    const AttentionSpec normed = with({{"type", "head_scale"}, {"normed_values", true}});
    Inputs inputs = tokens(8);
    Tensor W_v = random_tensor({width, width}, random);
    inputs.parameters["W_v"] = W_v;
    const Numbers before = run(normed, inputs);
    for (double& number : W_v.values())
        number *= 37;
    inputs.parameters["W_v"] = W_v;
    EXPECT_TRUE(near(run(normed, inputs), before, 1e-11));
    inputs.parameters["W_v"] = Tensor({width, width});
    const std::vector<double> nothing = run(normed, inputs).output;
    for (const double number : nothing)
        EXPECT_EQ(number, 0) << "values of zeros stay zeros";
}

TEST(SwitchHead, OfOneExpertThatIsOpenIsMultiHead) {
    Inputs inputs = tokens(9);
    for (Index token = 0; token < n; ++token)
        inputs.query(token, width - 1) = 1;
    Tensor open({width, 4});
    for (Index head = 0; head < 4; ++head)
        open(width - 1, head) = 800;
    inputs.parameters["W_value_router"] = inputs.parameters["W_output_router"] = open;
    for (const char* mask : {"none", "causal"}) {
        const Json rest{{"mask", {{"type", mask}}}};
        EXPECT_TRUE(near(run(with({{"type", "switch_head"}, {"experts", 1}}, 4, rest), inputs),
                         run(with({}, 4, rest), inputs), exact));
    }
}

TEST(SwitchHead, GivesEachTokenAsManyExpertsAsItMayChoose) {
    for (const Index active : {1, 2, 3, 4}) {
        const Trace trace = record(
            planned(with({{"type", "switch_head"}, {"experts", 4}, {"active", active}}, 2), tokens(10)));
        for (const char* name : {"value_experts", "output_experts"}) {
            const auto gates = stage(trace, name);
            ASSERT_EQ(gates.size(), 2u * n * 4);
            for (std::size_t row = 0; row < gates.size(); row += 4) {
                Index open = 0;
                for (std::size_t expert = 0; expert < 4; ++expert)
                    open += gates[row + expert] > 0;
                EXPECT_EQ(open, active) << name;
            }
        }
    }
}

// A group’s state as the value and half of the key; with turned keys of zeros the other half says nothing.
TEST(GroupedLatents, ThatAreTiedHaveTheMapsOfHalfTheirValues) {
    Inputs inputs = tokens(11);
    inputs.parameters["W_group_rotary"] = Tensor({width, 2});
    const Trace trace = record(planned(with({{"type", "grouped_latents"}}, 2), inputs));
    const auto query = stage(trace, "query"), value = stage(trace, "value"), scores = stage(trace, "scores");
    for (std::size_t head = 0; head < 2; ++head)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                double sum = 0;
                for (std::size_t c = 0; c < 2; ++c)
                    sum += query[(head * n + i) * 4 + c] * value[(head * n + j) * 4 + c];
                EXPECT_NEAR(scores[(head * n + i) * n + j], sum / 2, exact);
            }
}

TEST(GroupedLatents, OfOneLatentIsLatentAttention) {
    RandomEngine random(12);
    Inputs inputs = tokens(13);
    const Tensor latent = random_tensor({width, 5}, random), gain = random_tensor({5}, random),
                 key = random_tensor({5, 4}, random), value = random_tensor({5, width}, random),
                 rotary = random_tensor({width, 2}, random);
    inputs.parameters = {{"W_latent", latent},      {"g_latent", gain},       {"W_latent_key", key},
                         {"W_latent_value", value}, {"W_rotary_key", rotary}, {"W_group_latent", latent},
                         {"g_group_latent", gain},  {"W_group_key", key},     {"W_group_value", value},
                         {"W_group_rotary", rotary}};
    const Json causal{{"mask", {{"type", "causal"}}}};
    EXPECT_TRUE(
        near(run(with({{"type", "grouped_latents"}, {"form", "latent"}, {"groups", 1}, {"latent_width", 5}},
                      2, causal),
                 inputs),
             run(with({{"type", "latent"}, {"latent_width", 5}}, 2, causal), inputs), 1e-11));
}

// With all matrices of the heads equal, all heads look alike; unit matrices narrow nothing.
TEST(GroupedLatents, OfFactorisedQueriesAreMultiQuery) {
    RandomEngine random(14);
    Inputs inputs = tokens(15);
    const Tensor key = random_tensor({width, 2}, random), value = random_tensor({width, 2}, random);
    Inputs of_multi_query = inputs;
    of_multi_query.parameters = {{"W_k", key}, {"W_v", value}};
    inputs.parameters = {{"W_shared_key", key}, {"W_shared_value", value}};
    inputs.parameters["D_query"] = inputs.parameters["U_query"] = identity(width);
    const Json factorised{{"type", "grouped_latents"}, {"form", "factorised"}, {"groups", 1}};
    Json whole = factorised;
    whole["rank"] = width;
    const AttentionSpec multi_query = spec(R"({"projections": {"type": "learned"},
                                               "heads": {"type": "multi_query", "heads": 4}})");
    EXPECT_TRUE(near(run(with(whole), inputs), run(multi_query, of_multi_query), exact));

    Json thin = factorised;
    thin["rank"] = 3;
    const Tensor one = random_tensor({3, 2}, random);
    Tensor alike({3, width});
    for (Index row = 0; row < 3; ++row)
        for (Index column = 0; column < width; ++column)
            alike(row, column) = one(row, column % 2);
    inputs.parameters["D_query"] = random_tensor({width, 3}, random);
    inputs.parameters["U_query"] = alike;
    const auto weights = run(with(thin), inputs).weights;
    for (std::size_t at = 0; at < weights.size(); ++at)
        EXPECT_NEAR(weights[at], weights[at % (n * n)], exact);
}

TEST(GroupedOutput, OfTwoMatricesIsTheirProductAsOne) {
    RandomEngine random(16);
    Inputs grouped = tokens(17), whole = grouped;
    const Tensor A = random_tensor({width, 3}, random), B = random_tensor({6, width}, random);
    grouped.parameters["A_output"] = A;
    grouped.parameters["B_output"] = B;
    Tensor blocks({width, 6});
    for (Index row = 0; row < width; ++row)
        for (Index r = 0; r < 3; ++r)
            blocks(row, row / 4 * 3 + r) = A(row, r);
    whole.parameters["W_o"] = product(blocks, B);
    const Json causal{{"mask", {{"type", "causal"}}}, {"position", {{"type", "alibi"}}}};
    EXPECT_TRUE(near(run(with({{"type", "grouped_output"}, {"rank", 3}}, 4, causal), grouped),
                     run(with({}, 4, causal), whole), exact));
}

TEST(HeadMasks, MayBeOfAnyKind) {
    const Json windows{{"selection",
                        {{"type", "head_windows"},
                         {"reaches", {0, 9, 1, 9}},
                         {"shifts", {-1, 0, 0, 0}},
                         {"strides", {1, 3, 1, 1}},
                         {"first", {0, 0, 2, 0}}}}};
    const auto weights = run(with({}, 4, windows), tokens(18)).weights;
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
            const std::vector<bool> open{j == i - 1, (j - i) % 3 == 0, std::abs(i - j) <= 1 || j < 2, true};
            for (Index head = 0; head < 4; ++head)
                EXPECT_EQ(weights[static_cast<std::size_t>((head * n + i) * n + j)] > 0,
                          open[static_cast<std::size_t>(head)])
                    << head << ' ' << i << ' ' << j;
        }
}

TEST(HeadMasks, ThatAreBellsAreNormalDensities) {
    const Json bells{
        {"score", {{"type", "cosine"}, {"beta", 0}}},
        {"position",
         {{"type", "kerple"}, {"form", "power"}, {"r_1", 0.5}, {"r_2", 2}, {"middles", {-1, 0, 1}}}}};
    const auto weights = run(with({}, 4, bells), tokens(19)).weights;
    const std::vector<double> middles{-1, 0, 1, -1};
    for (Index head = 0; head < 4; ++head)
        for (Index i = 0; i < n; ++i) {
            std::vector<double> density;
            double sum = 0;
            for (Index j = 0; j < n; ++j) {
                const double away = static_cast<double>(j - i) - middles[static_cast<std::size_t>(head)];
                density.push_back(std::exp(-away * away / 2) / std::sqrt(2 * std::numbers::pi));
                sum += density.back();
            }
            for (Index j = 0; j < n; ++j)
                EXPECT_NEAR(weights[static_cast<std::size_t>((head * n + i) * n + j)],
                            density[static_cast<std::size_t>(j)] / sum, exact);
        }
}

TEST(HeadPositions, AreThoseOfTheLastHeadsAlone) {
    const Json some{{"position", {{"type", "rope"}, {"turned_heads", 1}}}},
        all{{"position", {{"type", "rope"}}}};
    const auto weights = run(with({}, 4, some), tokens(21)).weights,
               plain = run(with({}), tokens(21)).weights, turned = run(with({}, 4, all), tokens(21)).weights;
    for (std::size_t at = 0; at < weights.size(); ++at)
        EXPECT_NEAR(weights[at], (at < 3 * n * n ? plain : turned)[at], exact);
    EXPECT_THROW(planned(spec(R"({"projections": {"type": "learned"},
                                  "heads": {"type": "multi_query", "heads": 4},
                                  "position": {"type": "rope", "turned_heads": 1}})"),
                         tokens(21)),
                 Error);
}

/// W_q [8, 8] of four heads in which the second of each two has the columns of the first, a quarter turn
/// back.
Tensor turned_columns(const Tensor& W_q) {
    Tensor paired = W_q;
    for (Index row = 0; row < width; ++row)
        for (const Index head : {1, 3}) {
            paired(row, 2 * head) = W_q(row, 2 * head - 1);
            paired(row, 2 * head + 1) = -W_q(row, 2 * head - 2);
        }
    return paired;
}

// RoPE++: a head a quarter behind is one whose matrix has that turn.
TEST(HeadPositions, AQuarterBehindAreThoseOfATurnedMatrix) {
    Inputs inputs = tokens(23);
    RandomEngine random(24);
    inputs.parameters["W_q"] = random_tensor({width, width}, random);
    Inputs turned = inputs;
    turned.parameters["W_q"] = turned_columns(inputs.parameters["W_q"]);
    for (const char* heads : {"multi", "multi_query"}) {
        const auto with_rope = [&](bool has_quarters) {
            return spec(Json{{"projections", {{"type", "learned"}}},
                             {"heads", {{"type", heads}, {"heads", 4}}},
                             {"mask", {{"type", "causal"}}},
                             {"position", {{"type", "rope"}, {"quarter_heads", has_quarters}}}}
                            .dump());
        };
        const Numbers quarters = run(with_rope(true), inputs), plain = run(with_rope(false), inputs);
        EXPECT_TRUE(near(quarters, run(with_rope(false), turned), exact)) << heads;
        for (const std::size_t head : {0, 2})
            EXPECT_TRUE(near(std::span(quarters.weights).subspan(head * n * n, n * n),
                             std::span(plain.weights).subspan(head * n * n, n * n), exact))
                << heads;
        EXPECT_FALSE(near(quarters, plain, 1e-3)) << heads;
    }
    // Alone a head is no second one.
    const Json alone{{"position", {{"type", "rope"}, {"quarter_heads", true}}}},
        rope{{"position", {{"type", "rope"}}}};
    EXPECT_TRUE(near(run(spec(alone.dump()), tokens(23)), run(spec(rope.dump()), tokens(23)), exact));
}

// The second of three heads that turn is a quarter behind the first; the one that knows no place has no pair.
TEST(HeadPositions, AQuarterBehindAreCountedAmongThoseThatTurn) {
    const Inputs inputs = tokens(24);
    const auto with_rope = [](bool has_quarters) {
        const Json position{{"type", "rope"}, {"turned_heads", 3}, {"quarter_heads", has_quarters}};
        return with({}, 4, {{"position", position}});
    };
    const auto queries = stage(record(planned(with_rope(true), inputs)), "rotated_query");
    for (std::size_t row = 0; row < static_cast<std::size_t>(n); ++row) {
        const std::size_t real = (n + row) * 2, behind = (2 * n + row) * 2;
        EXPECT_NEAR(queries[behind], queries[real + 1], exact) << row;
        EXPECT_NEAR(queries[behind + 1], -queries[real], exact) << row;
    }
    const auto quarters = run(with_rope(true), inputs).weights, plain = run(with_rope(false), inputs).weights;
    for (const std::size_t head : {0, 1, 3})
        EXPECT_TRUE(near(std::span(quarters).subspan(head * n * n, n * n),
                         std::span(plain).subspan(head * n * n, n * n), exact))
            << head;
}

// The real part of a query and a key that are alike is the cosine of the distance, the other one its sine.
TEST(HeadPositions, AQuarterBehindKnowTheSineOfADistance) {
    Inputs alike{.query = Tensor({n, 2}, 1.0)};
    for (const char* name : {"W_q", "W_k"})
        alike.parameters[name] = Tensor({2, name[2] == 'q' ? 4 : 2}, 0.5);  // every feature is 1
    const auto scores = stage(record(planned(spec(R"({"projections": {"type": "learned"},
                                  "heads": {"type": "multi_query", "heads": 2},
                                  "position": {"type": "rope", "quarter_heads": true}})"),
                                             alike)),
                              "scores");
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
            const auto at = static_cast<std::size_t>(i * n + j);
            EXPECT_NEAR(scores[at], 2 * std::cos(static_cast<double>(i - j)), exact);
            EXPECT_NEAR(scores[n * n + at], 2 * std::sin(static_cast<double>(i - j)), exact);
        }
}

// x-transformers: segments of features, each moved by one place more.
TEST(TokenShift, MovesPartsOfTheFeatures) {
    const Inputs inputs = tokens(22);
    Inputs moved = inputs;
    for (Index token = 0; token < n; ++token)
        for (Index c = 2; c < width; ++c)
            if (c < 6)  // three parts of two features, and two that stay
                moved.query(token, c) = token < c / 2 ? 0 : inputs.query(token - c / 2, c);
    const Json shift{
        {"position", {{"type", "convolutional"}, {"kernel", "shift"}, {"window", "past"}, {"size", 3}}},
        {"mask", {{"type", "causal"}}}};
    EXPECT_TRUE(near(run(with({}, 2, shift), inputs),
                     run(with({}, 2, {{"mask", {{"type", "causal"}}}}), moved), exact));
}

TEST(Cosine, OfGroupsIsTheSumOfTheirs) {
    const Inputs inputs = tokens(23);
    const auto scores =
        stage(record(planned(spec(R"({"score": {"type": "cosine", "groups": 4}})"), inputs)), "scores");
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
            double sum = 0;
            for (Index first = 0; first < width; first += 2) {
                double both = 0, own = 0, theirs = 0;
                for (Index c = first; c < first + 2; ++c) {
                    both += inputs.query(i, c) * inputs.query(j, c);
                    own += inputs.query(i, c) * inputs.query(i, c);
                    theirs += inputs.query(j, c) * inputs.query(j, c);
                }
                sum += both / std::sqrt(own * theirs);
            }
            EXPECT_NEAR(scores[static_cast<std::size_t>(i * n + j)], sum, exact);
        }
}

TEST(Cosine, OfKeysAloneDoesNotSeeTheirLength) {
    const AttentionSpec keys =
        spec(R"({"source": {"type": "cross"}, "score": {"type": "cosine", "divided": "keys"}})");
    Inputs inputs = tokens(24);
    inputs.key = inputs.value = tokens(25).query;
    const auto before = run(keys, inputs).weights;
    for (double& number : inputs.key->values())
        number *= 1e200;
    EXPECT_TRUE(near(run(keys, inputs).weights, before, exact));
    for (double& number : inputs.query.values())
        number *= 3;
    EXPECT_FALSE(near(run(keys, inputs).weights, before, 1e-3)) << "a longer query looks more sharply";
}

TEST(SharedKeys, LeaveEachHeadOfValuesItsGates) {
    const Json causal{{"mask", {{"type", "causal"}}}};
    const auto comba = [&](Index key_heads, const Inputs& inputs) {
        return run(with({{"type", "comba"}, {"key_heads", key_heads}}, 4, causal), inputs).weights;
    };
    EXPECT_TRUE(
        near(comba(4, tokens(27)), run(with({{"type", "comba"}}, 4, causal), tokens(27)).weights, exact))
        << "a head of keys for each of values";
    Inputs inputs = tokens(28);
    inputs.parameters = {{"b_beta", Tensor({4}, 0.2)},    {"W_beta", Tensor({width, 4})},
                         {"W_dt", Tensor({width, 4})},    {"b_dt", Tensor({4}, 0.3)},
                         {"A_log", Tensor({4}, -0.2)},    {"feedback", Tensor({4}, 0.5)},
                         {"correction", Tensor({4}, 0.1)}};
    constexpr std::size_t map = n * n;
    const auto alike = comba(2, inputs);
    for (std::size_t at = 0; at < map; ++at) {
        EXPECT_NEAR(alike[at], alike[map + at], exact) << "one key and the same gates";
        EXPECT_NEAR(alike[2 * map + at], alike[3 * map + at], exact);
    }
    EXPECT_FALSE(near(std::span(alike).first(map), std::span(alike).subspan(2 * map, map), 1e-3));
    inputs.parameters["A_log"] = Tensor({4}, std::vector<double>{-0.2, 1, -0.2, -0.2});
    const auto unlike = comba(2, inputs);
    EXPECT_FALSE(near(std::span(unlike).first(map), std::span(unlike).subspan(map, map), 1e-3));
}

// Reformer: where other keys of the bucket are seen, the own one is not.
TEST(Hashing, LeavesTheOwnPlaceToThoseThatAreAlone) {
    for (const Index directions : {0, 1, 4}) {
        Json json{{"mask", {{"type", "causal"}}},
                  {"selection", {{"type", "hashing"}, {"directions", directions}}}};
        const auto always = run(spec(json.dump()), tokens(26)).weights;
        json["selection"]["own"] = "otherwise";
        const auto otherwise = run(spec(json.dump()), tokens(26)).weights;
        for (Index i = 0; i < n; ++i) {
            const auto at = [&](Index j) { return static_cast<std::size_t>(i * n + j); };
            double others = 0;
            for (Index j = 0; j < i; ++j)
                others += always[at(j)];
            EXPECT_NEAR(otherwise[at(i)], others > 0 ? 0 : 1, exact) << i;
            for (Index j = 0; j < i; ++j)
                EXPECT_NEAR(otherwise[at(j)], others > 0 ? always[at(j)] / others : 0, 1e-11);
        }
    }
}

TEST(GatesAndGroups, RefuseWhatTheyHaveNoPlaceFor) {
    EXPECT_THROW(
        planned(with({{"type", "grouped_latents"}}, 2, {{"position", {{"type", "rope"}}}}), tokens(20)),
        Error);
    EXPECT_THROW(planned(spec(R"({"algorithm": {"type": "grouped_latents"}})"), tokens(20)), Error);
    EXPECT_THROW(planned(spec(R"({"projections": {"type": "learned"},
                                  "heads": {"type": "multi_query", "heads": 2},
                                  "algorithm": {"type": "switch_head"}})"),
                         tokens(20)),
                 Error);
}

}  // namespace

}  // namespace headlight::invariants_gated_heads_test
