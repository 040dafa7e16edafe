// Examples that people have in print before them, to the last printed digit. Each names its source in the
// data file.

#include "tests/oracle/oracle.h"
#include "tests/support/attention_runs.h"

namespace headlight::published_test {

using namespace test;

namespace {

const Json& examples() {
    static const Json file = read_json(HEADLIGHT_SOURCE_DIR "/tests/support/published/examples.json");
    return file;
}

class PublishedExample : public testing::TestWithParam<std::size_t> {};

TEST_P(PublishedExample, PrintsTheSameDigits) {
    const Json& row = examples()[GetParam()];
    const auto plan = planned(spec_from_json(row["spec"]), golden_inputs(row));
    const Trace trace = record(plan);
    for (const Json& each : row["expected"]) {
        Expectation expected{each["stage"], {}, flat(each["numbers"]), each["tolerance"]};
        if (each.contains("row"))
            expected.row = each["row"].get<Index>();
        EXPECT_TRUE(meets(trace, expected)) << row["source"];
    }
    const OracleResult oracle = scalar_oracle(plan->spec, plan->inputs, plan->seed);
    EXPECT_TRUE(near({oracle.weights, oracle.output}, run(plan), 1e-12)) << "oracle";
}

INSTANTIATE_TEST_SUITE_P(Example, PublishedExample, testing::Range(std::size_t(0), examples().size()),
                         [](const auto& row) {
                             return examples()[row.param]["name"].template get<std::string>();
                         });

}  // namespace

}  // namespace headlight::published_test
