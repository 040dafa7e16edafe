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
    EXPECT_TRUE(has(place_.read("f.csv"), ",Change\r\n")) << place_.read("f.csv");
    EXPECT_EQ(place_.run(beside("statistics", "s.csv")).error, "");
    EXPECT_TRUE(has(place_.read("s.csv"), "\nChange\r\n")) << place_.read("s.csv");
}

TEST_F(RenderCapture, QueriesAndKeysAreMultipliedDimensionByDimension) {
    const Words head{"--view", "query_key", "--layer", "2", "--head", "3", "--query", "saw"};
    const std::string svg = draw_from(captures + "queries.npz", head, "f.svg");
    for (const char* text : {">“saw” × each key<", ">Σ × 0.75 = <"})
        EXPECT_TRUE(has(svg, text)) << text;
    EXPECT_TRUE(has(draw_from(captures + "queries.npz", head, "f.csv"), "sum of the products,score,weight"));
    expect_refused(place_, {"render", captures + "implied.npz", "--view", "query_key", "-o", "f.png"}, 1,
                   "expected recorded queries and keys.*got a linear layer, whose decay lies between them");
}

/// self.npz with the tokens of a byte-level BPE.
class RenderTokens : public DrawingTest {
protected:
    RenderTokens() {
        std::filesystem::copy(captures + "self.npz", place_.folder() / "c.npz");
        place_.write("c.json", R"({"tokens": ["It", "Ġis", "Ġwhat", "Ġit", "Ġis", "Ġ.", "Ġa", "Ġb", "Ġ1", "c"]})");
    }
    std::string numbers(const Words& arguments) { return draw_from("c.npz", arguments, "f.csv"); }
};

TEST_F(RenderTokens, AQueryIsNamedByItsText) {
    const std::string third = numbers({"--view", "text", "--query", "3"});
    EXPECT_EQ(numbers({"--view", "text", "--query", "what"}), third);
    EXPECT_EQ(numbers({"--view", "text", "--query", "Ġwhat"}), third);
    EXPECT_NE(numbers({"--view", "text", "--query", "it"}), third);
    EXPECT_EQ(numbers({"--view", "text", "--query", "1"}), numbers({"--view", "text", "--query", "It"}));
    expect_refused(place_, {"render", "c.npz", "--view", "text", "--query", "is", "-o", "g.csv"}, 2,
                   "--query: .*expected one token, by its number from 1 to 10, got \"is\", which are 2 and 5");
    expect_refused(place_, {"render", "c.npz", "--view", "text", "--query", "wat", "-o", "g.csv"}, 2,
                   "--query: .*expected a token, or its number from 1 to 10, got \"wat\"");
}

TEST_F(RenderTokens, AHiddenTextTakesAllOfItsTokensAway) {
    EXPECT_EQ(numbers({"--hide", "is"}), numbers({"--hide", "2,5"}));
    EXPECT_EQ(numbers({"--hide", "it,what"}), numbers({"--hide", "3,4"}));
    EXPECT_EQ(numbers({"--hide", "1"}), numbers({"--hide", "It"}));
    EXPECT_EQ(place_.run({"analyse", "c.npz", "--hide", "is"}).output,
              place_.run({"analyse", "c.npz", "--hide", "2,5"}).output);
}

}  // namespace
