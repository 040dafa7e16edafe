// Every cell of every stage of the linear, recurrent and low-rank mixers has its arithmetic, and where that
// is a product of shown numbers it gives the cell's.

#include "core/attention/explain.h"
#include "tests/support/attention_runs.h"

namespace headlight::explain_recurrent_test {

using namespace test;

namespace {

class ExplainedMixer : public testing::TestWithParam<const char*> {};

TEST_P(ExplainedMixer, SaysSomethingOfEveryCell) {
    RandomEngine random(4);
    const std::string type = GetParam();
    const bool is_of_all_tokens = type == "linformer" || type == "nystrom" || type == "inducing_points" ||
                                  type == "agent" || type == "cross_covariance" || type == "fastformer" ||
                                  type == "efficient_additive" || type == "separable" ||
                                  type == "lambda_layer" || type == "ufo" || type == "kernel_landmarks";
    const auto plan =
        planned(spec(R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
                                       "algorithm": {"type": ")" +
                     type + R"("})" + (is_of_all_tokens ? "}" : R"(, "mask": {"type": "causal"}})")),
                {.query = random_tensor({5, 8}, random)});
    const Trace trace = record(plan);
    for (const Stage& stage : trace.stages()) {
        const Index heads =
            stage.shape.size() > 2 && stage.axes.front() == Axis::head ? stage.shape.front() : 1;
        const Index columns = stage.shape.back(), rows = stage.size() / columns / heads;
        for (Index head = 0; head < heads; ++head)
            for (Index row = 0; row < rows; ++row)
                for (Index column = 0; column < columns; ++column) {
                    SCOPED_TRACE(stage.name);
                    const auto steps = explain_cell(*plan, trace, stage.name, head, row, column);
                    ASSERT_FALSE(steps.empty());
                    EXPECT_FALSE(steps.back().expression.empty());
                    EXPECT_EQ(steps.back().value,
                              trace.matrix(stage, head)[static_cast<std::size_t>(row * columns + column)]);
                }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Mixers, ExplainedMixer,
    testing::Values("linear", "performer", "cosformer", "based", "rebased", "power", "higher_order",
                    "efficient", "retention", "gated_linear", "state_space", "rwkv4", "delta", "gated_delta",
                    "kimi_delta", "mesa", "attention_free", "deltaformer", "lucid", "laser", "linformer",
                    "nystrom", "inducing_points", "agent", "cross_covariance", "mlstm", "rwkv6", "log_linear",
                    "hstu", "exclusive", "persistent_memory", "dynamic_convolution", "local_linear", "coda",
                    "key_value_shift", "lambda_layer", "rwkv7", "delta_product", "gated_delta_2", "comba",
                    "longhorn", "gated_slots", "cyclic_slots", "hgrn2", "rodimus", "titans", "ttt",
                    "fastformer", "efficient_additive", "separable", "infini", "momentum_delta",
                    "selective_scan", "dilated_segments", "landmark", "gau", "ufo", "kernel_landmarks",
                    "memorizing", "precond_delta", "gated_oja", "gated_kalma", "memory_mixture",
                    "fourier_features", "long_convolution", "spatial_gating", "learned_features",
                    "near_and_far", "mamba3", "mega", "hgrn"),
    [](const auto& row) { return std::string(row.param); });

TEST(ExplainedMixer, RetentionSaysWhichGatesAreBetween) {
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
