// Programs: extents that meet, lines of Python, cells of a spreadsheet. That their numbers are those of
// traces is shown by tests/cli/program_test.py and spreadsheet_test.py.

#include "core/attention/component.h"
#include "core/attention/kernel_scores.h"
#include "core/attention/plan.h"
#include "core/attention/trace_program.h"
#include "core/catalog/mechanism.h"
#include "core/io/mechanism_example.h"
#include "core/io/program_file.h"
#include "core/program/evaluate.h"
#include "core/program/python_text.h"
#include "core/program/workbook.h"
#include "core/tensor/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace headlight::program_test { namespace {

Inputs two_tokens() {
    Inputs inputs;
    inputs.query = Tensor({2, 3});
    const double numbers[] = {1, 2, 3, 5, 8, 13};
    std::ranges::copy(numbers, inputs.query.data());
    inputs.tokens.query = {"<b>&\"x\"", "=1+1"};
    return inputs;
}

Program program_of(const AttentionSpec& spec) { return trace_program(plan(spec, two_tokens()), "a title"); }

AttentionSpec causal_dot() {
    AttentionSpec spec;
    spec.score.type = ScoreType::dot;
    spec.mask.rule = CausalMask{};
    return spec;
}

/// A cell in the rows below the title of a tensor; an empty one where there is none.
WorkbookCell cell_below(const Workbook& book, const std::string& title, std::size_t row, std::size_t column) {
    for (const WorkbookSheet& sheet : book.sheets)
        for (std::size_t at = 0; at < sheet.rows.size(); ++at)
            if (!sheet.rows[at].empty() && sheet.rows[at][0].text.starts_with(title + " ["))
                return sheet.rows[at + row].size() > column ? sheet.rows[at + row][column] : WorkbookCell();
    ADD_FAILURE() << "no " << title;
    return {};
}
std::string formula_below(const Workbook& book, const std::string& title, std::size_t row,
                          std::size_t column) {
    return shown_formula(cell_below(book, title, row, column));
}

TEST(Program, ExtentsMeetOrAreRefused) {
    const Expression a = named_tensor("a", {2, 3, 4}, false), b = named_tensor("b", {0, 1, 4}, false),
                     c = named_tensor("c", {0, 5, 4}, false);
    EXPECT_EQ((a + b).extent(), (Extent{2, 3, 4}));
    EXPECT_EQ(product_transposed(a, c).extent(), (Extent{2, 3, 5}));
    EXPECT_EQ(join_heads(a).extent(), (Extent{0, 3, 8}));
    EXPECT_EQ(split_heads(join_heads(a), 2).extent(), a.extent());
    EXPECT_EQ(sum_of_pairs(left_row(a) * right_row(c)).extent(), (Extent{2, 3, 5}));
    EXPECT_THROW(a + c, Error);
    EXPECT_THROW(product(a, c), Error);
}

TEST(Program, NamesAreNewUnlessTheyAreRepeated) {
    Program program;
    const Expression x = program.give({"x", GivenTensor::Kind::input, {0, 1, 2}, {1, 2}, ""});
    program.let("y", x + 1);
    EXPECT_THROW(program.let("y", x), Error);
    EXPECT_THROW(program.tensor("z"), Error);
    program.repeat(3, [&] { program.let("y", program.tensor("y") * 2); });
    ASSERT_EQ(program.parts().size(), 2U);
    EXPECT_EQ(program.parts()[1].times, 3);
    // Each time a block of its own: three of two cells after the first.
    const Workbook book = workbook(program);
    std::size_t formulas = 0;
    for (const auto& row : book.sheets.back().rows)
        for (const WorkbookCell& cell : row)
            formulas += cell.kind == WorkbookCell::Kind::formula ? 1 : 0;
    EXPECT_EQ(formulas, 8U);
    EXPECT_EQ(book.sheets.back().rows.back().back().number, (2 + 1) * 2 * 2 * 2)
        << "each from the one before";
}

