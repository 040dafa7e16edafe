// What is told of the stages of a formula from its lines alone: what each is computed from, and what its
// rows and columns count.

#include "core/attention/formula_stages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace headlight::formula_stages_test { namespace {

DeclaredStage stage(const std::string& text, const std::string& name) {
    const std::vector<FormulaLine> lines = parse_formula(text);
    const std::vector<DeclaredStage> stages = formula_stages(lines);
    const auto found = std::ranges::find(stages, name, &DeclaredStage::name);
    EXPECT_NE(found, stages.end()) << name;
    return found == stages.end() ? DeclaredStage{} : *found;
}

std::vector<std::string> sources(const std::string& text, const std::string& name) {
    std::vector<std::string> names;
    for (const StageOperand& each : stage(text, name).operands)
        names.emplace_back(each.stage);
    return names;
}

using Names = std::vector<std::string>;

TEST(FormulaStages, ComeFromWhatTheirLinesName) {
    const std::string text = "scores = q @ k.T\nweights = softmax(scores)\ncontext = weights @ v\n";
    EXPECT_EQ(sources(text, "scores"), (Names{"query", "key"}));
    EXPECT_EQ(sources(text, "weights"), Names{"scores"});
    EXPECT_EQ(sources(text, "context"), (Names{"weights", "value"}));
}

// As a mechanism is written: heads by their whole names.
TEST(FormulaStages, KnowQueriesKeysAndValuesByTheirWholeNames) {
    const std::string text =
        "scores = query @ key.T + q @ k.T\nweights = softmax(scores)\ncontext = weights @ value\n";
    EXPECT_EQ(sources(text, "scores"), (Names{"query", "key"}));
    EXPECT_EQ(sources(text, "context"), (Names{"weights", "value"}));
}

TEST(FormulaStages, CountWhatIsLeftOfAnAxis) {
    for (const char* row : {"r = sum(q @ k.T)", "r = sum(q @ k.T, axis=-1, keepdims=True)",
                            "r = (q @ k.T).sum(dim=-1)", "r = torch.sum(q @ k.T, 1)"}) {
        EXPECT_FALSE(stage(row, "r").is_of_keys || stage(row, "r").is_of_features) << row;
    }
    for (const char* column :
         {"r = sum(q @ k.T, axis=-2)", "r = (q @ k.T).sum(dim=-2)", "r = torch.sum(q @ k.T, 0)"}) {
        EXPECT_TRUE(stage(column, "r").is_of_features) << column << ": one row";
        EXPECT_EQ(stage(column, "r").role, StageRole{}) << column;
    }
}

TEST(FormulaStages, AreMapsWhicheverFactorStandsFirst) {
    for (const char* line : {"p = x @ W[d_x, 1] * softmax(q @ k.T)", "p = softmax(q @ k.T) * (x @ W[d_x, 1])",
                             "p = tau[heads, 1, 1] * softmax(q @ k.T)", "p = tau[heads, 1, 1] * (q @ k.T)",
                             "p = mix_heads(P[heads, heads], q @ k.T)", "p = x @ A[d_x, m]", "p = B[n, n]",
                             "p = pick(b[heads, 1, 32], 0, minimum(abs(i - j), 31))"}) {
        EXPECT_NE(stage(line, "p").role, StageRole::other) << line;
        EXPECT_FALSE(stage(line, "p").has_features || stage(line, "p").is_of_features) << line;
    }
    for (const char* line : {"p = x @ W[d_x, 16]", "p = x + b[16]", "p = W[16, 16]"})
        EXPECT_TRUE(stage(line, "p").has_features) << line;
    EXPECT_FALSE(stage("weights = softmax(x @ A[d_x, 300])", "weights").has_features);
}

}}  // namespace headlight::formula_stages_test
