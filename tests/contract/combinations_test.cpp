// Every combination of the spec's components runs, equals the scalar oracle and is not changed by being
// traced.

#include "tests/oracle/oracle.h"
#include "tests/support/attention_runs.h"

namespace headlight::combinations_test {

using namespace test;

namespace {

const std::vector<std::string> scores{
    R"({"type": "dot"})",
    R"({"type": "scaled_dot"})",
    R"({"type": "learned_scale"})",
    R"({"type": "general"})",
    R"({"type": "concat", "activation": "relu", "attention_dimension": 3})",
    R"({"type": "concat", "activation": "sigmoid", "bias": true})",
    R"({"type": "additive", "activation": "tanh"})",
    R"({"type": "additive", "activation": "identity", "bias": true, "attention_dimension": 5})",
    R"({"type": "self_similarity"})",
};

const std::vector<std::string> projections{
    R"({"type": "none"})",
    R"({"type": "identity"})",
    R"({"type": "learned"})",
    R"({"type": "learned", "bias": true, "dimension": 6})",
};

/// For 4 queries; the matrix has 5 columns for cross attention and 4 for self attention.
std::vector<std::string> masks(bool cross) {
    const std::string matrix = cross ? "[[0,1,1,0,0],[0,0,0,0,0],[1,0,0,1,0],[1,1,1,1,0]]"
                                     : "[[0,1,1,0],[0,0,0,0],[1,0,0,1],[1,1,1,1]]";
    return {
        R"({"type": "none"})",
        R"({"type": "causal"})",
        R"({"type": "causal", "align": "bottom_right"})",
        R"({"type": "padding", "key_lengths": 3})",
        R"({"type": "matrix", "allowed": )" + matrix + "}",
        R"({"all": [{"type": "causal"}, {"type": "padding", "key_lengths": 2}]})",
        R"({"any": [{"type": "padding", "key_lengths": 1}, {"not": {"type": "causal"}}]})",
    };
}

const std::vector<std::string> normalizers{
    R"({"type": "softmax"})",
    R"({"type": "softmax", "temperature": 0.5})",
    R"({"type": "hard", "mode": "argmax"})",
    R"({"type": "hard", "mode": "sample", "temperature": 2, "draws": 3})",
};

const std::vector<std::string> mask_terms{
    R"("mask_order": "after_scale")",
    R"("mask_order": "before_scale")",
    R"("mask_order": "after_scale", "mask_value": -1.5)",
    R"("mask_order": "before_scale", "mask_value": -1.5)",
};

const std::vector<std::string> heads{R"({"type": "single"})", R"({"type": "multi", "heads": 2})"};

Inputs inputs_of(bool cross) {
    RandomEngine random(11);
    Inputs inputs;
    inputs.query = random_tensor({4, 4}, random);
    if (cross) {
        inputs.key = random_tensor({5, 4}, random);
        inputs.value = random_tensor({5, 6}, random);
    }
    inputs.parameters["g"] = Tensor({1}, 1.7);  // its default 1 would hide where it multiplies
    return inputs;
}

void try_every_rest(const std::string& score, const std::string& projection, bool cross) {
    const Inputs inputs = inputs_of(cross);
    for (const std::string& mask : masks(cross))
        for (const std::string& mask_term : mask_terms)
            for (const std::string& normalizer : normalizers)
                for (const std::string& head : heads)
                    for (const std::string position : {"none", "sinusoidal"}) {
                        const std::string text =
                            R"({"source": {"type": ")" + std::string(cross ? "cross" : "self") +
                            R"("}, "projections": )" + projection + R"(, "score": )" + score +
                            R"(, "position": {"type": ")" + position + R"("}, "mask": )" + mask + ", " +
                            mask_term + R"(, "normalizer": )" + normalizer + R"(, "heads": )" + head + "}";
                        SCOPED_TRACE(text);
                        const auto plan = planned(spec(text), inputs, 5);
                        const OracleResult oracle = scalar_oracle(plan->spec, plan->inputs, plan->seed);
                        const Numbers numbers = run(plan);
                        ASSERT_TRUE(near(numbers, {oracle.weights, oracle.output}, 1e-12));
                        const Trace trace = record(plan);
                        ASSERT_EQ(stage(trace, "weights"), numbers.weights);
                        ASSERT_EQ(stage(trace, "output"), numbers.output);
                    }
}

class Combination : public testing::TestWithParam<std::tuple<std::string, std::string, bool>> {};

TEST_P(Combination, RunsAndEqualsTheOracle) {
    const auto& [score, projection, cross] = GetParam();
    try_every_rest(score, projection, cross);
}

INSTANTIATE_TEST_SUITE_P(Components, Combination,
                         testing::Combine(testing::ValuesIn(scores), testing::ValuesIn(projections),
                                          testing::Bool()));

}  // namespace

}  // namespace headlight::combinations_test
