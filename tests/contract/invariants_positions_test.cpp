// Invariants of positions. The numbers are those of the list of invariants in the catalogue of attentions
// that this engine implements.

#include "core/attention/position.h"
#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"
#include "tests/support/refusal.h"

namespace headlight::invariants_positions_test {

using namespace test;

namespace {

constexpr double exact = 1e-10;

AttentionSpec with_position(const std::string& position, const std::string& rest = "") {
    return spec(R"({"position": )" + position + rest + "}");
}
const std::string causal = R"(, "mask": {"type": "causal"})";

struct Positions : testing::Test {
    RandomEngine random{77};
    Inputs inputs{.query = random_tensor({7, 8}, random)};

    Numbers attend(const std::string& position, const std::string& rest = "",
                   const std::map<std::string, Tensor>& parameters = {}) const {
        Inputs with = inputs;
        with.parameters = parameters;
        return run(with_position(position, rest), with);
    }
    Trace trace(const std::string& position, const std::string& rest = "") const {
        return record(planned(with_position(position, rest), inputs));
    }
};

// Two pairs of places that are equally far apart give the same score for the same vectors.
TEST_F(Positions, Invariant09_RotaryScoresDependOnTheDistance) {
    for (const std::string layout : {"half", "interleaved"}) {
        Inputs same;
        same.query = Tensor({9, 4});
        for (Index token = 0; token < 9; ++token)
            std::ranges::copy(inputs.query.row(0).first(4), same.query.row(token).begin());
        const auto scores =
            stage(record(planned(with_position(R"({"type": "rope", "layout": ")" + layout + "\"}"), same)),
                  "scores");
        for (std::size_t i = 1; i < 9; ++i)
            for (std::size_t j = 1; j < 9; ++j)
                EXPECT_NEAR(scores[i * 9 + j], scores[(i - 1) * 9 + j - 1], exact);
        EXPECT_GT(std::abs(scores[1] - scores[2]), 1e-3);
    }
}

TEST_F(Positions, Invariant09_RotationsKeepLengthsAndTheFirstPlace) {
    for (const std::string layout : {"half", "interleaved"}) {
        const Trace run = trace(R"({"type": "rope", "layout": ")" + layout + "\"}");
        const auto before = stage(run, "query"), after = stage(run, "rotated_query");
        EXPECT_TRUE(near(std::span(after).first(8), std::span(before).first(8), exact));
        for (std::size_t row = 0; row < 7; ++row) {
            double change = 0;
            for (std::size_t c = row * 8; c < (row + 1) * 8; ++c)
                change += after[c] * after[c] - before[c] * before[c];
            EXPECT_NEAR(change, 0, exact) << row;
        }
    }
}

// Column 2m of the interleaved layout is column m of the other, column 2m + 1 is column m + d/2.
TEST_F(Positions, Invariant09_TheLayoutsDifferByAPermutationOfColumns) {
    Inputs permuted;
    permuted.query = inputs.query;
    for (Index row = 0; row < 7; ++row)
        for (Index m = 0; m < 4; ++m) {
            permuted.query(row, m) = inputs.query(row, 2 * m);
            permuted.query(row, m + 4) = inputs.query(row, 2 * m + 1);
        }
    const auto half = with_position(R"({"type": "rope", "layout": "half"})");
    const auto interleaved = with_position(R"({"type": "rope", "layout": "interleaved"})");
    EXPECT_TRUE(near(run(half, permuted).weights, run(interleaved, inputs).weights, exact));
    EXPECT_FALSE(near(run(half, inputs).weights, run(interleaved, inputs).weights, 1e-3));
}

TEST_F(Positions, Invariant10_AlibiOfKeysAloneIsAlibiOfDistancesInCausalRows) {
    const Numbers distance = attend(R"({"type": "alibi", "slope": 0.3})", causal);
    EXPECT_TRUE(
        near(attend(R"({"type": "alibi", "slope": 0.3, "form": "key_only"})", causal), distance, exact));
    // A gate of e^-m at every token.
    const double logit = -std::log(std::exp(0.3) - 1);
    EXPECT_TRUE(near(
        attend(R"({"type": "forgetting"})", causal, {{"W_f", Tensor({8, 1})}, {"b_f", Tensor({1}, logit)}}),
        distance, exact));
}

