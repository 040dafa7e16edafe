// Graphs of several extents and their runs: the one that was used longest ago goes when there are too many
// bytes, and the newest stays.

#include "core/nn/graph_runs.h"

#include <gtest/gtest.h>

namespace headlight::graph_runs_test { namespace {

using nn::GraphRuns;
using nn::KeptGraph;

/// x + x of a row of so many numbers.
std::shared_ptr<const KeptGraph> doubled_row(Index columns) {
    GivenTensor x;
    x.name = "x";
    x.extent = {0, 1, columns};
    x.numbers = std::vector<double>(static_cast<std::size_t>(columns), 1.0);
    const Expression row = named_tensor("x", x.extent, false);
    ProgramPart part;
    part.assignments.push_back({"doubled", row + row, {}});
    return std::make_shared<const KeptGraph>(nullptr, std::vector<GivenTensor>{x}, std::vector{part});
}

TEST(GraphRuns, TheOneUsedLongestAgoGoes) {
    const auto one = doubled_row(100);
    GraphRuns<KeptGraph, 1> runs(2.5 * (one->bytes + one->bytes_of_run));
    int made = 0;
    const auto use = [&](Index number) {
        auto run = runs.take({number}, [&] {
            ++made;
            return doubled_row(100);
        });
        runs.give_back({number}, std::move(run));
    };
    use(1);
    use(2);
    use(1);
    EXPECT_EQ(made, 2);
    use(3);  // 2 goes
    EXPECT_EQ(made, 3);
    use(1);
    EXPECT_EQ(made, 3);
    use(2);
    EXPECT_EQ(made, 4);
    EXPECT_LE(runs.bytes(), 2.5 * (one->bytes + one->bytes_of_run));
}

TEST(GraphRuns, TheNewestStaysHoweverLargeItIs) {
    GraphRuns<KeptGraph, 1> runs(1);
    int made = 0;
    for (int turn = 0; turn < 3; ++turn) {
        auto run = runs.take({7}, [&] {
            ++made;
            return doubled_row(100);
        });
        runs.give_back({7}, std::move(run));
    }
    EXPECT_EQ(made, 1);
    EXPECT_GT(runs.bytes(), 1);
}

// A run has room for what it sets: what follows from places is the graph's.
TEST(GraphRuns, ShareWhatFollowsFromPlaces) {
    constexpr Index columns = 100;
    GivenTensor x{"x", GivenTensor::Kind::input, {0, 1, columns}, std::vector<double>(columns, 1.0), {}};
    GivenTensor place = x;
    place.name = "place";
    place.kind = GivenTensor::Kind::constant;
    place.numbers = {columns, [](Index i) { return static_cast<double>(i); }};
    ProgramPart part;
    part.assignments.push_back(
        {"sum", named_tensor("x", x.extent, false) + named_tensor("place", x.extent, false), {}});
    const auto graph =
        std::make_shared<const KeptGraph>(nullptr, std::vector<GivenTensor>{x, place}, std::vector{part});
    place.kind = GivenTensor::Kind::input;
    const KeptGraph own(nullptr, {x, place}, std::vector{part});
    EXPECT_EQ(graph->bytes, own.bytes);
    EXPECT_LE(graph->bytes_of_run + columns * sizeof(double), own.bytes_of_run);

    nn::GraphRun<KeptGraph> one(graph), other(graph);
    one.numbers[0].front() = 5;
    one.values.run();
    other.values.run();
    const std::size_t of_x = graph->steps[0], of_place = graph->steps[1], sum = graph->graph.step_of("sum");
    EXPECT_NE(one.values.of(of_x).data(), other.values.of(of_x).data());
    EXPECT_EQ(one.values.of(of_place).data(), other.values.of(of_place).data());
    EXPECT_TRUE(one.numbers[1].empty());
    EXPECT_EQ(one.values.of(sum).front(), 5);
    EXPECT_EQ(other.values.of(sum).front(), 1);
    EXPECT_EQ(other.values.of(sum).back(), columns);
}

// What a run draws differs from sequence to sequence, and so does what follows from that alone.
TEST(GraphRuns, ComputeAnewWhatFollowsFromNumbersOfTheirOwn) {
    const GivenTensor x{"x", GivenTensor::Kind::input, {0, 1, 1}, std::vector<double>(1, 1.0), {}};
    GivenTensor drawn = x;
    drawn.name = "drawn";
    drawn.kind = GivenTensor::Kind::constant;
    const Expression noise = named_tensor("drawn", x.extent, false);
    ProgramPart part;
    part.assignments.push_back({"sum", named_tensor("x", x.extent, false) + noise * noise, {}});
    const auto graph =
        std::make_shared<const KeptGraph>(nullptr, std::vector<GivenTensor>{x, drawn}, std::vector{part},
                                          [](const GivenTensor& tensor) { return tensor.name == "drawn"; });
    nn::GraphRun<KeptGraph> run(graph);
    for (const double number : {2.0, 3.0}) {
        run.numbers[1].front() = number;
        run.values.run();
        EXPECT_EQ(run.values.of(graph->graph.step_of("sum")).front(), 1 + number * number);
    }
}

// What an operation is called with but for its numbers is the graph's, of however many small steps.
TEST(GraphRuns, ShareWhatTheirCallsHave) {
    constexpr int steps = 1'000;
    const GivenTensor x{"x", GivenTensor::Kind::constant, {0, 1, 1}, std::vector<double>(1, 1.0), {}};
    const Expression first = named_tensor("x", x.extent, false);
    Expression sum = first;
    for (int step = 0; step < steps; ++step)
        sum = sum + first;
    ProgramPart part;
    part.assignments.push_back({"sum", sum, {}});
    const auto graph =
        std::make_shared<const KeptGraph>(nullptr, std::vector<GivenTensor>{x}, std::vector{part});
    EXPECT_LT(graph->bytes_of_run, 64.0 * steps);
    nn::GraphRun<KeptGraph> one(graph), other(graph);
    for (nn::GraphRun<KeptGraph>* run : {&one, &other}) {
        run->values.run();
        EXPECT_EQ(run->values.of(graph->graph.step_of("sum")).front(), steps + 1);
    }
}

}}  // namespace headlight::graph_runs_test
