// The table of operations: each is complete, and its gradients are central differences of its numbers.

#include "core/graph/declared_operations.h"
#include "core/graph/differentiate.h"
#include "core/graph/graph_values.h"
#include "core/graph/known_moves.h"
#include "core/graph/operation.h"
#include "core/graph/program.h"
#include "core/program/python_text.h"
#include "core/program/workbook.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <set>
#include <span>

namespace headlight::operations_test { namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

using Operands = std::vector<Expression>;
using Numbers = std::vector<double>;

std::string name_of(std::size_t operand) { return "x" + std::to_string(operand); }

/// An expression of operands x0, x1, ... whose gradients are asked for, as a graph.
class Subject {
public:
    Subject(const std::function<Expression(const Operands&)>& build, const std::vector<Extent>& extents)
        : expression(0) {
        Operands operands;
        for (std::size_t i = 0; i < extents.size(); ++i) {
            operands.push_back(named_tensor(name_of(i), extents[i], false));
            graph.give(name_of(i), extents[i], true);
        }
        expression = build(operands);
        result = graph.add(expression);
    }

    Numbers values(const std::vector<Numbers>& operands) const {
        GraphValues values(graph);
        run(values, operands);
        const auto numbers = values.of(result);
        return {numbers.begin(), numbers.end()};
    }
    /// Gradients of the sum of `weights` times the result, one for each operand.
    std::vector<Numbers> gradients(const std::vector<Numbers>& operands, const Numbers& weights) const {
        GraphValues values(graph);
        run(values, operands);
        Differentiation differentiation(graph);
        differentiation.run(values, result, weights);
        std::vector<Numbers> all;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const auto gradient = differentiation.of(name_of(i));
            all.emplace_back(gradient.begin(), gradient.end());
        }
        return all;
    }

    Graph graph;
    Expression expression;
    std::size_t result = 0;

private:
    static void run(GraphValues& values, const std::vector<Numbers>& operands) {
        for (std::size_t i = 0; i < operands.size(); ++i)
            values.set(name_of(i), operands[i]);
        values.run();
    }
};

Numbers drawn(const Extent& extent, double low, double high, std::mt19937& generator) {
    std::uniform_real_distribution<double> distribution(low, high);
    Numbers numbers(static_cast<std::size_t>(extent.size()));
    std::ranges::generate(numbers, [&] { return distribution(generator); });
    return numbers;
}

