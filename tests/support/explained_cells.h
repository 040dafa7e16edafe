#pragma once

// What the tests of explanations share: a run that is recorded, and every cell of it explained.

#include "core/attention/explain.h"
#include "tests/support/attention_runs.h"
#include "tests/support/printed_equations.h"

#include <memory>
#include <string>

namespace headlight::test {

struct Recorded {
    std::shared_ptr<const Plan> plan;
    Trace trace;
};

/// A spec in JSON on four tokens of width 8; a second sequence of five where it looks at one.
inline Recorded recorded(const std::string& json) {
    RandomEngine random(18);
    const AttentionSpec each = spec(json);
    Inputs inputs{.query = random_tensor({4, 8}, random)};
    if (each.source.type == SourceType::cross) {
        inputs.key = random_tensor({5, 8}, random);
        inputs.value = random_tensor({5, 8}, random);
    }
    Recorded run{planned(each, inputs), {}};
    run.trace = record(run.plan);
    return run;
}

/// Each ends at its own number, and what is shown to be calculated is true.
inline void explain_every_cell(const Recorded& run) {
    for (const Stage& stage : run.trace.stages()) {
        const bool by_head = stage.shape.size() > 2 && stage.axes.front() == Axis::head;
        for (Index head = 0; head < (by_head ? stage.shape.front() : 1); ++head) {
            const auto matrix = run.trace.matrix(stage, head);
            for (Index i = 0; i < std::ssize(matrix); ++i) {
                const Index row = i / stage.shape.back(), column = i % stage.shape.back();
                const auto steps = explain_cell(*run.plan, run.trace, stage.name, head, row, column);
                const double value = matrix[static_cast<std::size_t>(i)];
                ASSERT_FALSE(steps.empty()) << stage.name;
                ASSERT_EQ(steps.back().stage, stage.name);
                ASSERT_EQ(steps.back().value, value)
                    << stage.name << " " << head << " " << row << " " << column;
                for (const ArithmeticStep& step : steps) {
                    ASSERT_FALSE(step.expression.empty()) << step.stage;
                    ASSERT_TRUE(adds_up(step)) << stage.name;
                }
            }
        }
    }
}

}  // namespace headlight::test
