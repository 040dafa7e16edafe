// Maps of what runs by its program, where a text is long: rows are computed again, with the same bits, and
// never are there as many numbers as there are pairs.

#include "core/attention/component.h"
#include "core/attention/run_memory.h"
#include "core/attention/typed_formula.h"
#include "core/map/lazy_run.h"
#include "core/tensor/error.h"
#include "tests/support/catalogue_plans.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

namespace headlight::lazy_programs_test {

using namespace test;

namespace {

AttentionSpec typed(const std::string& formula, Index heads = 2) {
    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::formula;
    spec.algorithm.options["text"] = formula;
    if (formula.find("allowed") != std::string::npos)
        spec.mask = {CausalMask{}};
    spec.heads = {.type = heads > 1 ? HeadsType::multi : HeadsType::single, .heads = heads};
    return spec;
}

Inputs tokens_of(Index tokens) {
    RandomEngine random(17);
    Inputs inputs;
    inputs.query = random_tensor({tokens, 8}, random);
    return inputs;
}

struct Typed {
    const char* name;
    const char* formula;
};
void PrintTo(const Typed& row, std::ostream* out) { *out << row.name; }

constexpr Typed by_rows[] = {
    {"causal", "scores = q @ k.T / sqrt(d) - abs(i - j) / 4\nweights = softmax(where(j <= i, scores, -inf))\n"
               "context = weights @ v\n"},
    {"masked_by_the_spec", "weights = softmax(where(allowed, q @ k.T / sqrt(d), -inf))\n"},
    {"thresholds", "weights = sparsemax(where(allowed, q @ k.T / sqrt(d), -inf))\n"},
    {"two_maps",
     "own = softmax(where(allowed, q @ k.T, -inf))\nfar = softmax(where(allowed, q @ k.T / 9, -inf))\n"
     "weights = own - 0.3 * far\ncontext = weights @ v\n"},
    {"a_gate_before", "g = sigmoid(x @ W_g[d_x, 1])\nshares = g * softmax(where(allowed, q @ k.T, -inf))\n"
                      "weights = g * shares\n"},
    {"a_number_for_each_head_before",
     "weights = tau[heads, 1, 1] * softmax(where(allowed, q @ k.T, -inf))\n"},
    {"a_parameter_as_wide_as_keys", "scores = x @ A[heads, d_x, m]\n"
                                    "weights = softmax(where(allowed, scores, -inf))\n"},
    {"places_of_heads", "slope = 2 ** (-8 * head / heads)\n"
                        "weights = softmax(where(allowed, q @ k.T / sqrt(d) - slope * (i - j), -inf))\n"},
};

class LazyPrograms : public testing::TestWithParam<Typed> {};

/// Each stage of `lazy`, a run that keeps no maps, has the bytes of the run that keeps all, wherever a map is
/// asked; how many maps there are. Stages that it has to leave out are named in it.
Index expect_rows_of_everything(const std::shared_ptr<const Plan>& plan, const Trace& lazy) {
    constexpr Index most = 70;
    const Trace kept = record(plan);
    Index maps = 0;
    for (const Stage& stage : kept.stages()) {
        const Stage* again = lazy.find(stage.name);
        if (!again) {
            EXPECT_TRUE(std::ranges::any_of(lazy.omitted, [&](const std::string& words) {
                return words.starts_with(stage.name + ":");
            })) << stage.name;
            continue;
        }
        const auto all = kept.values(stage);
        if (!again->is_lazy) {
            EXPECT_EQ(std::memcmp(all.data(), lazy.values(*again).data(), all.size_bytes()), 0) << stage.name;
            continue;
        }
        ++maps;
        for (Index head = 0; head < plan->heads; ++head)
            for (const auto& [first, count] : {std::pair<Index, Index>{299, 1}, {0, 1}, {130, most}}) {
                std::vector<double> rows(static_cast<std::size_t>(count * plan->keys));
                lazy.read_rows(*again, head, first, count, rows);
                const auto expected =
                    all.subspan(static_cast<std::size_t>((head * plan->queries + first) * plan->keys));
                EXPECT_EQ(std::memcmp(rows.data(), expected.data(), rows.size() * sizeof(double)), 0)
                    << stage.name << ", head " << head << ", rows from " << first;
            }
    }
    return maps;
}

TEST_P(LazyPrograms, HaveTheRowsOfARunOfEverything) {
    const auto plan = planned(typed(GetParam().formula), tokens_of(300));
    ASSERT_TRUE(has_lazy_rows(*plan));
    const Trace lazy = record_lazy(plan, {.threads = 2});
    EXPECT_TRUE(lazy.omitted.empty());
    EXPECT_GE(expect_rows_of_everything(plan, lazy), 1);
}

TEST(LazyPrograms, HaveWeightsThatAParameterIsAsWideAs) {
    const auto plan =
        planned(typed("weights = softmax(where(allowed, x @ A[heads, d_x, 300], -inf))\n"), tokens_of(300));
    EXPECT_EQ(expect_rows_of_everything(plan, record_lazy(plan, {.threads = 2})), 1);
}

/// As many numbers as there are pairs, of no queries: none of them is kept.
TEST(LazyPrograms, LeaveOutWhatIsAsLargeAsAMap) {
    const auto plan = planned(typed("turned = k @ q.T\nmatrix = 2 * B[300, 300]\n"
                                    "weights = softmax(where(allowed, q @ k.T, -inf))\n"),
                              tokens_of(300));
    const Trace lazy = record_lazy(plan, {.threads = 2});
    EXPECT_GE(expect_rows_of_everything(plan, lazy), 1);
    EXPECT_EQ(lazy.find("turned"), nullptr);
}

TEST_P(LazyPrograms, TakeNoMemoryForPairs) {
    constexpr Index tokens = 20'000;
    PlanOptions options{.keeps = Keeps::rows};
    const Plan made = plan(typed(GetParam().formula), tokens_of(tokens), options);
    EXPECT_TRUE(has_lazy_rows(made));
    EXPECT_LT(run_memory(made, Keeps::rows).total(), 0.05 * tokens * tokens * sizeof(double));
}

INSTANTIATE_TEST_SUITE_P(Typed, LazyPrograms, testing::ValuesIn(by_rows),
                         [](const auto& row) { return row.param.name; });

/// Mechanisms whose run is that of their definition, and whose maps can be made row by row.
class LazyDefinitions : public testing::TestWithParam<std::string> {};

TEST_P(LazyDefinitions, HaveTheRowsOfARunOfEverything) {
    const AttentionSpec spec = spec_of_heads(*find_mechanism(GetParam()), 2);
    RandomEngine random(17);
    std::shared_ptr<const Plan> plan;
    try {
        plan = planned(spec, few_inputs(spec, 300, random));
    } catch (const Error&) {
        return;  // it does not take so many tokens
    }
    if (!runs_by_program(spec) || !has_lazy_rows(*plan))
        return;
    EXPECT_GE(expect_rows_of_everything(plan, record_lazy(plan, {.threads = 2})), 1);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, LazyDefinitions, testing::ValuesIn(every_mechanism()),
                         [](const auto& row) { return row.param; });

TEST(LazyPrograms, AreNoneWhereALineReadsAllPairs) {
    const auto lazy = [](const char* formula) {
        return has_lazy_rows(*planned(typed(formula), tokens_of(300)));
    };
    EXPECT_FALSE(lazy("weights = softmax(where(allowed, q @ k.T, -inf))\ncontext = weights @ (weights @ v)\n"
                      "twice = weights @ weights\n"));
    EXPECT_FALSE(lazy("weights = softmax(k @ q.T).T\n"));
}

TEST(LazyPrograms, NameTheLineThatReadsAllPairs) {
    const auto said = [](const char* formula, Index heads) -> std::string {
        const auto made = planned(typed(formula, heads), tokens_of(300));
        try {
            require_rows_of_formula(*made);
        } catch (const Error& error) {
            return error.detail().what + ", " + error.detail().where + ": " + error.detail().got;
        }
        return {};
    };
    EXPECT_EQ(said("scores = q @ k.T + x @ A[heads, d_x, m]\nweights = softmax(scores)\n", 2), "");
    const std::string of_all = said("scores = q @ k.T\nscores_2 = scores + x @ A[d_x, m]\n"
                                    "weights = softmax(scores_2)\n",
                                    2);
    EXPECT_TRUE(of_all.starts_with("formula, line 2, column 1: scores_2: [300, 300] as a whole, one map for "
                                   "all heads"))
        << of_all;
    const std::string alone = said("scores = x @ A[d_x, m]\nweights = softmax(scores)\n", 2);
    EXPECT_TRUE(alone.starts_with("formula, line 2, column 1: weights: [300, 300]")) << alone;
    const std::string read_off = said("A = softmax(q @ k.T)\ncontext = (2 * A - A @ A) @ v\n", 1);
    EXPECT_TRUE(read_off.find(": query") == std::string::npos) << read_off;
    EXPECT_TRUE(read_off.starts_with("formula, line 1, column 1: A: [300, 300]") ||
                read_off.starts_with("formula, line 2, column 1: context"))
        << read_off;
    const std::string turned = said("weights = softmax(k @ q.T).T\n", 1);
    EXPECT_TRUE(turned.starts_with("formula, line 1, column 1: weights: ")) << turned;
}

}  // namespace
}  // namespace headlight::lazy_programs_test
