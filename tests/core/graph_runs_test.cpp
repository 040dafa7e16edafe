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

}}  // namespace headlight::graph_runs_test