// Gates of e^-m for both sides are a slope of distances; of the other side alone they leave causal rows.
TEST_F(Positions, ForgettingToBothSidesHasGatesForEach) {
    const double logit = -std::log(std::exp(0.3) - 1);
    const std::string two_sided = R"({"type": "forgetting", "two_sided": true})";
    std::map<std::string, Tensor> alike{{"W_f", Tensor({8, 1})},
                                        {"b_f", Tensor({1}, logit)},
                                        {"W_f_behind", Tensor({8, 1})},
                                        {"b_f_behind", Tensor({1}, logit)}};
    EXPECT_TRUE(near(attend(two_sided, "", alike),
                     attend(R"({"type": "alibi", "slope": 0.3, "form": "absolute"})"), exact));
    alike["b_f_behind"] = Tensor({1}, 100.0);
    const auto bias =
        stage(record(planned(with_position(two_sided), {.query = inputs.query, .parameters = alike})),
              "position_bias");
    for (Index i = 0; i < 7; ++i)
        for (Index j = 0; j < 7; ++j)
            EXPECT_NEAR(bias[static_cast<std::size_t>(i * 7 + j)],
                        j <= i ? -0.3 * static_cast<double>(i - j) : 0, exact);
    const std::map<std::string, Tensor> drawn{{"W_f", random_tensor({8, 1}, random)},
                                              {"W_f_behind", random_tensor({8, 1}, random)}};
    EXPECT_TRUE(near(attend(two_sided, causal, drawn),
                     attend(R"({"type": "forgetting"})", causal, {{"W_f", drawn.at("W_f")}}), exact));
    // With the same gates for both it is the rule that has one kind.
    EXPECT_TRUE(near(attend(two_sided, "", {{"W_f", drawn.at("W_f")}, {"W_f_behind", drawn.at("W_f")}}),
                     attend(R"({"type": "forgetting"})", "", {{"W_f", drawn.at("W_f")}}), exact));
}

// Gates that are alike for all pairs are a slope: ln 2 for every token before the query.
TEST_F(Positions, GatesOfPairsThatAreAllHalfAreAlibi) {
    EXPECT_TRUE(
        near(attend(R"({"type": "pair_forgetting"})", causal,
                    {{"W_gate_query", Tensor({8, 8})}, {"W_gate_key", random_tensor({8, 8}, random)}}),
             attend(R"({"type": "alibi", "slope": 0.6931471805599453})", causal), exact));
}

TEST_F(Positions, Invariant11_ProductsOfSinusoidsDependOnTheDistance) {
    const Tensor term = sinusoidal_positions(12, 16);
    const Tensor gram = product(term, transposed(term));
    for (Index i = 0; i < 12; ++i) {
        EXPECT_NEAR(gram(i, i), 8, exact);
        for (Index j = 0; i > 0 && j > 0 && j < 12; ++j)
            EXPECT_NEAR(gram(i, j), gram(i - 1, j - 1), exact);
    }
}

/// Music Transformer's and Transformer-XL's shift: a column of zeros in front, read as if the rows were one
/// element longer, the first row dropped. What it leaves above the diagonal is garbage.
Tensor shifted(const Tensor& products) {
    const Index n = products.rows();
    std::vector<double> padded;
    for (Index i = 0; i < n; ++i) {
        padded.push_back(0);
        padded.insert(padded.end(), products.row(i).begin(), products.row(i).end());
    }
    return Tensor({n, n}, {padded.begin() + n, padded.end()});
}

TEST_F(Positions, Invariant12_RelativeShiftIsTheExplicitForm) {
    const auto plan = planned(with_position(R"({"type": "transformer_xl"})", causal), inputs);
    const auto terms = stage(record(plan), "content_position_scores");
    // q . R for the distances n - 1 ... 0, without looking at which key has which.
    Tensor distances({7, 8});
    const Tensor sinusoids = sinusoidal_positions(7, 8);
    for (Index i = 0; i < 7; ++i)
        std::ranges::copy(sinusoids.row(6 - i), distances.row(i).begin());
    const Tensor products =
        shifted(product(inputs.query, transposed(product(distances, plan->parameter("W_r")))));
    for (Index i = 0; i < 7; ++i)
        for (Index j = 0; j <= i; ++j)
            EXPECT_NEAR(products(i, j), terms[static_cast<std::size_t>(i * 7 + j)], exact) << i << ", " << j;
}

