// Image gates and non-local blocks against numbers that PyTorch computed
// (tests/support/pytorch/image_gates.py).

#include "core/catalog/oracle.h"
#include "tests/support/attention_runs.h"

using namespace headlight;
using namespace headlight::test;

namespace {

const Json& golden() {
    static const Json file = read_json(HEADLIGHT_SOURCE_DIR "/tests/support/pytorch/image_gates.json");
    return file;
}

class PyTorchImages : public testing::TestWithParam<std::size_t> {};

TEST_P(PyTorchImages, GiveTheSameNumbers) {
    const Json& row = golden()["cases"][GetParam()];
    Inputs inputs;
    inputs.query = tensor(row["inputs"]["query"]);
    for (const auto& [name, numbers] : row["parameters"].items())
        inputs.parameters[name] = tensor(numbers);

    const auto plan = planned(spec_from_json(row["spec"]), inputs);
    const Numbers expected{flat(row["weights"]), flat(row["output"])};
    EXPECT_TRUE(near(run<double>(plan), expected, 1e-8)) << "double";
    EXPECT_TRUE(near(run<float>(plan), expected, 1e-5)) << "float";
    const OracleResult oracle = scalar_oracle(plan->spec, plan->inputs, plan->seed);
    EXPECT_TRUE(near({oracle.weights, oracle.output}, expected, 1e-8)) << "oracle";
}

INSTANTIATE_TEST_SUITE_P(Golden, PyTorchImages, testing::Range(std::size_t(0), golden()["cases"].size()),
                         [](const auto& row) {
                             return golden()["cases"][row.param]["name"].template get<std::string>();
                         });

}  // namespace