double sum_of_products(const Numbers& a, const Numbers& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

/// Holds each gradient to the difference that a small change of its number makes.
void expect_differences(const Subject& subject, std::vector<Numbers> operands, std::mt19937& generator) {
    const Numbers weights = drawn(subject.expression.extent(), -1, 1, generator);
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

/// Those, and each function of elements that is a file of core/graph/operations, on numbers around 0. One
/// that wants others has a row above, called like it.
const std::vector<OperationRow>& operation_rows() {
    static const std::vector<OperationRow> rows = [] {
        std::vector<OperationRow> all = written_rows();
        for (const OperationDescription& each : declared_operations()) {
            std::string name(each.name);
            std::ranges::replace(name, ' ', '_');
            const bool is_function =
                each.family == OperationFamily::elements && each.backward && each.operands <= 2;
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
        const Subject subject(GetParam().build, extents);
        for (int time = 0; time < 3; ++time) {
            std::vector<Numbers> operands;
            for (const Extent& extent : extents)
                operands.push_back(drawn(extent, GetParam().low, GetParam().high, generator));
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
            add_operations(Subject(row.build, row.extents.front()).expression, tried);
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

/// Writers have words of their own for what the table has none for.
TEST(Operations, HaveWords) {
    for (const OperationRow& row : operation_rows()) {
        if (row.name == "solution")  // its expression is written as a tree, 2^55 nodes
            continue;
        Program program;
        Operands operands;
        for (const Extent& extent : row.extents.front())
            operands.push_back(program.give({name_of(operands.size()), GivenTensor::Kind::input, extent,
                                             Numbers(static_cast<std::size_t>(extent.size()), 1.0), ""}));
        program.let("output", row.build(operands));
        program.let("ranks", rank_of(floor_of(operands[0])));
        program.let("truths", both_of(is_at_least(operands[0], 1), is_equal(operands[0], 1)));
        for (const PythonLibrary library : {PythonLibrary::numpy, PythonLibrary::torch})
            EXPECT_NE(python_text(program, library).find("\noutput = "), std::string::npos) << row.name;
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
    const Subject subject([&build = build](const Operands& operands) { return build(operands[0]); },
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

TEST(Graph, RunsAgainWithNewNumbers) {
    const Subject subject([](const Operands& x) { return product(x[0], x[1]); }, {{0, 1, 2}, {0, 2, 1}});
    EXPECT_EQ(subject.values({{1, 2}, {3, 4}}), (Numbers{11}));
    GraphValues values(subject.graph);
    Differentiation differentiation(subject.graph);
    for (const double factor : {1.0, 2.0, 3.0}) {
        const Numbers left{factor, 2 * factor}, right{3, 4};
        values.set("x0", left);
        values.set("x1", right);
        values.run();
        EXPECT_EQ(values.of(subject.result)[0], 11 * factor);
        const Numbers one{1};
        differentiation.run(values, subject.result, one);
        EXPECT_EQ(differentiation.of("x0")[1], 4);
        EXPECT_EQ(differentiation.of("x1")[1], 2 * factor) << "each run begins at zero";
    }
}

/// exp(w) a x: what follows from `w` and `a` alone is as it was until one of them is set again, and its
/// gradients are those of all runs together.
TEST(Graph, ComputesWhatLastsOnce) {
    Graph graph;
    const Extent extent{0, 1, 2};
    for (const char* name : {"w", "a", "x"})
        graph.give(name, extent, true);
    const auto named = [&](const char* name) { return named_tensor(name, extent, false); };
    graph.let("factor", exp_of(named("w")) * named("a"));
    graph.let("result", named("factor") * named("x"));
    const std::size_t result = graph.step_of("result");
    const std::vector<std::size_t> lasting{graph.step_of("w"), graph.step_of("a")};
    RepeatedValues values(graph, lasting);
    Differentiation differentiation(graph, lasting);
    Numbers w{0, 1}, a{2, 3}, x{5, 7};
    values.set(lasting[0], w);
    values.set(lasting[1], a);
    values.set(graph.step_of("x"), x);
    values.run();
    EXPECT_EQ(values.of("result")[0], 10);

    x = {1, 2};
    a = {4, 4};
    values.run();
    EXPECT_EQ(values.of("result")[0], 2) << "nobody has said that a has changed";
    values.set(lasting[1], a);
    values.run();
    EXPECT_EQ(values.of("result")[0], 4);
    EXPECT_DOUBLE_EQ(values.of("result")[1], 8 * std::exp(1));

    const Numbers ones{1, 1};
    differentiation.add(values, result, ones);
    x = {10, 20};
    values.run();
    differentiation.add(values, result, ones);
    EXPECT_EQ(differentiation.of("w")[0], 0) << "it is to come, for both at once";
    EXPECT_EQ(differentiation.of("x")[0], 8) << "of each at once";
    differentiation.pass_on_lasting(values);
    EXPECT_DOUBLE_EQ(differentiation.of("w")[0], 4 * 11);
    EXPECT_DOUBLE_EQ(differentiation.of("w")[1], 4 * std::exp(1) * 22);
    EXPECT_DOUBLE_EQ(differentiation.of("a")[1], std::exp(1) * 22);
    differentiation.pass_on_lasting(values);
    EXPECT_DOUBLE_EQ(differentiation.of("w")[0], 4 * 11) << "it has been passed on";
    differentiation.run(values, result, ones);
    EXPECT_DOUBLE_EQ(differentiation.of("w")[0], 4 * 10) << "a run is alone";
}

/// A sum of pairs has what evaluates it from the one before, and nothing of its numbers.
TEST(Graph, SumsOfPairsBeginAnew) {
    const Subject subject(
        [](const Operands& x) {
            return sum_of_pairs(tanh_of(left_row(x[0]) * x[2] + right_row(x[1])) * x[2]);
        },
        {{2, 3, 4}, {2, 5, 4}, {0, 1, 4}});
    std::mt19937 generator(3);
    std::vector<std::vector<Numbers>> operands;
    for (int i = 0; i < 2; ++i)
        operands.push_back({drawn({2, 3, 4}, -1, 1, generator), drawn({2, 5, 4}, -1, 1, generator),
                            drawn({0, 1, 4}, -1, 1, generator)});
    const Numbers weights = drawn(subject.expression.extent(), -1, 1, generator);
    const Numbers first = subject.values(operands[0]);
    const std::vector<Numbers> gradients = subject.gradients(operands[0], weights);
    EXPECT_NE(subject.values(operands[1]), first);
    EXPECT_NE(subject.gradients(operands[1], weights), gradients);
    EXPECT_EQ(subject.values(operands[0]), first);
    EXPECT_EQ(subject.gradients(operands[0], weights), gradients);
}

/// Behind the last key that a mask leaves to a query nothing is computed, and what is read of the sums is as
/// it is where they have a name, which anybody may ask for.
TEST(Graph, LeavesOutPairsThatNobodyReads) {
    using enum GivenTensor::Kind;
    const Extent of_tokens{2, 3, 4}, of_all{0, 1, 4}, of_pairs{0, 3, 3};
    std::mt19937 generator(5);
    const std::vector<GivenTensor> given{
        {"q", input, of_tokens, drawn(of_tokens, -1, 1, generator), ""},
        {"k", input, of_tokens, drawn(of_tokens, -1, 1, generator), ""},
        {"v", parameter, of_all, drawn(of_all, -1, 1, generator), ""},
        {"kept", constant, of_pairs, Numbers{0, 0, 0, 1, 0, 1, 0, 1, 0}, "", true}};
    const Expression v = named_tensor("v", of_all, false);
    const Expression sums = sum_of_pairs(tanh_of(left_row(named_tensor("q", of_tokens, false)) * v +
                                                 right_row(named_tensor("k", of_tokens, false))) *
                                         v);
    const Expression masked = choose(named_tensor("kept", of_pairs, true), sums * sums, 0);
    const Numbers weights = drawn(masked.extent(), -1, 1, generator);
    struct Run {
        Numbers sums, masked;
        std::vector<Numbers> gradients;
    };
    const auto run = [&](const std::vector<ProgramPart>& parts) {
        const Graph graph(given, parts);
        GraphValues values(graph);
        for (const GivenTensor& tensor : given)
            values.set(tensor.name, tensor.numbers.all());
        values.run();
        Differentiation differentiation(graph);
        differentiation.run(values, graph.step_of("masked"), weights);
        const auto kept = [](std::span<const double> numbers) {
            return Numbers(numbers.begin(), numbers.end());
        };
        Run done{{}, kept(values.of("masked")), {}};
        for (std::size_t step = 0; step < graph.steps().size(); ++step)
            if (graph.steps()[step].node().operation == Operation::sum_of_pairs)
                done.sums = kept(values.of(step));
        for (const char* name : {"q", "k", "v"})
            done.gradients.push_back(kept(differentiation.of(name)));
        return done;
    };
    const Run some = run({{1, {{"masked", masked, ""}}}});
    const Run all = run({{1, {{"sums", sums, ""}, {"masked", masked, ""}}}});
    EXPECT_EQ(some.masked, all.masked);
    EXPECT_EQ(some.gradients, all.gradients);
    for (std::size_t at = 0; at < all.sums.size(); ++at) {
        const bool is_behind = at % 9 < 3 || at % 9 == 8;
        EXPECT_EQ(some.sums[at], is_behind ? 0 : all.sums[at]) << at;
        EXPECT_NE(all.sums[at], 0) << at;
    }
}

/// Elements in another place, where their places are asked once and where they are asked each time.
TEST(Graph, KnownMovesAreThoseThatAreAsked) {
    const auto build = [](const Operands& x) {
        const Expression split = split_heads(x[0], 2);
        const Expression turned = some_columns(split, {1, 0, 3, 2}), late = some_columns(split, {2, 3, 0, 1}),
                         diagonal =
                             pick(split, {3, 1, {0, 1, 2}}, {3, 4, {0, 1, 2, 3, 1, 1, 2, 0, 3, 2, 1, 0}});
        const Expression joined = join_columns({turned, some_rows(late, {2, 2, 0}), diagonal});
        const Expression stacked = join_rows({transposed(transposed(joined)), take_heads(joined, {1, 0})});
        return join_heads(stacked) * join_heads(split_rows(x[1], 2));
    };
    const std::vector<Extent> extents{{0, 3, 8}, {0, 12, 12}};
    const Subject asked(build, extents);
    Subject known(build, extents);
    known.graph.know_moves();
    for (const GraphStep& step : known.graph.steps())
        if (step.description().family == OperationFamily::places) {
            ASSERT_TRUE(step.node().moves);
            EXPECT_FALSE(step.node().moves->all().empty()) << step.description().name;
        }
    std::mt19937 generator(4);
    const std::vector<Numbers> operands{drawn(extents[0], -1, 1, generator),
                                        drawn(extents[1], -1, 1, generator)};
    const Numbers weights = drawn(asked.expression.extent(), -1, 1, generator);
    EXPECT_EQ(known.values(operands), asked.values(operands));
    EXPECT_EQ(known.gradients(operands, weights), asked.gradients(operands, weights));
}

/// y = x, then y = y * y twice: x^4.
TEST(Graph, LoopsAreWrittenOut) {
    const Extent extent{0, 1, 1};
    const Expression x = named_tensor("x", extent, false), y = named_tensor("y", extent, false);
    const std::vector<GivenTensor> given{{"x", GivenTensor::Kind::input, extent, {3}, ""}};
    const std::vector<ProgramPart> parts{{1, {{"y", x, ""}}}, {2, {{"y", y * y, ""}}}};
    const Graph graph(given, parts);
    GraphValues values(graph);
    values.set("x", given[0].numbers.all());
    values.run();
    EXPECT_EQ(values.of("y")[0], 81);
    Differentiation differentiation(graph);
    const Numbers one{1};
    differentiation.run(values, graph.step_of("y"), one);
    EXPECT_EQ(differentiation.of("x")[0], 4 * 27);
}

/// The root of x² = a, from an interval that is halved; what the turns compute is forgotten, and the gradient
/// does not come through them.
TEST(Graph, KeepsNothingOfASearch) {
    const Extent extent{0, 1, 3};
    const auto named = [&](const char* name) { return named_tensor(name, extent, false); };
    const Expression a = named("a"), low = named("low"), high = named("high"), middle = named("middle");
    const Expression is_high = named("is_high"), found = (low + high) / 2;
    const std::vector<GivenTensor> given{{"a", GivenTensor::Kind::parameter, extent, {4, 9, 2}, ""}};
    constexpr Index turns = 60;
    const std::vector<ProgramPart> parts{
        {1, {{"low", 0 * a, ""}, {"high", 0 * a + 10, ""}}},
        {turns,
         {{"middle", (low + high) / 2, ""},
          {"is_high", as_number(is_above(exp_of(2 * log_of(middle)), a)), ""},
          {"low", choose(is_high, low, middle), ""},
          {"high", choose(is_high, middle, high), ""}}},
        {1, {{"root", solution_of(found, found * found - a), ""}}}};
    const Graph graph(given, parts);
    GraphValues values(graph);
    Differentiation differentiation(graph);
    const Numbers ones{1, 1, 1};
    for (const Numbers& numbers : {Numbers{4, 9, 2}, Numbers{25, 1, 0.25}}) {
        values.set("a", numbers);
        values.run();
        differentiation.run(values, graph.step_of("root"), ones);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            EXPECT_DOUBLE_EQ(values.of("root")[i], std::sqrt(numbers[i]));
            EXPECT_DOUBLE_EQ(differentiation.of("a")[i], 0.5 / std::sqrt(numbers[i]));
        }
    }
    std::size_t logarithms = 0, kept = 0;
    for (const GraphStep& step : graph.steps())
        if (step.node().operation == Operation::logarithm) {
            ++logarithms;
            kept += step.is_kept || step.has_gradient ? 1 : 0;
        }
    EXPECT_EQ(logarithms, static_cast<std::size_t>(turns));
    EXPECT_EQ(kept, 0U);
}

/// What a graph shares between lines is computed once.
TEST(Graph, HasEachOperationOnce) {
    const Expression x = named_tensor("x", {0, 1, 1}, false), shared = exp_of(x);
    Graph graph;
    graph.give("x", {0, 1, 1}, true);
    graph.let("a", shared + 1);
    graph.let("b", shared * shared);
    EXPECT_EQ(graph.steps().size(), 5U);  // x, exp, 1, +, *
    EXPECT_THROW(graph.add(named_tensor("unknown", {0, 1, 1}, false)), Error);
}

TEST(Graph, RefusesNumbersOfAnotherExtent) {
    const Subject subject([](const Operands& x) { return -x[0]; }, {{0, 2, 2}});
    GraphValues values(subject.graph);
    EXPECT_THROW(values.set("x0", Numbers{1}), Error);
    EXPECT_THROW(values.run(), Error) << "no numbers at all";
    Differentiation differentiation(subject.graph);
    EXPECT_THROW(differentiation.run(values, subject.result, Numbers{1}), Error);
}

TEST(Graph, SaysWhereGradientsStop) {
    const Subject subject(
        [](const Operands& x) {
            return choose(is_above(rank_of(x[0]), 1), x[1], x[1] * floor_of(x[2])) + 0 * sum_of_rows(x[1]);
        },
        {{0, 1, 4}, {0, 1, 4}, {0, 1, 4}, {0, 1, 1}});
    const std::vector<StoppedGradient> stopped = stopped_gradients(subject.graph, subject.result);
    ASSERT_EQ(stopped.size(), 3U);
    EXPECT_EQ(stopped[0].tensor, "x0");
    EXPECT_EQ(stopped[0].reasons,
              std::vector<std::string>{"rank: a place in an order does not change with small changes"});
    EXPECT_EQ(stopped[1].tensor, "x2");
    EXPECT_EQ(stopped[1].reasons,
              std::vector<std::string>{"floor: a whole number does not change with small changes"});
    EXPECT_EQ(stopped[2].tensor, "x3");
    EXPECT_TRUE(stopped[2].reasons.empty()) << "nothing of it is in the result";
}

}}  // namespace headlight::operations_test
