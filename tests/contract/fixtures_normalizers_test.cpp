// The cases of the reference numbers that are about normalisers (see fixtures_test.cpp).

#include "tests/contract/fixture_row.h"

namespace headlight::fixtures_normalizers_test {

using namespace test;

namespace {

Row derived(const std::string& name, const std::string& fixture, const std::string& normalizer,
            const std::string& more = "", std::map<std::string, Operand> parameters = {}) {
    std::map<std::string, Operand> operands{
        {"query", at("/canon/Q")}, {"key", at("/canon/K")}, {"value", at("/canon/V")}};
    operands.merge(parameters);
    return {name,
            fixture,
            R"({"source": {"type": "cross"}, "score": {"type": "scaled_dot"}, "normalizer": )" + normalizer +
                more + "}",
            operands,
            {{"weights", "/case/A"}, {"output", "/case/O"}}};
}

std::vector<Row> derived_rows() {
    const std::string causal = R"(, "mask": {"type": "causal"})";
    return {
        derived("softmax_off_by_one", "softmax_off_by_one", R"({"type": "off_by_one"})"),
        derived("sink_logit_1", "sink_logit_1", R"({"type": "sink", "logit": 1})"),
        derived("sink_logit_1_as_parameter", "sink_logit_1", R"({"type": "sink"})", "",
                {{"b_sink", literal("[1]")}}),
        derived("sparsemax", "sparsemax", R"({"type": "sparsemax"})"),
        derived("sparsemax_as_entmax", "sparsemax", R"({"type": "entmax", "alpha": 2})"),
        derived("sparsemax_as_budget", "sparsemax", R"({"type": "budget", "budget": 1})"),
        derived("entmax15", "entmax15", R"({"type": "entmax"})"),
        derived("entmax1_25", "entmax1.25", R"({"type": "entmax", "alpha": 1.25})"),
        derived("sigmoid", "sigmoid_b_minus_ln_n", R"({"type": "sigmoid"})"),
        derived("relu_over_n", "relu_over_n", R"({"type": "relu"})"),
        derived("softpick", "softpick", R"({"type": "softpick"})"),
        derived("ssmax", "ssmax_s0.43", R"({"type": "length_scaled", "strength": 0.43})"),
        derived("ssmax_as_parameter", "ssmax_s0.43", R"({"type": "length_scaled", "strength": 0})", "",
                {{"s_length", literal("[0.43]")}}),
        derived("sinkhorn", "sinkhorn_500", R"({"type": "sinkhorn", "iterations": 500})"),
        derived("stick_breaking", "stick_breaking_strict", R"({"type": "stick_breaking", "own_key": false})",
                causal),
        derived("monotonic", "monotonic_expected", R"({"type": "monotonic"})"),
        derived("monotonic_as_chunks_of_one", "monotonic_expected", R"({"type": "chunkwise", "width": 1})"),
        derived("cog", "cog_signed_causal", R"({"type": "signed_softmax"})", causal),
    };
}

/// A query of 1 against keys that are the scores themselves.
Row readme(const std::string& name, const std::string& normalizer, const std::string& scores,
           const std::string& expected) {
    return {name,
            "entmax_readme",
            R"({"source": {"type": "cross"}, "score": {"type": "dot"}, "normalizer": )" + normalizer + "}",
            {{"query", filled({1, 1}, 1)}, {"key", column_at(scores)}},
            {{"weights", expected, 0}}};
}

std::vector<Row> published_rows() {
    const std::string x = "/inputs/x";
    return {
        readme("softmax", R"({"type": "softmax"})", x, "/expected/softmax"),
        readme("sparsemax", R"({"type": "sparsemax"})", x, "/expected/sparsemax"),
        readme("entmax15", R"({"type": "entmax"})", x, "/expected/entmax15"),
        readme("normmax", R"({"type": "normmax"})", x, "/expected/normmax_alpha2"),
        readme("budget2", R"({"type": "budget"})", x, "/expected/budget2"),
        readme("entmax_1_33_first_row", R"({"type": "entmax", "alpha": 1.33})",
               "/expected/entmax_1_33_rows/x/0", "/expected/entmax_1_33_rows/p/0"),
        readme("entmax_1_33_second_row", R"({"type": "entmax", "alpha": 1.33})",
               "/expected/entmax_1_33_rows/x/1", "/expected/entmax_1_33_rows/p/1"),
        readme("budget", R"({"type": "budget"})", "/expected/budget/x", "/expected/budget/p"),
    };
}

class DerivedNormalizer : public testing::TestWithParam<Row> {};
class PublishedNormalizer : public testing::TestWithParam<Row> {};

TEST_P(DerivedNormalizer, IsMet) { check_derived(GetParam()); }
TEST_P(PublishedNormalizer, IsMet) { check_published(GetParam()); }

const auto row_name = [](const auto& row) { return row.param.name; };
INSTANTIATE_TEST_SUITE_P(Fixtures, DerivedNormalizer, testing::ValuesIn(derived_rows()), row_name);
INSTANTIATE_TEST_SUITE_P(Fixtures, PublishedNormalizer, testing::ValuesIn(published_rows()), row_name);

}  // namespace

}  // namespace headlight::fixtures_normalizers_test