// With the vector of the distance added to each key and value before anything is computed.
TEST_F(Positions, Invariant12_BothFormsOfShawAreOne) {
    const auto plan = planned(with_position(R"({"type": "shaw", "distance": 2})"), inputs);
    const Numbers together = run(plan);
    for (Index query = 0; query < 7; ++query) {
        Inputs own;
        own.query = rows_of(inputs.query, {query});
        own.key = own.value = inputs.query;
        for (Index key = 0; key < 7; ++key)
            for (Index c = 0; c < 8; ++c) {
                const Index row = std::clamp<Index>(key - query, -2, 2) + 2;
                (*own.key)(key, c) += plan->parameter("a_K")(row, c);
                (*own.value)(key, c) += plan->parameter("a_V")(row, c);
            }
        const Numbers alone = run(spec(R"({"source": {"type": "cross"}})"), own);
        const auto at = static_cast<std::size_t>(query);
        EXPECT_TRUE(near(alone.weights, std::span(together.weights).subspan(at * 7, 7), exact));
        EXPECT_TRUE(near(alone.output, std::span(together.output).subspan(at * 8, 8), exact));
    }
}

TEST_F(Positions, Invariant31_PathWithoutReflectionsHasNoPositions) {
    EXPECT_TRUE(near(attend(R"({"type": "path", "strength": 0})", causal),
                     attend(R"({"type": "none"})", causal), exact));
    EXPECT_FALSE(near(attend(R"({"type": "path"})", causal), attend(R"({"type": "none"})", causal), 1e-3));
}

TEST_F(Positions, EqualFactorsOfAllPairsAreOneFactor) {
    EXPECT_TRUE(
        near(attend(R"({"type": "rope", "scaling": "longrope", "factor": 1, "pair_factors": [400]})", causal),
             attend(R"({"type": "rope", "scaling": "linear", "factor": 4})", causal), exact));
    // √(1 + ln s / ln L) on both sides of a product: 2 for s = L.
    const auto scores = [&](const std::string& position) {
        return stage(record(planned(with_position(position), inputs)), "scores");
    };
    const auto longer = scores(R"({"type": "rope", "scaling": "longrope", "factor": 16, "original_length": 16,
                                   "pair_factors": [100]})"),
               plain = scores(R"({"type": "rope"})");
    for (std::size_t i = 0; i < plain.size(); ++i)
        EXPECT_NEAR(longer[i], 2 * plain[i], exact);
    EXPECT_THROW(
        planned(with_position(R"({"type": "rope", "scaling": "longrope", "original_length": 1})"), inputs),
        Error);
}

TEST_F(Positions, TokensOfASegmentShareAVector) {
    Inputs given = inputs;
    given.parameters = {{"E_pos", Tensor({7, 8})}, {"E_segment", random_tensor({3, 8}, random)}};
    const auto term = stage(
        record(planned(with_position(R"({"type": "learned", "segments": [3, 2]})"), given)), "position");
    for (std::size_t token = 0; token < 7; ++token)
        for (std::size_t c = 0; c < 8; ++c)
            EXPECT_EQ(term[token * 8 + c], given.parameters.at("E_segment")(token < 3   ? 0
                                                                            : token < 5 ? 1
                                                                                        : 2,
                                                                            static_cast<Index>(c)));
}

