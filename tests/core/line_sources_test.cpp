// What the lines of a program read: stages behind stages, through lines that are none.

#include "core/attention/trace_program.h"
#include "core/graph/line_sources.h"
#include "tests/support/sample_traces.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace headlight::line_sources_test { namespace {

using Sources = std::optional<std::vector<std::string>>;

Expression given(Program& program, const std::string& name, const Extent& extent) {
    return program.give({name, GivenTensor::Kind::input, extent,
                         std::vector<double>(static_cast<std::size_t>(extent.size()), 1.0), name});
}

/// Every name is a stage but for those that begin with an underscore.
std::string stage_of(const std::string& name) { return name.starts_with('_') ? std::string() : name; }

TEST(LineSources, AreTheNearestStages) {
    Program program;
    const Expression x = given(program, "tokens", {0, 3, 2}), w = given(program, "_w", {0, 2, 2});
    const Expression query = program.let("query", product(x, w));
    const Expression turned = program.let("_turned", query * 2);
    program.let("scores", product_transposed(turned, x) + product_transposed(turned, query));
    const LineSources sources(program);
    EXPECT_EQ(sources.sources_of("query", stage_of), Sources({"tokens"}));
    auto scores = sources.sources_of("scores", stage_of);
    ASSERT_TRUE(scores);
    std::ranges::sort(*scores);
    EXPECT_EQ(*scores, (std::vector<std::string>{"query", "tokens"}));
}

TEST(LineSources, SayWhatIsGivenAndWhatNobodyKnows) {
    Program program;
    const Expression w = given(program, "_w", {0, 2, 2});
    program.let("bias", w + 1);
    const LineSources sources(program);
    EXPECT_EQ(sources.sources_of("bias", stage_of), Sources(std::vector<std::string>()));
    EXPECT_EQ(sources.sources_of("_w", stage_of), Sources(std::vector<std::string>()));
    EXPECT_EQ(sources.sources_of("gate", stage_of), Sources());
}

TEST(LineSources, OfALoopAreThoseOfItsTurns) {
    Program program;
    const Expression x = given(program, "tokens", {0, 3, 2});
    program.let("state", x * 0);
    program.repeat(3, [&] { program.let("state", program.tensor("state") + x); });
    program.let("output", program.tensor("state"));
    const LineSources sources(program);
    EXPECT_EQ(sources.sources_of("state", stage_of), Sources({"tokens"}));
    EXPECT_EQ(sources.sources_of("output", stage_of), Sources({"state"}));
}

TEST(LineSources, TakeLinesOfRowsForTheirStage) {
    Program program;
    const Expression x = given(program, "tokens", {0, 3, 2});
    const Expression first = program.let("scores_1", x + 1);
    const Expression second = program.let("scores_2", first + x);
    program.let("weights", join_rows({first, second}));
    const LineSources sources(program);
    const auto of_whole_stages = [](const std::string& name) {
        return name.starts_with("scores_") ? std::string() : name;
    };
    EXPECT_EQ(sources.sources_of("scores", of_whole_stages), Sources({"tokens"}));
    EXPECT_EQ(sources.sources_of("weights", of_whole_stages), Sources({"scores"}));
    // Each of the lines that a person numbered is a stage.
    EXPECT_EQ(sources.sources_of("scores_2", stage_of), Sources({"scores_1", "tokens"}));
}

TEST(Outlines, OfATraceHaveTheLinesOfItsRun) {
    const Trace trace = samples::sentence();
    const std::optional<Program> program = outline_of(trace, "");
    ASSERT_TRUE(program);
    const LineSources sources(*program);
    const auto found = sources.sources_of(
        "context", [&](const std::string& name) { return trace.find(name) ? name : std::string(); });
    ASSERT_TRUE(found);
    EXPECT_EQ(std::ranges::count(*found, "value"), 1);
    EXPECT_EQ(std::ranges::count(*found, "weights"), 1);
    EXPECT_FALSE(outline_of(trace, "layer.0"));
    EXPECT_FALSE(outline_of(Trace(), ""));
}

/// A trace of token vectors alone, as far as an outline reads it.
Trace of_tokens(Index tokens, Index width, const AttentionSpec& spec) {
    Trace trace({{"", "tokens", {Axis::query, Axis::feature}, {tokens, width}}});
    trace.spec = spec;
    return trace;
}

TEST(Outlines, OfWideVectorsHaveTheLinesOfNarrowOnesAndMakeNoNumbers) {
    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = 4};
    spec.score.type = ScoreType::additive;
    const auto names_of = [](const Program& program) {
        std::vector<std::string> names;
        for (const ProgramPart& part : program.parts())
            for (const ProgramLine& line : part.assignments)
                names.push_back(line.name);
        return names;
    };
    constexpr Index wide = 2048;
    const std::optional<Program> narrow = outline_of(of_tokens(3, 16, spec), ""),
                                 program = outline_of(of_tokens(3, wide, spec), "");
    ASSERT_TRUE(narrow && program);
    EXPECT_EQ(names_of(*program), names_of(*narrow));
    const auto matrix = std::ranges::find(program->given(), "W_q", &GivenTensor::name);
    ASSERT_NE(matrix, program->given().end());
    EXPECT_EQ(matrix->extent, (Extent{0, wide, wide}));
    EXPECT_FALSE(matrix->numbers.are_there());
}

TEST(Outlines, OfManyTokensAreThoseOfFewer) {
    constexpr Index many = 400;
    const std::optional<Program> program = outline_of(of_tokens(many, 8, {}), "");
    ASSERT_TRUE(program);
    EXPECT_LT(program->tensor("weights").extent().rows, many);
    EXPECT_EQ(program->tensor("query").extent().columns, 8);
    AttentionSpec of_so_many;  // a mask by hand is of so many tokens alone
    of_so_many.mask.rule = MatrixMask{std::vector(many, std::vector<bool>(many, true))};
    EXPECT_FALSE(outline_of(of_tokens(many, 8, of_so_many), ""));
}

}}  // namespace headlight::line_sources_test
