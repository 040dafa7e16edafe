// headlight render --frames: a picture that moves, and what it is refused for.

#include "core/io/trace_file.h"
#include "tests/cli/refusal.h"
#include "tests/support/sample_traces.h"

#include <gtest/gtest.h>

namespace headlight::frames_test {

using namespace headlight::test;

namespace {

std::size_t count_of(const std::string& bytes, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = bytes.find(part); at != std::string::npos; at = bytes.find(part, at + 1))
        ++count;
    return count;
}

/// Each frame of a GIF has a graphic control extension (GIF89a, 23), with its delay in hundredths of a
/// second; those after the first have pixels that are seen through.
std::size_t frames_of_delay(const std::string& bytes, int hundredths) {
    std::size_t count = 0;
    for (const char flags : {'\x04', '\x05'})
        count += count_of(bytes, {'\x21', '\xF9', '\x04', flags, static_cast<char>(hundredths), '\0'});
    return count;
}

/// The width that a GIF says of itself.
int width_of(const std::string& gif) {
    return static_cast<unsigned char>(gif.at(6)) + 256 * static_cast<unsigned char>(gif.at(7));
}

class Frames : public testing::Test {
protected:
    Frames() { place_.write("t.json", write_trace_json(samples::sentence())); }
    std::string film(std::vector<std::string> arguments, const std::string& output) {
        arguments.insert(arguments.begin(), {"render", "t.json", "--width", "1400px", "-o", output});
        const Outcome outcome = place_.run(arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        return place_.read(output);
    }

    Workplace place_;
};

TEST_F(Frames, AreTheStepsTheStagesTheHeadsOrAMotion) {
    const Trace trace = samples::sentence();
    const Stage& weights = *trace.find("weights");
    const std::string steps = film({"--frames", "steps", "--fps", "4"}, "steps.gif");
    EXPECT_EQ(frames_of_delay(steps, 25), static_cast<std::size_t>(weights.extent(Axis::query)));
    const std::string heads = film({"--frames", "heads"}, "heads.webp");
    EXPECT_EQ(count_of(heads, "ANMF"), static_cast<std::size_t>(weights.extent(Axis::head)));
    const std::string stages = film({"--frames", "stages"}, "stages.gif");
    EXPECT_GE(frames_of_delay(stages, 50), 4u);
    const std::string motion =
        film({"--frames", "motion", "--stage", "scores", "--query", "3", "--fps", "2"}, "motion.gif");
    EXPECT_GE(frames_of_delay(motion, 50), 8u);
}

TEST_F(Frames, AreAsLargeAsAScreenNeedsUnlessSomebodySays) {
    const auto width = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"render", "t.json", "--frames", "steps", "-o", "f.gif"});
        const Outcome outcome = place_.run(arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        return width_of(place_.read("f.gif"));
    };
    const int usual = width({}), printed = width({"--dpi", "300"});
    EXPECT_NEAR(usual, printed * 108 / 300.0, 1);
    EXPECT_LE(usual, 1400);
    EXPECT_EQ(width({"--width", "127mm"}), 1500);  // five inches, of the usual 300 dots
    EXPECT_EQ(width({"--width", "1234px"}), 1234);
}

TEST_F(Frames, AreRefusedWhereThereAreNone) {
    const auto refused = [&](std::vector<std::string> arguments, const std::string& message) {
        arguments.insert(arguments.begin(), {"render", "t.json"});
        expect_refused(place_, arguments, 2, message);
    };
    refused({"--frames", "steps", "-o", "f.png"},
            "-o: render: expected a name that ends in \\.gif or \\.webp");
    refused({"--frames", "stepps", "-o", "f.gif"}, "--frames: render: .*did you mean \"steps\"");
    refused({"--fps", "4", "-o", "f.gif"}, "--fps: render: expected it beside --frames");
    for (const char* rate : {"0", "51", "nan", "-1", "x"})
        refused({"--frames", "steps", "--fps", rate, "-o", "f.gif"}, "--fps");
    refused({"--frames", "steps", "--view", "heatmap", "-o", "f.gif"},
            "--frames: render: expected a view that");
    refused({"--frames", "motion", "--view", "heatmap", "-o", "f.gif"},
            "--frames: render: expected the view stages or map");
    refused({"--frames", "heads", "--view", "grid", "-o", "f.gif"},
            "--frames: render: expected a view of one");
    refused({"--frames", "stages", "--view", "statistics", "-o", "f.gif"},
            "--frames: render: expected a view");
}

}  // namespace

}  // namespace headlight::frames_test
