// An image on the command line: run cuts it into patches, render lays the heat over it.

#include "app/cli/shell_words.h"
#include "core/io/session.h"
#include "core/io/trace_file.h"
#include "tests/cli/refusal.h"
#include "tests/support/sample_pictures.h"

#include <algorithm>
#include <regex>

namespace headlight::image_command_test {

using namespace headlight::test;

namespace {

/// As a BMP without compression, the simplest format that everybody reads.
std::string bmp(const Picture& picture) {
    std::string bytes = "BM";
    const auto add = [&](std::uint32_t number, int count) {
        for (; count > 0; --count, number >>= 8)
            bytes += static_cast<char>(number & 0xFF);
    };
    const auto width = static_cast<std::uint32_t>(picture.width),
               height = static_cast<std::uint32_t>(picture.height);
    const std::uint32_t padding = (4 - 3 * width % 4) % 4, pixels = (3 * width + padding) * height;
    for (const std::uint32_t field : {54 + pixels, 0u, 54u, 40u, width, height})
        add(field, 4);
    add(1, 2);
    add(24, 2);
    for (const std::uint32_t field : {0u, pixels, 2835u, 2835u, 0u, 0u})
        add(field, 4);
    for (Index row = picture.height - 1; row >= 0; --row) {
        for (Index column = 0; column < picture.width; ++column)
            for (const Index channel : {2, 1, 0})
                add(picture.rgb[static_cast<std::size_t>((row * picture.width + column) * 3 + channel)], 1);
        add(0, static_cast<int>(padding));
    }
    return bytes;
}

class ImageOnTheCommandLine : public testing::Test {
protected:
    ImageOnTheCommandLine() { place_.write("a.bmp", bmp(samples::landscape())); }

    Outcome run(std::vector<std::string> arguments) { return place_.run(std::move(arguments)); }

    Workplace place_;
};

TEST_F(ImageOnTheCommandLine, ItsPatchesAreTheTokensAndTheTraceCarriesIt) {
    const Outcome outcome = run({"run", "swin", "--image", "a.bmp", "--patches", "6", "-o", "t.json"});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.error, "");
    const Trace trace = parse_trace_json(place_.read("t.json"));
    EXPECT_EQ(trace.tokens.query.size(), 24u);
    EXPECT_EQ(trace.tokens.query.back(), "4,6");
    EXPECT_EQ(std::get<Index>(std::get<PatternMask>(trace.spec.mask.rule).options.at("columns")), 6);
    const Session session = parse_session(trace.session);
    EXPECT_EQ(session.mechanism, "swin");
    EXPECT_EQ(*session.sequence.image.picture, samples::landscape());
    EXPECT_EQ(session.sequence.image_name, "a.bmp");
}

TEST_F(ImageOnTheCommandLine, TheHeatIsDrawnOverIt) {
    ASSERT_EQ(run({"run", "axial", "--image", "a.bmp", "-o", "t.json"}).status, 0);
    for (const char* name : {"f.png", "f.svg", "f.pdf"}) {
        const Outcome drawn = run({"render", "t.json", "--view", "image", "--query", "3,4", "-o", name});
        EXPECT_EQ(drawn.status, 0) << drawn.error;
        EXPECT_TRUE(place_.has(name));
    }
    EXPECT_TRUE(std::regex_search(place_.read("f.svg"), std::regex("patch 3,4 looks"))) << "what is drawn";
    EXPECT_EQ(run({"render", "t.json", "--view", "image", "--query", "1", "-o", "f.csv"}).status, 0);
    EXPECT_TRUE(place_.read("f.csv").starts_with(",1,2,3,4,5,6,7,8,9,10,11,12,13,14\r\n"));
    EXPECT_EQ(run({"render", "f.png", "-o", "again.png"}).status, 0) << "the figure carries its image on";
    EXPECT_EQ(place_.read("again.png").substr(0, 4), "\x89PNG");
}

TEST_F(ImageOnTheCommandLine, InCrossAttentionTheTargetLooksAtIt) {
    const Outcome outcome =
        run({"run", "cross", "--image", "a.bmp", "--target", "a red square", "-o", "t.json"});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    const Trace trace = parse_trace_json(place_.read("t.json"));
    EXPECT_EQ(trace.tokens.query, (std::vector<std::string>{"a", "red", "square"}));
    EXPECT_EQ(trace.tokens.key.front(), "1,1");
    EXPECT_EQ(run({"render", "t.json", "--query", "red", "-o", "f.png"}).status, 0);
}

/// The lines of docs/command-line.md, one after another: a trace, its pictures, an image.
TEST_F(ImageOnTheCommandLine, TheExamplesOfTheManualDrawWhatTheyAreGiven) {
    const std::string manual = read_file(HEADLIGHT_SOURCE_DIR "/docs/command-line.md");
    const std::size_t begin = manual.find("headlight run multi_head --set heads=8 ");
    ASSERT_NE(begin, std::string::npos);
    place_.write("photo.jpg", bmp(samples::landscape()));  // by its bytes it is known
    int lines = 0;
    for (const std::string& line : lines_in(manual.substr(begin, manual.find("```", begin) - begin))) {
        std::vector<std::string> words = shell_words(line);
        ASSERT_EQ(words.front(), "headlight");
        words.erase(words.begin());
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.status, 0) << line << '\n' << outcome.error;
        ++lines;
    }
    EXPECT_GE(lines, 10);
    EXPECT_TRUE(place_.has("head-8.png"));
}

TEST_F(ImageOnTheCommandLine, RefusesWhatIsNoImage) {
    place_.write("b.png", "hello");
    const auto expect = [&](const std::vector<std::string>& arguments, int status, const char* says) {
        expect_refused(place_, arguments, status, says);
    };
    expect({"run", "dot", "--image", "b.png", "-o", "t.json"}, 1, "b\\.png: read image: .*got plain text");
    expect({"run", "dot", "--image", "gone.png", "-o", "t.json"}, 1, "gone\\.png");
    expect({"run", "dot", "--image", "a.bmp", "--patches", "49", "-o", "t.json"}, 2,
           "--patches: .*from 1 to");
    ASSERT_EQ(run({"run", "dot", "--text", "a b", "-o", "t.json"}).status, 0);
    expect({"render", "t.json", "--view", "image", "-o", "f.png"}, 2, "the patches of an image");
}

}  // namespace

}  // namespace headlight::image_command_test