// Tokens in front of a text that nobody may look at move it along by three places.
TEST_F(Positions, ShiftingAllPlacesChangesNothingForRelativePositions) {
    const std::vector<std::pair<std::string, bool>> relative{
        {R"({"type": "rope"})", true},
        {R"({"type": "rope", "layout": "interleaved", "dimensions": 4})", true},
        {R"({"type": "rope", "scaling": "yarn", "factor": 4, "original_length": 64})", true},
        {R"({"type": "rope", "scaling": "longrope", "factor": 4, "original_length": 64})", true},
        {R"({"type": "xpos"})", true},
        {R"({"type": "shaw", "distance": 2})", true},
        {R"({"type": "t5"})", true},
        {R"({"type": "t5", "gate": true})", true},
        {R"({"type": "alibi"})", true},
        {R"({"type": "alibi", "form": "absolute"})", true},
        {R"({"type": "transformer_xl"})", true},
        {R"({"type": "deberta", "distance": 2})", true},
        {R"({"type": "cope"})", true},
        {R"({"type": "forgetting"})", true},
        {R"({"type": "forgetting", "two_sided": true})", true},
        {R"({"type": "pair_forgetting"})", true},
        {R"({"type": "path"})", true},
        {R"({"type": "kerple"})", true},
        {R"({"type": "sandwich"})", true},
        {R"({"type": "fire"})", true},
        {R"({"type": "distance_curves", "reach": 2})", true},
        {R"({"type": "grid_rope", "columns": 3})", true},  // by a whole row
        {R"({"type": "grid_bias", "columns": 3})", true},
        {R"({"type": "dynamic_bias"})", true},
        {R"({"type": "pope"})", true},
        {R"({"type": "wall"})", true},
        {R"({"type": "decomposed", "columns": 3})", true},
        {R"({"type": "page", "columns": 3})", true},
        {R"({"type": "rotary_values"})", true},
        {R"({"type": "self_extend", "window": 2, "group": 3})", true},  // by a whole group
        {R"({"type": "dual_chunk", "chunk": 3, "window": 2})", true},   // by a whole chunk
        {R"({"type": "graphormer"})", true},
        {R"({"type": "temperature_tuning", "length": 2, "growth": 1})", false},
        {R"({"type": "fope"})", false},  // a series is no rotation
        {R"({"type": "sinusoidal"})", false},
        {R"({"type": "learned"})", false},
    };
    constexpr Index front = 3;
    const Tensor more = stacked(random_tensor({front, 8}, random), inputs.query);
    std::vector<std::vector<bool>> allowed(10, std::vector<bool>(10));
    for (std::size_t i = front; i < 10; ++i)
        for (std::size_t j = front; j <= i; ++j)
            allowed[i][j] = true;
    for (const auto& [position, is_relative] : relative) {
        AttentionSpec moved = with_position(position);
        moved.mask.rule = MatrixMask{allowed};
        Inputs with_front{.query = more};
        const auto plan = planned(moved, with_front);
        Inputs here = inputs;
        here.parameters = plan->inputs.parameters;
        if (here.parameters.contains("E_pos"))
            here.parameters["E_pos"] = rows_of(here.parameters["E_pos"], {0, 1, 2, 3, 4, 5, 6});
        const Numbers expected = run(with_position(position, causal), here);
        const Numbers numbers = run(plan);
        const auto rest = std::span(numbers.output).subspan(front * 8);
        EXPECT_EQ(bool(near(rest, expected.output, 1e-9)), is_relative) << position;
    }
}

// Series of the frequency that each pair begins with are rotations, where none is too slow.
TEST_F(Positions, SeriesOfOneFrequencyAreRotary) {
    const Tensor nothing({4, 4});
    EXPECT_TRUE(near(attend(R"({"type": "fope", "slow": "still", "original_length": 1048576})", causal,
                            {{"fope_cosines", nothing}, {"fope_sines", nothing}}),
                     attend(R"({"type": "rope"})", causal), exact));
    // Two pairs of the eight features begin with the first and the third frequency of four.
    const auto cosines = [&](const std::string& length) {
        const AttentionSpec series = with_position(R"({"type": "fope", "original_length": )" + length + "}");
        Inputs given = inputs;
        const auto drawn = planned(series, inputs);
        for (const ParameterInfo& parameter : drawn->parameters)
            given.parameters[parameter.name] = Tensor(parameter.shape);
        return stage(record(planned(series, given)), "query_cosines");
    };
    const auto all = cosines("1048576"), fast = cosines("100");
    for (std::size_t place = 0; place < 7; ++place) {
        const auto p = static_cast<double>(place);
        EXPECT_NEAR(all[place * 8], std::cos(p), exact);
        EXPECT_NEAR(all[place * 8 + 1], std::cos(p / 100), exact);
        EXPECT_NEAR(fast[place * 8 + 1], std::cos(p / 10), exact) << "the third one is left out";
        for (std::size_t pair = 2; pair < 4; ++pair)
            EXPECT_EQ(all[place * 8 + pair], 1) << "no series";
    }
}

