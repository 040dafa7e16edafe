// A graph of operations: what it runs again and what it keeps, what it has once, and where gradients stop.

#include "core/graph/differentiate.h"
#include "core/graph/graph_values.h"
#include "core/graph/known_moves.h"
#include "core/graph/operation.h"
#include "core/tensor/error.h"
#include "tests/support/operand_graph.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <span>

namespace headlight::graph_test { namespace {

using test::drawn_numbers;
using test::OperandGraph;

using Operands = std::vector<Expression>;
using Numbers = std::vector<double>;

TEST(Graph, RunsAgainWithNewNumbers) {
    const OperandGraph subject([](const Operands& x) { return product(x[0], x[1]); }, {{0, 1, 2}, {0, 2, 1}});
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
    const OperandGraph subject(
        [](const Operands& x) {
            return sum_of_pairs(tanh_of(left_row(x[0]) * x[2] + right_row(x[1])) * x[2]);
        },
        {{2, 3, 4}, {2, 5, 4}, {0, 1, 4}});
    std::mt19937 generator(3);
    std::vector<std::vector<Numbers>> operands;
    for (int i = 0; i < 2; ++i)
        operands.push_back({drawn_numbers({2, 3, 4}, -1, 1, generator),
                            drawn_numbers({2, 5, 4}, -1, 1, generator),
                            drawn_numbers({0, 1, 4}, -1, 1, generator)});
    const Numbers weights = drawn_numbers(subject.expression.extent(), -1, 1, generator);
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
        {"q", input, of_tokens, drawn_numbers(of_tokens, -1, 1, generator), ""},
        {"k", input, of_tokens, drawn_numbers(of_tokens, -1, 1, generator), ""},
        {"v", parameter, of_all, drawn_numbers(of_all, -1, 1, generator), ""},
        {"kept", constant, of_pairs, Numbers{0, 0, 0, 1, 0, 1, 0, 1, 0}, "", true}};
    const Expression v = named_tensor("v", of_all, false);
    const Expression sums = sum_of_pairs(tanh_of(left_row(named_tensor("q", of_tokens, false)) * v +
                                                 right_row(named_tensor("k", of_tokens, false))) *
                                         v);
    const Expression masked = choose(named_tensor("kept", of_pairs, true), sums * sums, 0);
    const Numbers weights = drawn_numbers(masked.extent(), -1, 1, generator);
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

/// What nobody reads of a sum is decided by a mask, and a sum of what lasts is another one under another
/// mask.
TEST(Graph, SumsOfPairsOfWhatLastsFollowTheirMask) {
    using enum GivenTensor::Kind;
    const Extent of_tokens{0, 2, 1}, of_pairs{0, 2, 2};
    const std::vector<GivenTensor> given{{"w", parameter, of_tokens, Numbers{2, 3}, ""},
                                         {"kept", constant, of_pairs, Numbers{1, 0, 1, 1}, "", true}};
    const Expression w = named_tensor("w", of_tokens, false);
    const std::vector<ProgramPart> parts{
        {1,
         {{"masked",
           choose(named_tensor("kept", of_pairs, true), sum_of_pairs(left_row(w) * right_row(w)), 0), ""}}}};
    const Graph graph(given, parts);
    const std::vector<std::size_t> lasting{graph.step_of("w")};
    RepeatedValues values(graph, lasting);
    Differentiation differentiation(graph, lasting);
    const Numbers numbers{2, 3}, ones(4, 1.0);
    values.set(lasting[0], numbers);
    for (const Numbers& kept : {Numbers{1, 0, 1, 1}, Numbers{1, 1, 1, 0}, Numbers{1, 0, 0, 0}}) {
        values.set(graph.step_of("kept"), kept);
        values.run();
        differentiation.add(values, graph.step_of("masked"), ones);
        const std::span<const double> masked = values.of("masked");
        for (std::size_t at = 0; at < kept.size(); ++at)
            EXPECT_EQ(masked[at], kept[at] * numbers[at / 2] * numbers[at % 2]) << at;
    }
    differentiation.pass_on_lasting(values);
    EXPECT_EQ(differentiation.of("w")[0], 3 * 4 + 1 * 3 + 2 * 3) << "of 2 w w, and of w times the other";
    EXPECT_EQ(differentiation.of("w")[1], 1 * 6 + 1 * 2 + 2 * 2);
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
    const OperandGraph asked(build, extents);
    OperandGraph known(build, extents);
    known.graph.know_moves();
    for (const GraphStep& step : known.graph.steps())
        if (step.description().family == OperationFamily::places) {
            ASSERT_TRUE(step.node().moves);
            EXPECT_FALSE(step.node().moves->all().empty()) << step.description().name;
        }
    std::mt19937 generator(4);
    const std::vector<Numbers> operands{drawn_numbers(extents[0], -1, 1, generator),
                                        drawn_numbers(extents[1], -1, 1, generator)};
    const Numbers weights = drawn_numbers(asked.expression.extent(), -1, 1, generator);
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

/// Its bytes are those of each room, and of each operand that reads a given tensor.
TEST(Graph, CountsTheRoomsAndReadersOfItsSchedule) {
    const Extent extent{0, 256, 256};  // goes by rows
    const auto named = [&](const char* name) { return named_tensor(name, extent, false); };
    const auto let_result = [&](const Expression& second) {
        Graph graph;
        graph.give("x", extent, true);
        graph.let("first", exp_of(named("x")));
        graph.let("result", named("first") * second);
        return graph;
    };
    Graph reads_once = let_result(named("first"));
    const Graph reads_twice = let_result(named("x"));
    const GraphSchedule once(reads_once), twice(reads_twice);
    ASSERT_EQ(twice.readers.size(), once.readers.size() + 1);
    EXPECT_EQ(bytes_of_schedule(twice) - bytes_of_schedule(once), sizeof(GraphSchedule::Reader));
    const double bytes = bytes_of_schedule(once);
    const std::size_t rooms = once.rooms.size();
    reads_once.keep_only({"result"});
    const GraphSchedule fewer(reads_once);
    ASSERT_EQ(fewer.rooms.size(), rooms - 1) << "the first is within its group";
    EXPECT_EQ(bytes - bytes_of_schedule(fewer), sizeof(Index));
}

TEST(Graph, RefusesNumbersOfAnotherExtent) {
    const OperandGraph subject([](const Operands& x) { return -x[0]; }, {{0, 2, 2}});
    GraphValues values(subject.graph);
    EXPECT_THROW(values.set("x0", Numbers{1}), Error);
    EXPECT_THROW(values.run(), Error) << "no numbers at all";
    Differentiation differentiation(subject.graph);
    EXPECT_THROW(differentiation.run(values, subject.result, Numbers{1}), Error);
}

TEST(Graph, SaysWhereGradientsStop) {
    const OperandGraph subject(
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

}}  // namespace headlight::graph_test