TEST(Program, PythonSaysTheFormula) {
    const Program program = program_of(causal_dot());
    const std::string numpy = python_text(program, PythonLibrary::numpy);
    for (const char* line :
         {"tokens = np.array([[1.0, 2.0, 3.0],\n", "scores = query @ key.swapaxes(-1, -2)\n",
          "masked_scores = np.where(allowed, scores, -np.inf)\n", "weights = exponentials / row_sum\n",
          "output = context\n", "print(output)\n"})
        EXPECT_NE(numpy.find(line), std::string::npos) << line << numpy;
    const std::string torch = python_text(program, PythonLibrary::torch);
    for (const char* line : {"import torch\n", "row_maximum = masked_scores.amax(dim=-1, keepdim=True)\n",
                             "masked_scores = torch.where(allowed, scores, -torch.inf)\n"})
        EXPECT_NE(torch.find(line), std::string::npos) << line << torch;
    EXPECT_EQ(torch.find("np."), std::string::npos);
}

TEST(Program, CellsFollowOneAnother) {
    const Workbook book = workbook(program_of(causal_dot()));
    ASSERT_EQ(book.sheets.size(), 3U);  // no parameters
    EXPECT_EQ(book.sheets[0].name, "Inputs");
    EXPECT_EQ(cell_below(book, "tokens", 2, 1).kind, WorkbookCell::Kind::input);
    EXPECT_EQ(cell_below(book, "tokens", 2, 1).number, 1);
    // Features stand above token vectors, keys above a map: the first row is the second line below the title.
    EXPECT_EQ(formula_below(book, "query", 2, 2), "=Inputs.C3");
    EXPECT_EQ(formula_below(book, "scores", 2, 2), "=SUMPRODUCT(B3:D3; B9:D9)");
    EXPECT_EQ(formula_below(book, "masked_scores", 2, 2), "=IF(Constants.C3; C18; (-1E+300))");
    EXPECT_EQ(formula_below(book, "row_sum", 1, 1), "=SUM(B32:C32)");
}

/// As many tokens as features: what a column is does not follow from how many there are.
TEST(Program, ColumnsOfCellsAreFeaturesOrKeys) {
    Inputs inputs = two_tokens();
    inputs.query = Tensor({3, 3}, 1);
    inputs.tokens.query = {"the", "cat", "sat"};
    AttentionSpec spec = causal_dot();
    spec.projections.type = ProjectionType::learned;
    const Workbook book = workbook(trace_program(plan(spec, inputs)));
    for (const auto& [name, head] : {std::pair<std::string, std::string>{"tokens", "feature 2"},
                                     {"query", "feature 2"},
                                     {"key", "feature 2"},
                                     {"value", "feature 2"},
                                     {"context", "feature 2"},
                                     {"output", "feature 2"},
                                     {"scores", "cat"},
                                     {"masked_scores", "cat"},
                                     {"weights", "cat"}})
        EXPECT_EQ(cell_below(book, name, 1, 2).text, head) << name;
    for (const char* name : {"query", "context", "weights"})
        EXPECT_EQ(cell_below(book, name, 3, 0).text, "cat") << name;
    EXPECT_EQ(cell_below(book, "W_q", 1, 0).text, "") << "its rows are no tokens";
    EXPECT_EQ(cell_below(book, "W_q", 1, 1).kind, WorkbookCell::Kind::input) << "nor are its columns";
}

TEST(Program, CellsHaveTheirNumbers) {
    const Workbook book = workbook(program_of(causal_dot()));
    EXPECT_EQ(cell_below(book, "scores", 2, 2).number, 1 * 5 + 2 * 8 + 3 * 13);
    EXPECT_EQ(cell_below(book, "masked_scores", 2, 2).number, -cell_infinity);
    EXPECT_EQ(cell_below(book, "weights", 2, 1).number, 1);
    EXPECT_EQ(cell_below(book, "weights", 2, 2).number, 0);
}

