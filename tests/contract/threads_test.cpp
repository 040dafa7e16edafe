// Every component and every mechanism at 130 tokens, more than two blocks of 64 queries, on one thread and on
// two: the same bytes, recorded or not, with the weights kept or not, and with maps that are computed again
// row by row. ThreadSanitizer runs these (ctest -L threads). The oracle's numbers are those of two blocks: it
// is slow. The short form leaves out much of what the graph runs, all of it by the same steps, and every
// other mechanism whose components are rows of their own.

#include "core/attention/component.h"
#include "core/catalog/mechanism.h"
#include "core/map/lazy_run.h"
#include "core/tensor/error.h"
#include "core/tensor/sanitizers.h"
#include "tests/oracle/oracle.h"
#include "tests/support/attention_runs.h"
#include "tests/support/component_axes.h"
#include "tests/support/long_tests.h"
#include "tests/support/rounding.h"

#include <algorithm>
#include <cstring>

using namespace headlight;
using namespace headlight::test;

namespace {

constexpr Index tokens = 130, tokens_for_oracle = 70, width = 16;

struct Row {
    std::string name;
    AttentionSpec spec;
};
std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

/// Whether the `number`-th of its kind is run.
bool is_run(const AttentionSpec& spec, std::size_t number, std::size_t share) {
    return has_turn(number, runs_by_program(spec) ? 4 : share);
}

template <class Components, class Part>
void add_components(std::vector<Row>& rows, const std::string& axis, const Components& components,
                    const Part& part) {
    std::size_t number = 2;  // another turn than that of the mechanisms
    for (const auto& component : components) {
        Row row{axis + "_" + component.word, spec(R"({"projections": {"type": "learned", "bias": true},
                                                      "heads": {"type": "grouped_query", "heads": 4,
                                                                "kv_heads": 2}})")};
        part(row.spec).type = component.type;
        if (is_run(row.spec, number++, 1))
            rows.push_back(row);
    }
}

std::vector<Row> rows() {
    std::vector<Row> list;
    std::size_t number = 0;
    for (const Mechanism& mechanism : mechanisms())
        if (const AttentionSpec spec = build_spec(mechanism, {}); is_run(spec, number++, 2))
            list.push_back({"mechanism_" + mechanism.id, spec});
    for_every_component_axis([&](const auto&... axis) { add_components(list, axis...); });
    for (const char* normalizer : {"softmax", "sinkhorn"})
        list.push_back({std::string("talking_") + normalizer,
                        spec(R"({"projections": {"type": "learned"}, "mask": {"type": "causal"},
                                 "heads": {"type": "talking", "heads": 4}, "normalizer": {"type": ")" +
                             std::string(normalizer) + R"("}})")});
    return list;
}

class OnThreads : public testing::TestWithParam<Row> {
protected:
    /// With as many heads as it takes.
    static std::shared_ptr<const Plan> plan_of(AttentionSpec spec, Index queries) {
        RandomEngine random(9);
        Inputs inputs;
        inputs.query = random_tensor({queries, width}, random);
        if (spec.source.type == SourceType::cross) {
            inputs.key = random_tensor({queries + 3, width}, random);
            inputs.value = random_tensor({queries + 3, width}, random);
        }
        for (const Heads& fewer : {spec.heads, Heads{HeadsType::multi, 4}}) {
            spec.heads = fewer;
            try {
                return planned(spec, inputs);
            } catch (const Error&) {
            }
        }
        spec.heads = {};
        return planned(spec, inputs);
    }
};

/// The rows of a stage are those that were kept, by their bytes, whichever are asked for, and in whatever
/// order.
void expect_same_rows(const Trace& lazy, const Trace& kept, const Stage& stage) {
    const Stage* again = lazy.find(stage.name);
    ASSERT_NE(again, nullptr) << stage.name;
    EXPECT_TRUE(again->is_lazy) << stage.name;
    const auto keys = static_cast<std::size_t>(stage.extent(Axis::key));
    for (Index head = stage.extent(Axis::head) - 1; head >= 0; --head)
        for (const auto& [first, count] : {std::pair<Index, Index>{100, 30}, {7, 1}, {0, tokens}}) {
            std::vector<double> rows(static_cast<std::size_t>(count) * keys);
            lazy.read_rows(*again, head, first, count, rows);
            const auto all = kept.matrix(stage, head).subspan(static_cast<std::size_t>(first) * keys);
            EXPECT_EQ(std::memcmp(rows.data(), all.data(), rows.size() * sizeof(double)), 0)
                << stage.name << ", head " << head << ", rows from " << first;
        }
}

/// A run that keeps rows in place of maps has the stages of `kept`, and computes its maps again.
void expect_lazy_maps(const std::shared_ptr<const Plan>& plan, const Trace& kept) {
    const Trace lazy = record_lazy(plan, {.threads = 2});
    for (const Stage& stage : kept.stages()) {
        const auto is_of_it = [&](const std::string& words) { return words.starts_with(stage.name + ":"); };
        if (stage.has_axis(Axis::query) && stage.has_axis(Axis::key)) {
            if (std::ranges::none_of(lazy.omitted, is_of_it))
                expect_same_rows(lazy, kept, stage);
            continue;
        }
        const Stage* again = lazy.find(stage.name);
        ASSERT_NE(again, nullptr) << stage.name;
        const auto one = kept.values(stage), other = lazy.values(*again);
        EXPECT_EQ(std::memcmp(one.data(), other.data(), one.size_bytes()), 0) << stage.name;
    }
    // A definition may make its weights without scores, or under other names; kernels have all of these.
    for (const char* always : {"scores", "scaled_scores", "masked_scores"}) {
        if (kept.find(always) || !runs_by_program(plan->spec)) {
            EXPECT_NE(lazy.find(always), nullptr) << always;
        }
    }
    EXPECT_NE(lazy.find("weights"), nullptr);
}

TEST_P(OnThreads, GivesTheSameBytes) {
    const std::shared_ptr<const Plan> made = plan_of(GetParam().spec, tokens);
    using Weights = Executor<double>::Weights;
    const auto run = [&](Weights weights, int threads) {
        Executor<double> executor(made, weights, threads);
        executor.run();
        return Numbers{{executor.weights().begin(), executor.weights().end()},
                       {executor.output().begin(), executor.output().end()}};
    };
    const Numbers alone = run(Weights::keep, 1);
    for (const int threads : is_sanitized ? std::vector{2} : std::vector{1, 2}) {
        const Numbers kept = run(Weights::keep, threads);
        EXPECT_TRUE(kept.weights == alone.weights) << threads << " threads";
        EXPECT_TRUE(kept.output == alone.output) << threads << " threads";
        const Numbers discarded = run(Weights::discard, threads);
        EXPECT_TRUE(discarded.weights.empty());
        EXPECT_TRUE(discarded.output == alone.output) << threads << " threads, weights discarded";
    }
    const Trace of_one = record(made, {.threads = 1}), of_two = record(made, {.threads = 2});
    for (const Stage& each : of_one.stages()) {
        const auto one = of_one.values(each), two = of_two.values(*of_two.find(each.name));
        // By their bytes: a stage may hold NaN where there is nothing to be recorded.
        EXPECT_EQ(std::memcmp(one.data(), two.data(), one.size_bytes()), 0) << each.name;
    }
    EXPECT_TRUE(stage(of_two, "weights") == alone.weights);
    EXPECT_TRUE(stage(of_two, "output") == alone.output);
    if (has_lazy_rows(*made))
        expect_lazy_maps(made, of_one);
}

#ifndef HEADLIGHT_THREAD_SANITIZER  // which watches two threads; the oracle is one
TEST_P(OnThreads, EqualsItsOracle) {
    const std::shared_ptr<const Plan> made = plan_of(GetParam().spec, tokens_for_oracle);
    const OracleResult oracle = scalar_oracle(made->spec, made->inputs, made->seed);
    Executor<double> executor(made, Executor<double>::Weights::keep, 2);
    executor.run();
    const double tolerance = double_tolerance(made->spec, oracle.weights);
    EXPECT_TRUE(near(Numbers{{executor.weights().begin(), executor.weights().end()},
                             {executor.output().begin(), executor.output().end()}},
                     {oracle.weights, oracle.output}, tolerance));
}
#endif

INSTANTIATE_TEST_SUITE_P(Catalogue, OnThreads, testing::ValuesIn(rows()),
                         [](const auto& row) { return row.param.name; });

}  // namespace
