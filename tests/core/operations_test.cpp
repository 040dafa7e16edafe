// The table of operations: each is complete, and its gradients are central differences of its numbers.

#include "core/graph/declared_operations.h"
#include "core/graph/graph_values.h"
#include "core/graph/operation.h"
#include "core/graph/pattern.h"
#include "core/graph/program.h"
#include "core/program/formula_text.h"
#include "core/program/python_text.h"
#include "core/program/workbook.h"
#include "core/tensor/random.h"
#include "tests/support/operand_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <set>

namespace headlight::operations_test { namespace {

using test::drawn_numbers;
using test::operand_name;
using test::OperandGraph;

constexpr double infinity = std::numeric_limits<double>::infinity();

using Operands = std::vector<Expression>;
using Numbers = std::vector<double>;

double sum_of_products(const Numbers& a, const Numbers& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

/// Holds each gradient to the difference that a small change of its number makes.
void expect_differences(const OperandGraph& subject, std::vector<Numbers> operands, std::mt19937& generator) {
    const Numbers weights = drawn_numbers(subject.expression.extent(), -1, 1, generator);
    const std::vector<Numbers> gradients = subject.gradients(operands, weights);
    constexpr double change = 1e-6;
    for (std::size_t i = 0; i < operands.size(); ++i)
        for (std::size_t at = 0; at < operands[i].size(); ++at) {
            const double number = operands[i][at];
            operands[i][at] = number + change;
            const double above = sum_of_products(weights, subject.values(operands));
            operands[i][at] = number - change;
            const double below = sum_of_products(weights, subject.values(operands));
            operands[i][at] = number;
            const double slope = (above - below) / (2 * change);
            ASSERT_NEAR(gradients[i][at], slope, 1e-7 * std::max(1.0, std::abs(slope)))
                << "operand " << i << ", number " << at;
        }
}

struct OperationRow {
    std::string name;
    std::function<Expression(const Operands&)> build;
    std::vector<std::vector<Extent>> extents;  ///< of the operands, in several ways
    double low = -2, high = 2;
};

const std::vector<std::vector<Extent>> one_operand{{{0, 3, 4}}, {{2, 3, 4}}, {{0, 1, 1}}};
const std::vector<std::vector<Extent>> two_operands{{{0, 3, 4}, {0, 3, 4}}, {{2, 3, 4}, {0, 1, 4}},
                                                    {{0, 3, 1}, {2, 1, 4}}, {{2, 1, 1}, {0, 3, 4}},
                                                    {{1, 3, 4}, {2, 1, 1}}, {{0, 1, 1}, {0, 1, 1}}};

const std::vector<OperationRow>& written_rows() {
    static const std::vector<OperationRow> rows{
        {"negate", [](const Operands& x) { return -x[0]; }, one_operand},
        {"exponential", [](const Operands& x) { return exp_of(x[0]); }, one_operand},
        {"logarithm", [](const Operands& x) { return log_of(x[0]); }, one_operand, 0.5, 2},
        {"logarithm_of_one_more", [](const Operands& x) { return log_of_more(x[0]); }, one_operand, -0.5, 2},
        {"root", [](const Operands& x) { return root_of(x[0]); }, one_operand, 0.5, 2},
        {"tanh", [](const Operands& x) { return tanh_of(x[0]); }, one_operand},
        {"sine", [](const Operands& x) { return sin_of(x[0]); }, one_operand},
        {"cosine", [](const Operands& x) { return cos_of(x[0]); }, one_operand},
        {"absolute", [](const Operands& x) { return absolute_of(x[0]); }, one_operand},
        {"add", [](const Operands& x) { return x[0] + x[1]; }, two_operands},
        {"subtract", [](const Operands& x) { return x[0] - x[1]; }, two_operands},
        {"multiply", [](const Operands& x) { return x[0] * x[1]; }, two_operands},
        {"square", [](const Operands& x) { return x[0] * x[0]; }, one_operand},
        {"divide", [](const Operands& x) { return x[0] / x[1]; }, two_operands, 0.5, 2},
        {"power", [](const Operands& x) { return power_of(x[0], x[1]); }, two_operands, 0.5, 2},
        {"whole_power", [](const Operands& x) { return power_of(x[0], 3); }, one_operand},
        {"minimum", [](const Operands& x) { return smaller_of(x[0], x[1]); }, two_operands},
        {"maximum", [](const Operands& x) { return larger_of(x[0], x[1]); }, two_operands},
        {"choose", [](const Operands& x) { return choose(is_above(x[0], x[1]), x[0] * x[0], 3 * x[1]); },
         two_operands},
        {"sum_of_columns", [](const Operands& x) { return sum_of_columns(x[0]); }, one_operand},
        {"sum_of_rows", [](const Operands& x) { return sum_of_rows(x[0]); }, one_operand},
        {"maximum_of_columns", [](const Operands& x) { return maximum_of_columns(x[0]); }, one_operand},
        {"maximum_of_rows", [](const Operands& x) { return maximum_of_rows(x[0]); }, one_operand},
        {"cumulative_sum", [](const Operands& x) { return cumulative_sum(x[0]); }, one_operand},
        {"cumulative_product", [](const Operands& x) { return cumulative_product(x[0]); }, one_operand},
        {"descending", [](const Operands& x) { return descending(x[0]); }, one_operand},
        {"product",
         [](const Operands& x) { return product(x[0], x[1]); },
         {{{0, 3, 4}, {0, 4, 2}}, {{2, 3, 4}, {0, 4, 2}}, {{0, 1, 4}, {2, 4, 3}}, {{1, 3, 1}, {2, 1, 3}}}},
        {"product_transposed",
         [](const Operands& x) { return product_transposed(x[0], x[1]); },
         {{{0, 3, 4}, {0, 2, 4}}, {{2, 3, 4}, {0, 2, 4}}, {{0, 1, 4}, {2, 3, 4}}, {{2, 3, 1}, {1, 3, 1}}}},
        {"inverse",
         [](const Operands& x) { return inverse_of(x[0] + 4 * x[1]); },
         {{{0, 3, 3}, {0, 3, 3}}, {{2, 2, 2}, {2, 2, 2}}},
         0.5,
         1},
        {"mix_heads",
         [](const Operands& x) { return mix_heads(x[0], x[1]); },
         {{{0, 2, 3}, {3, 2, 4}}, {{0, 1, 2}, {2, 3, 1}}}},
        {"sum_of_pairs",
         [](const Operands& x) {
             return sum_of_pairs(x[2] * tanh_of(left_row(x[0]) + right_row(x[1]) * left_row(x[0])));
         },
         {{{0, 3, 4}, {0, 2, 4}, {0, 1, 4}},
          {{2, 3, 4}, {0, 2, 4}, {0, 1, 4}},
          {{2, 3, 1}, {2, 2, 1}, {0, 1, 1}}}},
        {"sum_of_pairs_of_one",
         [](const Operands& x) { return sum_of_pairs(left_row(x[0]) * right_row(x[0])); },
         {{{0, 3, 4}}, {{2, 3, 4}}}},
        {"transposed", [](const Operands& x) { return transposed(x[0]); }, one_operand},
        {"split_heads", [](const Operands& x) { return split_heads(x[0], 2); }, {{{0, 3, 4}}}},
        {"split_rows", [](const Operands& x) { return split_rows(x[0], 2); }, {{{0, 4, 3}}}},
        {"join_heads", [](const Operands& x) { return join_heads(x[0]); }, {{{2, 3, 4}}}},
        {"take_heads",
         [](const Operands& x) {
             return take_heads(x[0], {1, 0, 1});
         },
         {{{2, 3, 4}}}},
        {"pick",
         [](const Operands& x) {
             return pick(x[0], {2, 2, {0, 2, 1, 0}}, {1, 2, {3, 3}});
         },
         {{{0, 3, 4}}, {{2, 3, 4}}}},
        {"join_columns",
         [](const Operands& x) {
             return join_columns({x[0], x[1], x[0]});
         },
         {{{0, 3, 4}, {0, 3, 2}}, {{2, 1, 4}, {2, 1, 1}}}},
        {"join_rows",
         [](const Operands& x) {
             return join_rows({x[0], x[1], x[0]});
         },
         {{{0, 3, 4}, {0, 2, 4}}, {{2, 1, 4}, {2, 3, 4}}}},
        // x^3 + a x = b, element by element, from an interval that is halved.
        {"solution",
         [](const Operands& x) {
             Expression low = -3.0 + 0 * (x[0] + x[1]), high = 3.0 + 0 * (x[0] + x[1]);
             const auto cubic = [&](const Expression& at) { return power_of(at, 3) + x[0] * at - x[1]; };
             for (int i = 0; i < 55; ++i) {
                 const Expression middle = (low + high) / 2;
                 const Expression is_high = is_above(cubic(middle), 0);
                 low = choose(is_high, low, middle);
                 high = choose(is_high, middle, high);
             }
             const Expression found = (low + high) / 2;
             return sin_of(solution_of(found, cubic(found)));
         },
         two_operands, 0.5, 2},
        {"sigmoid", [](const Operands& x) { return sigmoid_of(x[0]); }, one_operand},
        {"softplus", [](const Operands& x) { return softplus_of(x[0]); }, one_operand},
        {"log_sigmoid", [](const Operands& x) { return log_sigmoid_of(x[0]); }, one_operand},
    };
    return rows;
}

/// Those, and each function of elements, of rows or of columns that is a file of core/graph/operations, on
/// numbers around 0. One that wants others has a row above, called like it.
const std::vector<OperationRow>& operation_rows() {
    static const std::vector<OperationRow> rows = [] {
        std::vector<OperationRow> all = written_rows();
        for (const OperationDescription& each : declared_operations()) {
            std::string name(each.name);
            std::ranges::replace(name, ' ', '_');
            const bool goes_along =
                each.family == OperationFamily::reduction || each.family == OperationFamily::row;
            const bool is_function = (each.family == OperationFamily::elements || goes_along) &&
                                     each.backward && each.operands <= 2;
            if (is_function && std::ranges::count(all, name, &OperationRow::name) == 0)
                all.push_back(
                    {name, [operation = each.operation](const Operands& x) { return applied(operation, x); },
                     each.operands == 1 ? one_operand : two_operands});
        }
        return all;
    }();
    return rows;
}

class EachOperation : public testing::TestWithParam<OperationRow> {};

TEST_P(EachOperation, GoesBackByTheDifferencesOfItsNumbers) {
    std::mt19937 generator(7);
    for (const std::vector<Extent>& extents : GetParam().extents) {
        const OperandGraph subject(GetParam().build, extents);
        for (int time = 0; time < 3; ++time) {
            std::vector<Numbers> operands;
            for (const Extent& extent : extents)
                operands.push_back(drawn_numbers(extent, GetParam().low, GetParam().high, generator));
            SCOPED_TRACE(to_string(extents.front()));
            expect_differences(subject, operands, generator);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Operations, EachOperation, testing::ValuesIn(operation_rows()),
                         [](const auto& row) { return row.param.name; });

void add_operations(const Expression& x, std::set<Operation>& used) {
    used.insert(x->operation);
    for (const Expression& operand : x->operands)
        add_operations(operand, used);
}

/// A row that is added to the table is tried above, or says why it passes nothing.
TEST(Operations, AreCompleteAndTried) {
    std::set<Operation> tried;
    for (const OperationRow& row : operation_rows())
        if (row.name != "solution")  // its expression is walked as a tree, 2^55 nodes
            add_operations(OperandGraph(row.build, row.extents.front()).expression, tried);
    tried.insert(Operation::solution);
    std::set<std::string_view> names;
    for (std::size_t at = 0; at < operation_table().size(); ++at) {
        const OperationDescription& row = operation_table()[at];
        EXPECT_EQ(static_cast<std::size_t>(row.operation), at) << row.name << " stands in another place";
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_TRUE(row.shape && row.axes) << row.name;
        EXPECT_EQ(row.backward == nullptr, !row.no_derivative.empty()) << row.name;
        EXPECT_TRUE(!row.backward || row.run) << row.name;
        EXPECT_TRUE(!row.backward || tried.contains(row.operation)) << row.name << " has no row above";
        EXPECT_EQ(row.source != nullptr, row.family == OperationFamily::places) << row.name;
    }
    const std::size_t of_families = static_cast<std::size_t>(Operation::join_rows) + 1;
    EXPECT_EQ(operation_table().size(), of_families + declared_operations().size());
}

/// What has no words where it is declared has none anywhere: writers know operations by their declarations.
TEST(Operations, DeclareTheirWords) {
    for (const OperationDescription& row : operation_table()) {
        EXPECT_NE(row.python.form, PythonSpelling::Form::undeclared) << row.name << " in Python";
        EXPECT_NE(row.cell.form, CellSpelling::Form::undeclared) << row.name << " in cells";
        const PrintSpelling& print = row.print;
        if (!row.symbol.empty())
            continue;
        EXPECT_NE(print.form, PrintSpelling::Form::undeclared) << row.name << " in arithmetic";
        const bool is_written = print.form == PrintSpelling::Form::list ||
                                print.form == PrintSpelling::Form::factors ||
                                print.form == PrintSpelling::Form::said;
        EXPECT_TRUE(!is_written || print.symbols.text) << row.name << " with names, or that it has none";
        EXPECT_EQ(print.form == PrintSpelling::Form::list, print.list.between != nullptr) << row.name;
        EXPECT_EQ(print.form == PrintSpelling::Form::factors, row.factors != nullptr) << row.name;
    }
}

/// A place that no writer knows would be left empty.
TEST(Operations, HaveArithmeticWithPlacesThatAreKnown) {
    const std::set<std::string_view> wanted{"",     "sum",      "term",  "whole",
                                            "base", "exponent", "added", "subtracted"};
    for (const OperationDescription& row : operation_table()) {
        const PrintSpelling& print = row.print;
        const bool is_said = print.form == PrintSpelling::Form::said;
        for (const char* text : {is_said ? nullptr : print.pattern.text, print.symbols.text, print.list.each})
            if (text)
                walk_pattern(
                    text, [](std::string_view) {},
                    [&](const PatternPlace& place) {
                        EXPECT_TRUE(place.operand && wanted.contains(place.word)) << row.name << ": " << text;
                    });
    }
}

TEST(Operations, HaveWords) {
    for (const OperationRow& row : operation_rows()) {
        if (row.name == "solution")  // its expression is written as a tree, 2^55 nodes
            continue;
        Program program;
        Operands operands;
        for (const Extent& extent : row.extents.front())
            operands.push_back(program.give({operand_name(operands.size()), GivenTensor::Kind::input, extent,
                                             Numbers(static_cast<std::size_t>(extent.size()), 1.0), ""}));
        program.let("output", row.build(operands));
        program.let("ranks", rank_of(floor_of(operands[0])));
        program.let("truths", both_of(is_at_least(operands[0], 1), is_equal(operands[0], 1)));
        for (const PythonLibrary library : {PythonLibrary::numpy, PythonLibrary::torch})
            EXPECT_NE(python_text(program, library).find("\noutput = "), std::string::npos) << row.name;
        EXPECT_NO_THROW(formula_text(program)) << row.name;
        EXPECT_NO_THROW(workbook(program)) << row.name;
    }
}

/// A row of extreme numbers: the expression, its operand, and the gradient of its sum, written by hand.
struct ExtremeRow {
    const char* name;
    std::function<Expression(const Expression&)> build;
    Numbers x, gradient;
};

class Extremes : public testing::TestWithParam<ExtremeRow> {};

TEST_P(Extremes, HaveGradientsToo) {
    const auto& [name, build, x, expected] = GetParam();
    const OperandGraph subject([&build = build](const Operands& operands) { return build(operands[0]); },
                               {{0, 1, std::ssize(x)}});
    const Numbers weights(static_cast<std::size_t>(subject.expression.extent().size()), 1.0);
    const Numbers gradient = subject.gradients({x}, weights)[0];
    for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_DOUBLE_EQ(gradient[i], expected[i]) << i;
}

Expression softmax_first(const Expression& x) {
    const Expression powers = exp_of(x - maximum_of_columns(x));
    return some_columns(powers / sum_of_columns(powers), {0});
}

INSTANTIATE_TEST_SUITE_P(
    Numbers, Extremes,
    testing::Values(ExtremeRow{"sigmoid", sigmoid_of, {0, 1000, -1000}, {0.25, 0, 0}},
                    ExtremeRow{"softplus", softplus_of, {0, 1000, -1000}, {0.5, 1, 0}},
                    ExtremeRow{"log_sigmoid", log_sigmoid_of, {0, 1000, -1000}, {0.5, 0, 1}},
                    ExtremeRow{"relu", relu_of, {-1, 0, 2}, {0, 0.5, 1}},
                    ExtremeRow{"root_of_relu",
                               [](const Expression& x) { return power_of(relu_of(x), 0.5); },
                               {-1, 4},
                               {0, 0.25}},
                    ExtremeRow{"root_that_is_not_chosen",
                               [](const Expression& x) { return choose(is_above(x, 0), root_of(x), 1); },
                               {0, 4},
                               {0, 0.25}},
                    // The length of a vector of zeros, by which nothing is divided.
                    ExtremeRow{"direction_of_zeros",
                               [](const Expression& x) {
                                   const Expression length = root_of(sum_of_columns(x * x));
                                   return x / choose(is_above(length, 0), length, 1);
                               },
                               {0, 0},
                               {1, 1}},
                    ExtremeRow{"product_with_zeros", cumulative_product, {2, 0, 3}, {1, 2 + 2 * 3, 0}},
                    ExtremeRow{"product_with_two_zeros", cumulative_product, {0, 0, 3}, {1, 0, 0}},
                    ExtremeRow{"largest_of_equal_ones", maximum_of_columns, {3, 1, 3}, {0.5, 0, 0.5}},
                    ExtremeRow{"masked_softmax", softmax_first, {0, 0, -infinity}, {0.25, -0.25, 0}},
                    ExtremeRow{"distant_softmax", softmax_first, {1000, -1000}, {0, 0}},
                    ExtremeRow{
                        "chosen",
                        [](const Expression& x) { return choose(is_above(x, minus_infinity()), 2 * x, 5); },
                        {1, -infinity},
                        {2, 0}},
                    ExtremeRow{"sorted",
                               [](const Expression& x) { return some_columns(descending(x), {0}); },
                               {1, -infinity, 7, 7},
                               {0, 0, 1, 0}},
                    ExtremeRow{"sines_of_large_numbers", sin_of, {1e6}, {std::cos(1e6)}}),
    [](const auto& row) { return std::string(row.param.name); });

// A lower triangle is inverted in halves, any other matrix by elimination; a number above the diagonal
// decides.
TEST(Operations, InvertMatricesAndTrianglesOfAnySize) {
    for (const Index size : {1, 2, 15, 16, 17, 31, 64, 101})
        for (const double above : {0.0, 0.25}) {
            const Extent extent{2, size, size};
            const Expression x = named_tensor("x", extent, false);
            std::vector<double> numbers(static_cast<std::size_t>(extent.size()));
            for (Index i = 0; i < extent.size(); ++i) {
                const Index row = i / size % size, column = i % size;
                const double drawn = uniform(substream(7, static_cast<std::uint64_t>(i))) - 0.5;
                numbers[static_cast<std::size_t>(i)] = row == column  ? 1 + std::abs(drawn)
                                                       : row > column ? drawn
                                                                      : above * drawn;
            }
            const auto given = [&](const std::string&) { return std::span<const double>(numbers); };
            const std::vector<double> one = numbers_of(product(x, inverse_of(x)), given);
            for (Index i = 0; i < extent.size(); ++i)
                EXPECT_NEAR(one[static_cast<std::size_t>(i)], i / size % size == i % size ? 1 : 0, 1e-9)
                    << size << " x " << size << ", number " << i;
            const std::vector<double> inverse = numbers_of(inverse_of(x), given);
            for (Index i = 0; above == 0 && i < extent.size(); ++i)
                if (i / size % size < i % size) {
                    EXPECT_EQ(inverse[static_cast<std::size_t>(i)], 0) << "above the diagonal";
                }
        }
}

}}  // namespace headlight::operations_test
