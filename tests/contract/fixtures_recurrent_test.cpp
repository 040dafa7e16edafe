// The derived matrices of the linear, recurrent and low-rank families, each through its own algorithm.

#include "tests/contract/fixture_row.h"

#include <cmath>

namespace headlight::fixtures_recurrent_test {

using namespace test;

namespace {

constexpr Index tokens = 6, width = 4;

Operand mapped(const std::string& pointer, double (*function)(double)) {
    return [=](const Json& fixture) {
        Tensor numbers = at(pointer)(fixture);
        std::ranges::transform(numbers.values(), numbers.values().begin(), function);
        return numbers;
    };
}

// What a parameter must be for a gate to have the number of the case. A gate that is open is open to within
// rounding.
constexpr double as_good_as_infinite = 60;
double before_sigmoid(double x) { return std::log(x / (1 - x)); }
double before_root_of_sigmoid(double log_gate) {
    return log_gate == 0 ? as_good_as_infinite : before_sigmoid(std::exp(16 * log_gate));
}
double before_softplus(double log_gate) {
    return log_gate == 0 ? -as_good_as_infinite : std::log(std::expm1(-log_gate));
}

/// Every key's token vector is its key, followed by which token it is: so a matrix can give each token the
/// gate that the case has.
std::map<std::string, Operand> numbered_keys(const std::map<std::string, Operand>& by_token) {
    std::map<std::string, Operand> operands{{"query", at("/canon/Q")},
                                            {"key", beside(at("/canon/K"), unit(tokens))},
                                            {"value", at("/canon/V")},
                                            {"W_q", unit(width)},
                                            {"W_k",
                                             [](const Json&) {
                                                 return stacked(identity(width), Tensor({tokens, width}));
                                             }},
                                            {"W_v", unit(width)}};
    for (const auto& [name, rows] : by_token)
        operands[name] = [rows = rows](const Json& fixture) {
            const Tensor of_tokens = rows(fixture);
            return stacked(Tensor({width, of_tokens.cols()}), of_tokens);
        };
    return operands;
}

Operand write_strengths() {
    return [](const Json& fixture) {
        return transposed(as_matrix(mapped("/case/beta", before_sigmoid)(fixture)));
    };
}

std::vector<Row> rows() {
    const std::map<std::string, Operand> canon{
        {"query", at("/canon/Q")}, {"key", at("/canon/K")}, {"value", at("/canon/V")}};
    const std::vector<Check> checks{{"weights", "/case/A"}, {"output", "/case/O"}};
    const auto algorithm = [](const std::string& json, bool is_causal, bool is_projected = false) {
        return R"({"source": {"type": "cross"}, "algorithm": )" + json +
               (is_causal ? R"(, "mask": {"type": "causal"})" : "") +
               (is_projected ? R"(, "projections": {"type": "learned"}})" : "}");
    };
    std::vector<Row> list;
    const auto plain = [&](const std::string& id, const std::string& json, bool is_causal) {
        list.push_back({id, id, algorithm(json, is_causal), canon, checks});
    };
    plain("linear_elu1", R"({"type": "linear"})", false);
    plain("linear_elu1_causal", R"({"type": "linear"})", true);
    plain("based_taylor2_causal", R"({"type": "based"})", true);
    plain("rebased_sq_causal", R"({"type": "rebased"})", true);
    list.back().oracle_within = 1e-10;  // features of products cancel where a query is nearly orthogonal
    plain("cosformer_m6", R"({"type": "cosformer", "length": 6})", false);
    plain("retention_h0", R"({"type": "retention"})", true);
    plain("linformer_mean_k3", R"({"type": "linformer", "rank": 3, "pooling": "mean"})", false);
    plain("nystrom_m3", R"({"type": "nystrom", "landmarks": 3, "iterations": 40})", false);
    list.push_back({"gla", "gla", algorithm(R"({"type": "gated_linear"})", true, true),
                    numbered_keys({{"W_alpha", mapped("/case/gk", before_root_of_sigmoid)}}), checks});
    list.push_back({"deltanet", "deltanet", algorithm(R"({"type": "delta"})", true, true),
                    numbered_keys({{"W_beta", write_strengths()}}), checks});
    list.push_back(
        {"gated_deltanet", "gated_deltanet_g-0.2", algorithm(R"({"type": "gated_delta"})", true, true),
         numbered_keys({{"W_beta", write_strengths()}, {"W_dt", filled({tokens, 1}, before_softplus(-0.2))}}),
         checks});
    list.push_back(
        {"kda", "kda", algorithm(R"({"type": "kimi_delta"})", true, true),
         numbered_keys({{"W_beta", write_strengths()}, {"W_alpha", mapped("/case/gk", before_softplus)}}),
         checks});
    return list;
}

class DerivedMixer : public testing::TestWithParam<Row> {};

TEST_P(DerivedMixer, GivesItsNumbers) { check_derived(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Fixtures, DerivedMixer, testing::ValuesIn(rows()),
                         [](const auto& row) { return row.param.name; });

TEST(DerivedMixer, RetentionHasItsDecays) {
    if (shared_folder().empty())
        GTEST_SKIP() << "HEADLIGHT_SHARED is not set";
    Inputs inputs;
    inputs.query = Tensor({2, 8}, 1.0);
    const Trace trace =
        record(planned(spec(R"({"algorithm": {"type": "retention"}, "mask": {"type": "causal"},
                                                "heads": {"type": "multi", "heads": 8}})"),
                       inputs));
    const auto mask = stage(trace, "decay_mask");
    std::vector<double> decays;
    for (std::size_t head = 0; head < 8; ++head)
        decays.push_back(mask[head * 4 + 2]);  // query 1, key 0
    EXPECT_TRUE(within(decays, flat(fixtures()["derived"]["retention_gammas_8"]), 1e-12));
}

}  // namespace

}  // namespace headlight::fixtures_recurrent_test
