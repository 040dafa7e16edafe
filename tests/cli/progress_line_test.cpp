// The progress of a training on a terminal of any width.

#include "app/cli/progress.h"

#include <gtest/gtest.h>

namespace headlight::progress_line_test { namespace {

const TrainingProgress halfway{600, 1200, 0.12345, 0.931};
const TrainingProgress long_run{4'999'990, 10'000'000, 123.4567, 0.5};

TEST(ProgressLine, SaysAllWhereThereIsRoom) {
    EXPECT_EQ(
        progress_line(halfway, 2.4, 120),
        "[############............] 600/1200  4 min 10 s left, loss 0.1235, exact match 93.1 %, 2.4 steps/s");
}

TEST(ProgressLine, KeepsHowFarAndHowLongInEveryWidth) {
    for (const TrainingProgress& progress : {halfway, long_run}) {
        for (std::size_t columns = 45; columns <= 200; ++columns) {
            const std::string line = progress_line(progress, 2.4, columns);
            EXPECT_LE(line.size(), columns);
            EXPECT_NE(line.find('/' + std::to_string(progress.steps)), std::string::npos) << line;
            EXPECT_NE(line.find(" left"), std::string::npos) << line;
        }
        for (std::size_t columns = 0; columns < 45; ++columns)
            EXPECT_LE(progress_line(progress, 2.4, columns).size(), columns);
    }
}

TEST(ProgressLine, LeavesOutTheSpeedFirst) {
    const std::string line = progress_line(halfway, 2.4, 79);
    EXPECT_EQ(line, "[#########.........] 600/1200  4 min 10 s left, loss 0.1235, exact match 93.1 %");
}

}}  // namespace headlight::progress_line_test
