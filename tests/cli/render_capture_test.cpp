// headlight render: captures, beside others, and named as people see their tokens.

#include "tests/cli/drawing.h"
#include "tests/cli/refusal.h"

#include <gtest/gtest.h>

using namespace headlight;
using namespace headlight::test;

namespace {

const std::string captures = HEADLIGHT_SOURCE_DIR "/tests/support/captures/";

class RenderCapture : public DrawingTest {
protected:
    Words beside(const std::string& view, const std::string& output) const {
        return {"render", captures + "self.npz", "--with", captures + "layers.npz",
                "--view", view,                  "-o",     output};
    }
};

TEST_F(RenderCapture, AViewThatDrawsNothingOfTheOtherMapsIsRefused) {
    for (const char* view : {"lines", "text", "axes", "stages"})
        expect_refused(place_, beside(view, "f.svg"), 2,
                       std::string("--with: .*a view that compares: .*\"heatmap\".*got \"") + view + '"');
}

TEST_F(RenderCapture, AViewOfEveryHeadHasWhatChangesAsAStatistic) {
    Words sorted = beside("model_grid", "f.csv");
    sorted.insert(sorted.end(), {"--sort", "change"});
    EXPECT_EQ(place_.run(sorted).error, "");
    EXPECT_TRUE(has(place_.read("f.csv"), "change")) << place_.read("f.csv");
    EXPECT_EQ(place_.run(beside("statistics", "s.csv")).error, "");
    EXPECT_TRUE(has(place_.read("s.csv"), "\nChange\r\n")) << place_.read("s.csv");
}

}  // namespace