// 2 + a (b c - 1) with a = 1 and b = 0, and with a = 0; c is 1 at first.
TEST_F(Positions, AGateOfBiasesTakesThemOnceOrTwice) {
    const Tensor table = random_tensor({32, 1}, random);
    Tensor twice = table;
    for (double& number : twice.values())
        number *= 2;
    for (const auto& [a, biases] : {std::pair(1000.0, table), std::pair(-1000.0, twice)})
        EXPECT_TRUE(near(attend(R"({"type": "t5", "gate": true})", causal,
                                {{"relative_bias", table},
                                 {"W_bias_gate", Tensor({8, 2})},
                                 {"b_bias_gate", Tensor({2}, std::vector<double>{a, -1000})}}),
                         attend(R"({"type": "t5"})", causal, {{"relative_bias", biases}}), exact))
            << a;
}

TEST_F(Positions, AGateOfBiasesNeedsFeaturesThatHeadsDivide) {
    Inputs six{.query = random_tensor({3, 6}, random)};
    for (const char* matrix : {"W_q", "W_k", "W_v"})
        six.parameters[matrix] = Tensor({6, 8});
    const std::string rest =
        R"(, "projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 4})";
    EXPECT_NO_THROW(planned(with_position(R"({"type": "t5"})", rest), six));
    expect_refusal([&] { planned(with_position(R"({"type": "t5", "gate": true})", rest), six); },
                   {"position.gate", "6 features for 4 heads"});
}

// The setting of each at which it says nothing.
TEST_F(Positions, WithNothingToSayTheyChangeNothing) {
    const Numbers none = attend(R"({"type": "none"})", causal);
    const std::vector<std::pair<std::string, std::map<std::string, Tensor>>> silent{
        {R"({"type": "learned"})", {{"E_pos", Tensor({7, 8})}}},
        {R"({"type": "shaw", "distance": 2})", {{"a_K", Tensor({5, 8})}, {"a_V", Tensor({5, 8})}}},
        {R"({"type": "shaw", "distance": 2, "values": false})", {{"a_K", Tensor({5, 8})}}},
        {R"({"type": "t5"})", {{"relative_bias", Tensor({32, 1}, 3.5)}}},
        {R"({"type": "t5", "gate": true})", {{"relative_bias", Tensor({32, 1}, 3.5)}}},
        {R"({"type": "transformer_xl"})", {{"W_r", Tensor({8, 8})}, {"u_content", Tensor({1, 8})}}},
        {R"({"type": "cope"})", {{"e_p", Tensor({8, 16})}}},
        {R"({"type": "forgetting"})", {{"W_f", Tensor({8, 1})}, {"b_f", Tensor({1}, 100.0)}}},
        {R"({"type": "forgetting", "two_sided": true})",
         {{"W_f", Tensor({8, 1})}, {"b_f", Tensor({1}, 100.0)}, {"W_f_behind", Tensor({8, 1}, 7.0)}}},
        {R"({"type": "kerple", "r_1": 0})", {{"r_1", Tensor({1})}}},
        {R"({"type": "fire"})", {{"W_fire_2", Tensor({32, 1})}, {"b_fire_2", Tensor({1}, -2.0)}}},
        {R"({"type": "distance_curves"})", {{"curves", Tensor({4, 16})}}},
        {R"({"type": "grid_bias"})", {{"grid_table", Tensor({49, 1}, 3.5)}}},
        {R"({"type": "grid_bias", "form": "continuous"})", {{"W_grid_2", Tensor({32, 1})}}},
        {R"({"type": "grid_bias", "form": "released"})", {{"W_grid_2", Tensor({32, 1})}}},
        {R"({"type": "dynamic_bias"})",
         {{"W_offset_out", Tensor({16, 1})}, {"b_offset_out", Tensor({1}, -2.0)}}},
        {R"({"type": "wall"})", {{"W_wall", Tensor({8, 8})}, {"b_wall", Tensor({8}, 100.0)}}},
        {R"({"type": "decomposed"})", {{"R_h", Tensor({7, 8})}, {"R_w", Tensor({7, 8})}}},
        {R"({"type": "page"})",
         {{"line_table", Tensor({32, 1}, 3.5)},
          {"x_table", Tensor({64, 1}, -1.5)},
          {"y_table", Tensor({64, 1}, 7.0)}}},
        {R"({"type": "graphormer"})", {{"spatial_bias", Tensor({6, 1}, 3.5)}}},
        {R"({"type": "temperature_tuning"})", {}},
        {R"({"type": "convolutional"})", {{"K_place", Tensor({3, 8})}, {"b_place", Tensor({8})}}},
        {R"({"type": "learned", "segments": [2]})",
         {{"E_pos", Tensor({7, 8})}, {"E_segment", Tensor({2, 8})}}},
    };
    for (const auto& [position, parameters] : silent)
        EXPECT_TRUE(near(attend(position, causal, parameters), none, exact)) << position;
    // The terms that are left out of DeBERTa leave its scale.
    EXPECT_TRUE(
        near(attend(R"({"type": "deberta"})", causal, {{"P_relative", Tensor({8, 8})}}),
             attend(R"({"type": "none"})",
                    causal + R"(, "normalizer": {"type": "softmax", "temperature": 1.7320508075688772})"),
             exact));
}

