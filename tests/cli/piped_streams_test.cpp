// "-" in place of a file or a text: what a shell pipes in and out.

#include "core/io/trace_file.h"
#include "tests/cli/program.h"
#include "tests/support/sample_traces.h"

#include <gtest/gtest.h>

#include <regex>

namespace headlight::piped_streams_test {

using namespace headlight::test;

namespace {

using Words = std::vector<std::string>;

class PipedStreams : public testing::Test {
protected:
    PipedStreams() {
        place_.write("t.json", write_trace_json(samples::sentence()));
        place_.write("text", "the cat sat\n");
    }
    /// What the program prints, with a file of the folder piped in.
    std::string printed(const Words& arguments, const std::string& input) {
        const Outcome outcome = place_.run(arguments, input);
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        return outcome.output;
    }
    Workplace place_;
};

TEST_F(PipedStreams, AFileFromStandardInputIsThatFile) {
    for (const char* format : {"csv", "svg", "npz"}) {
        const std::string output = std::string("f.") + format;
        ASSERT_EQ(place_.run({"render", "t.json", "--strip", "-o", output}).error, "");
        for (const char* input : {"-", "/dev/stdin"})
            EXPECT_EQ(printed({"render", input, "--strip", "--format", format, "-o", "-"}, "t.json"),
                      place_.read(output))
                << input;
    }
    EXPECT_TRUE(printed({"render", "-", "-o", "-"}, "t.json").starts_with("\x89PNG"));
    EXPECT_EQ(printed({"analyse", "-", "-o", "-"}, "t.json"), place_.run({"analyse", "t.json"}).output);
}

TEST_F(PipedStreams, ATextFromStandardInputIsThatText) {
    EXPECT_EQ(printed({"run", "dot", "--text", "-", "-o", "-"}, "text"),
              place_.run({"run", "dot", "--text", "the cat sat", "-o", "-"}).output);
    const Words model{"attend", "dates-luong", "--text", "-", "-o", "-"};
    place_.write("date", "3rd of May 1979\n");
    const Outcome answered = place_.run(model, "date");
    EXPECT_EQ(answered.error, "headlight: 1979-05-03\n");
    EXPECT_NO_THROW(parse_trace_json(answered.output));
}

TEST_F(PipedStreams, InputsAndSpecsAreReadLikeFiles) {
    place_.write("i.csv", "a,1,0\nb,0,1\n");
    ASSERT_EQ(place_.run({"run", "dot", "--inputs", "i.csv", "-o", "t.csv.json"}).error, "");
    const Trace trace = parse_trace_json(printed({"run", "dot", "--inputs", "-", "-o", "-"}, "i.csv"));
    EXPECT_EQ(trace.tokens.query, (std::vector<std::string>{"a", "b"}));
}

TEST_F(PipedStreams, ARefusalSpeaksOfStandardInput) {
    place_.write("broken", "{ no trace");
    const Outcome refused = place_.run({"render", "-", "-o", "f.png"}, "broken");
    EXPECT_EQ(refused.status, 1);
    EXPECT_TRUE(std::regex_search(refused.error, std::regex("^headlight: standard input"))) << refused.error;
    const Outcome twice = place_.run({"run", "dot", "--text", "-", "--spec", "-", "-o", "-"}, "text");
    EXPECT_EQ(twice.status, 2);
    EXPECT_NE(twice.error.find("standard input once"), std::string::npos) << twice.error;
    for (const Words& slip : {Words{"render", "-", "--format", "png", "-o", "f.png"},
                              Words{"render", "-", "--format", "bmp", "-o", "-"},
                              Words{"render", "-", "--each", "head", "-o", "-"}})
        EXPECT_EQ(place_.run(slip, "t.json").status, 2) << slip[2];
}

}  // namespace

}  // namespace headlight::piped_streams_test
