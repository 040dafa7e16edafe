// What a retention says of the gates between a key and a query; that it says something of every cell, as all
// that computes does, is in explain_settings_test.cpp.

#include "core/attention/explain.h"
#include "tests/support/attention_runs.h"

namespace headlight::explain_recurrent_test {

using namespace test;

namespace {

TEST(ExplainedRetention, SaysWhichGatesAreBetween) {
    RandomEngine random(4);
    const auto plan =
        planned(spec(R"({"algorithm": {"type": "retention", "gamma": 0.5}, "mask": {"type": "causal"}})"),
                {.query = random_tensor({5, 4}, random)});
    const Trace trace = record(plan);
    EXPECT_EQ(explain_cell(*plan, trace, "decay_mask", 0, 3, 1).back().expression, "0.5 × 0.5");
    EXPECT_EQ(explain_cell(*plan, trace, "decay_mask", 0, 3, 3).back().expression,
              "1: no key comes after this one");
    EXPECT_EQ(explain_cell(*plan, trace, "weights", 0, 1, 2).back().expression,
              "similarities × decay mask = 0 × 0");
}

}  // namespace

}  // namespace headlight::explain_recurrent_test