TEST(Program, LabelsOfSpreadsheetsAreTexts) {
    const std::string fods = write_fods(workbook(program_of(causal_dot())));
    EXPECT_NE(fods.find("<text:p>&lt;b&gt;&amp;&quot;x&quot;</text:p>"), std::string::npos);
    EXPECT_NE(fods.find("office:value-type=\"string\"><text:p>=1+1</text:p>"), std::string::npos);
    EXPECT_EQ(fods.find("<b>"), std::string::npos);
    EXPECT_EQ(fods, write_fods(workbook(program_of(causal_dot()))));
}

/// Constants of many pairs are made when they are read, long after the plan that they follow from was
/// written.
TEST(Program, ItsConstantsOutliveItsPlan) {
    Session session = mechanism_example(mechanism("causal"));
    session.sequence.query_text.clear();
    constexpr Index tokens = 300;  // more pairs than are made at once
    for (Index i = 0; i < tokens; ++i)
        session.sequence.query_text += "word ";
    const Program program = session_program(session);
    const auto allowed = std::ranges::find(program.given(), "allowed", &GivenTensor::name);
    ASSERT_NE(allowed, program.given().end());
    ASSERT_EQ(allowed->numbers.size(), tokens * tokens);
    EXPECT_FALSE(allowed->numbers.are_there());
    for (const Index i : {Index(0), tokens - 1, tokens * tokens - 1})
        EXPECT_EQ(allowed->numbers[i], i / tokens >= i % tokens ? 1 : 0);
    const std::vector<double>& all = allowed->numbers;
    EXPECT_EQ(std::accumulate(all.begin(), all.end(), 0.0), tokens * (tokens + 1) / 2);
}

TEST(Program, WhatIsNoMechanismIsRefusedInWords) {
    Session session;
    session.model.emplace().name = "reverse-transformer";
    try {
        session_program(session);
        ADD_FAILURE() << "not refused";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("whose every step is known, got a model"), std::string::npos)
            << error.what();
    }
    EXPECT_THROW(program_of_figure(""), Error);
}

TEST(Program, WhatNeedsOtherRowsIsRefusedBesideScoresThatDoToo) {
    AttentionSpec spec;
    spec.score.type = ScoreType::coverage;
    EXPECT_NO_THROW(program_of(spec));
    AttentionSpec changed = spec;
    changed.normalizer.type = NormalizerType::slot;
    EXPECT_THROW(program_of(changed), Error);
    changed = spec;
    changed.selection.type = SelectionType::top_k;
    EXPECT_THROW(program_of(changed), Error);
    changed = spec;
    changed.position.type = PositionType::shaw;
    EXPECT_THROW(program_of(changed), Error);
}

TEST(Program, SpreadsheetsHaveABound) {
    Program program;
    const Index side = 600;
    const Expression x = program.give({"x",
                                       GivenTensor::Kind::input,
                                       {0, side, 1},
                                       std::vector<double>(static_cast<std::size_t>(side)),
                                       ""});
    program.let("y", x * transposed(x));
    EXPECT_THROW(workbook(program), Error);  // 360,000 formulas
    Program wide;
    wide.give({"x", GivenTensor::Kind::input, {0, 1, 1001}, std::vector<double>(1001), ""});
    EXPECT_THROW(workbook(wide), Error);
}

TEST(Program, EveryScoreAndNormaliserDefinesItsOwn) {
    for (const ScoreComponent& component : score_components()) {
        EXPECT_EQ(component.define != nullptr, !component.is_ordered) << component.word;
        EXPECT_EQ(component.define_rows != nullptr, component.is_ordered) << component.word;
    }
    for (const KernelScore& score : kernel_scores())
        EXPECT_TRUE(score.define != nullptr) << score.word;
    for (const NormalizerComponent& component : normalizer_components())
        EXPECT_TRUE(component.define != nullptr) << component.word;
}

}}  // namespace headlight::program_test
