// Published and derived numbers of heads: keras' multi-head layer, differential attention.

#include "tests/reference/differential_attention.h"
#include "tests/contract/fixture_row.h"

namespace headlight::fixtures_heads2_test {

using namespace test;

namespace {

// keras, multi_head_attention_test.py, test_correctness: two heads whose matrices are the identity. Its
// output kernel [head, d, out] adds up what a head has, into the output of that head's number.
TEST(Published, KerasMultiHeadAttention) {
    Inputs inputs;
    inputs.query = tensor(Json::parse("[[1, 0], [0, 1]]"));
    inputs.key = tensor(Json::parse("[[0, 1], [1, 0]]"));
    inputs.value = tensor(Json::parse("[[1, 2], [3, 4]]"));
    for (const std::string name : {"W_q", "W_k", "W_v"})
        inputs.parameters[name] = side_by_side(identity(2), identity(2));
    inputs.parameters["W_o"] = tensor(Json::parse("[[1, 0], [1, 0], [0, 1], [0, 1]]"));
    const Numbers numbers = run(spec(R"({"source": {"type": "cross"}, "projections": {"type": "learned"},
                                         "heads": {"type": "multi", "heads": 2}})"),
                                inputs);
    EXPECT_TRUE(within(numbers.output, std::vector{5.679, 5.679, 4.32, 4.32}, 1e-3));
    EXPECT_TRUE(within(numbers.weights, std::vector{.33, .67, .67, .33, .33, .67, .67, .33}, 5e-3));
}

// The same layer with eight heads of width 8 on the identity (catalogue, section 12).
TEST(Published, KerasEightHeadsOnTheIdentity) {
    Inputs inputs{.query = identity(8)};
    Tensor eight({8, 64});
    for (Index i = 0; i < 64; ++i)
        eight(i % 8, i) = 1;
    for (const std::string name : {"W_q", "W_k", "W_v"})
        inputs.parameters[name] = eight;
    const Numbers numbers =
        run(spec(R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 8}})"), inputs);
    for (Index cell = 0; cell < Index(8) * 64; ++cell)
        EXPECT_NEAR(numbers.weights[static_cast<std::size_t>(cell)],
                    cell % 64 / 8 == cell % 8 ? .16905 : .11871, 1e-5);
}

/// lambda_q1 . lambda_k1 = log 1.1 and lambda_q2 = 0: lambda = 1.1 - 1 + 0.2 in layer 0.
Row differential_row() {
    const auto canon = [](const std::string& name) { return at("/canon/" + name); };
    return {"differential_lam0_3",
            "differential_lam0.3",
            R"({"source": {"type": "cross"}, "mask": {"type": "causal"},
                "algorithm": {"type": "differential", "norm": false}})",
            {{"query", canon("Q")},
             {"key", canon("K")},
             {"value", canon("V")},
             {"lambda_q1", literal("[0.0953101798043249, 0]")},
             {"lambda_k1", literal("[1, 0]")},
             {"lambda_q2", literal("[0, 0]")},
             {"lambda_k2", literal("[0, 0]")}},
            {{"weights", "/case/A"}, {"output", "/case/O"}}};
}

TEST(Derived, DifferentialWithLambdaThreeTenths) { check_derived(differential_row()); }

TEST(Derived, MultiHeadWithIdentityMatrices) {
    const auto canon = [](const std::string& name) { return at("/canon/" + name); };
    check_derived(
        {"mha2_identity_proj_causal",
         "mha2_identity_proj_causal",
         R"({"source": {"type": "cross"}, "projections": {"type": "learned"}, "mask": {"type": "causal"},
                       "heads": {"type": "multi", "heads": 2}})",
         {{"query", canon("Q")},
          {"key", canon("K")},
          {"value", canon("V")},
          {"W_q", unit(4)},
          {"W_k", unit(4)},
          {"W_v", unit(4)},
          {"W_o", unit(4)}},
         {{"weights", "/case/A"}, {"output", "/case/O"}}});
}

// Executions give the derived numbers of what they execute.
TEST(Derived, CacheAndTilesGiveTheNumbersOfCausalAttention) {
    const auto canon = [](const std::string& name) { return at("/canon/" + name); };
    for (const std::string algorithm :
         {R"({"type": "kv_cache"})", R"({"type": "online_softmax", "tile": 1})",
          R"({"type": "online_softmax", "tile": 4})", R"({"type": "hopfield", "steps": 1})"})
        check_derived(
            {"causal",
             "mask_causal",
             R"({"source": {"type": "cross"}, "mask": {"type": "causal"}, "algorithm": )" + algorithm + "}",
             {{"query", canon("Q")}, {"key", canon("K")}, {"value", canon("V")}},
             {{"weights", "/case/A"}, {"output", "/case/O"}}});
}

TEST(Derived, LambdaStartsHigherInDeeperLayers) {
    if (shared_folder().empty())
        GTEST_SKIP() << "HEADLIGHT_SHARED is not set";
    const std::vector<double> expected = flat(fixtures()["derived"]["lambda_init"]);
    Inputs inputs{.query = identity(4)};
    for (const std::string name : {"lambda_q1", "lambda_k1", "lambda_q2", "lambda_k2"})
        inputs.parameters[name] = Tensor({2});
    for (std::size_t layer = 0; layer < expected.size(); ++layer) {
        EXPECT_NEAR(static_cast<double>(reference::differential_lambda_init(layer)), expected[layer], 1e-11);
        const Trace trace = record(planned(
            spec(R"({"algorithm": {"type": "differential", "layer": )" + std::to_string(layer) + "}}"),
            inputs));
        EXPECT_NEAR(stage(trace, "lambda").front(), expected[layer], 1e-11);
    }
}

}  // namespace

}  // namespace headlight::fixtures_heads2_test
