// The engine and the oracle against numbers that PyTorch computed (tests/support/pytorch/generate.py).

#include "tests/oracle/oracle.h"
#include "tests/support/attention_runs.h"

namespace headlight::pytorch_test {

using namespace test;

namespace {

const Json& golden() {
    static const Json file = read_json(HEADLIGHT_SOURCE_DIR "/tests/support/pytorch/golden.json");
    return file;
}

class PyTorch : public testing::TestWithParam<std::size_t> {};

TEST_P(PyTorch, GivesTheSameNumbers) {
    const Json& row = golden()["cases"][GetParam()];
    const auto plan = planned(spec_from_json(row["spec"]), golden_inputs(row));
    const Numbers expected{flat(row["weights"]), flat(row["output"])};
    EXPECT_TRUE(near(run<double>(plan), expected, 1e-8)) << "double";
    EXPECT_TRUE(near(run<float>(plan), expected, 1e-5)) << "float";
    const OracleResult oracle = scalar_oracle(plan->spec, plan->inputs, plan->seed);
    EXPECT_TRUE(near({oracle.weights, oracle.output}, expected, 1e-8)) << "oracle";
}

INSTANTIATE_TEST_SUITE_P(Golden, PyTorch, testing::Range(std::size_t(0), golden()["cases"].size()),
                         [](const auto& row) {
                             return golden()["cases"][row.param]["name"].template get<std::string>();
                         });

}  // namespace

}  // namespace headlight::pytorch_test