// With every gate open the place of a key is its distance plus one.
TEST_F(Positions, CountsOfContextualPositionsAreDistancesWithOpenGates) {
    Inputs alike{.query = Tensor({5, 4}, 10.0)};
    const auto counts =
        stage(record(planned(with_position(R"({"type": "cope"})", causal), alike)), "counted_positions");
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            EXPECT_NEAR(counts[i * 5 + j], double(i - j + 1), exact);
}

TEST_F(Positions, DistanceCurvesAreMixedByTheQuery) {
    const auto plan = planned(with_position(R"({"type": "distance_curves", "reach": 3})"), inputs);
    const Tensor shares = product(inputs.query, plan->parameter("W_curves"));
    const Tensor curves = product(shares, plan->parameter("curves"));  // of each query, from its place back
    const auto bias = stage(record(plan), "position_bias");
    for (Index query = 0; query < 7; ++query)
        for (Index key = 0; key < 7; ++key)
            EXPECT_NEAR(bias[static_cast<std::size_t>(query * 7 + key)],
                        key <= query && query - key < 3 ? curves(query, query - key) : 0, exact);
}

TEST_F(Positions, DistanceCurvesOfEqualTokensAreMovedAlong) {
    const Inputs alike{.query = rows_of(inputs.query, {2, 2, 2, 2, 2, 2})};
    const auto bias = stage(
        record(planned(with_position(R"({"type": "distance_curves", "reach": 3})"), alike)), "position_bias");
    for (std::size_t query = 1; query < 6; ++query)
        for (std::size_t key = 1; key < 6; ++key)
            EXPECT_NEAR(bias[query * 6 + key], bias[(query - 1) * 6 + key - 1], exact);
    EXPECT_EQ(bias[1], 0) << "a key after the query has none";
    EXPECT_NE(bias[6], 0);
}

TEST_F(Positions, TheFourTermsOfTransformerXlAddUpToTheScores) {
    const Trace run = trace(R"({"type": "transformer_xl"})");
    auto sum = stage(run, "content_scores");
    for (const char* term : {"content_position_scores", "global_content_scores", "global_position_scores"}) {
        const auto numbers = stage(run, term);
        for (std::size_t cell = 0; cell < sum.size(); ++cell)
            sum[cell] += numbers[cell];
    }
    EXPECT_TRUE(near(stage(run, "scores"), sum, exact));
}

}  // namespace

}  // namespace headlight::invariants_positions_test
