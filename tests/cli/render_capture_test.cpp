// headlight render: captures, beside others, and named as people see their tokens.

#include "tests/cli/drawing.h"
#include "tests/cli/refusal.h"
#include "tests/support/safetensors_bytes.h"

#include <gtest/gtest.h>

namespace headlight::render_capture_test {

using namespace headlight::test;

namespace {

const std::string captures = HEADLIGHT_SOURCE_DIR "/tests/support/captures/";

class RenderCapture : public DrawingTest {
protected:
    Words beside(const std::string& view, const std::string& output) const {
        return {"render", captures + "self.npz", "--with", captures + "layers.npz", "--view", view, "-o",
                output};
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
    const std::string said = without_axes(place_.run(sorted).error);
    EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
    EXPECT_TRUE(has(said, "--all-maps")) << said;
    EXPECT_TRUE(has(place_.read("f.csv"), ",Change\r\n")) << place_.read("f.csv");
    EXPECT_EQ(without_axes(place_.run(beside("statistics", "s.csv")).error), "");
    EXPECT_TRUE(has(place_.read("s.csv"), "\nChange\r\n")) << place_.read("s.csv");
}

TEST_F(RenderCapture, NumbersOfEveryHeadSayWhereTheirMapsAre) {
    const auto is_said = [&](const std::string& view, const std::string& output) {
        const Outcome drawn = place_.run({"render", captures + "self.npz", "--view", view, "-o", output});
        EXPECT_EQ(drawn.status, 0) << drawn.error;
        return has(drawn.error, "--all-maps writes all maps whole, as .npz or .csv");
    };
    for (const char* output : {"f.npz", "f.csv", "f.md"})
        EXPECT_TRUE(is_said("model_grid", output)) << output;
    EXPECT_FALSE(is_said("model_grid", "f.svg")) << "the picture has them";
    for (const char* view : {"scatter", "grid", "heatmap"})  // whose numbers are all that they draw
        EXPECT_FALSE(is_said(view, "f.npz")) << view;
}

TEST_F(RenderCapture, HeadsAreNotOrderedByWhatNoneHas) {
    for (const char* option : {"--sort", "--framed-by"})
        for (const char* statistic : {"change", "hidden"})
            expect_refused(
                place_,
                {"render", captures + "self.npz", "--view", "model_grid", option, statistic, "-o", "f.svg"},
                1, std::string("expected a head with ") + statistic + ".*got none");
}

TEST_F(RenderCapture, QueriesAndKeysAreMultipliedDimensionByDimension) {
    const Words head{"--view", "query_key", "--layer", "2", "--head", "3", "--query", "saw"};
    const std::string svg = draw_from(captures + "queries.npz", head, "f.svg");
    for (const char* text : {">“saw” × each key<", ">Σ × 0.75 = <"})
        EXPECT_TRUE(has(svg, text)) << text;
    EXPECT_TRUE(has(draw_from(captures + "queries.npz", head, "f.csv"), "sum of the products,score,weight"));
    expect_refused(place_, {"render", captures + "implied.npz", "--view", "query_key", "-o", "f.png"}, 2,
                   "expected recorded queries and keys.*got a linear layer, whose decay lies between them");
}

// As in the window: the first query of a causal map can only look at itself.
TEST_F(RenderCapture, WhoLooksIsTheLastOneWhereMapsAreCausal) {
    struct Row {
        const char *file, *site, *query;
    };
    for (const Row& row :
         {Row{"causal.npz", "", "10"}, Row{"layers.npz", "", "1"},
          Row{"translation.npz", "encoder.0.self", "1"}, Row{"translation.npz", "decoder.0.self", "10"},
          Row{"translation.npz", "decoder.0.cross", "1"}}) {
        Words arguments{"--view", "text"};
        if (*row.site)
            arguments.insert(arguments.end(), {"--site", row.site});
        const std::string unasked = draw_from(captures + row.file, arguments, "f.csv");
        arguments.insert(arguments.end(), {"--query", row.query});
        EXPECT_EQ(unasked, draw_from(captures + row.file, arguments, "f.csv")) << row.file << ' ' << row.site;
    }
    const std::string last = draw_from(captures + "causal.npz", {"--view", "text"}, "f.csv");
    EXPECT_NE(last, draw_from(captures + "causal.npz", {"--view", "text", "--query", "1"}, "f.csv"));
}

TEST_F(RenderCapture, AnArchiveOfItsOwnNumbersIsTheMapAgain) {
    for (const Words& written :
         {Words{"--layer", "2", "--head", "2"}, Words{"--layer", "2", "--view", "grid"}}) {
        const std::string expected = draw_from(captures + "self.npz", written, "expected.csv");
        draw_from(captures + "self.npz", written, "own.npz");
        const bool is_grid = written.back() == "grid";
        const Words again = is_grid ? Words{"--view", "grid"} : Words{};
        EXPECT_EQ(draw_from("own.npz", again, "again.csv"), expected);
    }
    // The model's numbers of layers, too, where a capture has only some.
    place_.write("some.json", "[[[[1, 0], [0.5, 0.5]]], [[[1, 0], [0.25, 0.75]]]]");
    place_.write("some.tokens.json", R"({"tokens": ["a", "b"], "layer_numbers": [2, 5]})");
    for (const char* output : {"all.npz", "expected.csv"})
        EXPECT_EQ(place_.run({"render", "some.json", "--all-maps", "-o", output}).status, 0);
    EXPECT_EQ(place_.run({"render", "all.npz", "--all-maps", "-o", "again.csv"}).status, 0);
    EXPECT_EQ(place_.read("again.csv"), place_.read("expected.csv"));
    EXPECT_TRUE(has(place_.read("again.csv"), "\n6,1,2,2,b,b,0.75\r\n")) << place_.read("again.csv");
}

TEST_F(RenderCapture, ATableOfAllMapsIsTheMapsAgain) {
    place_.write("some.json", "[[[[1, 0], [0.5, 0.5]]], [[[1, 0], [0.25, 0.75]]]]");
    place_.write("some.tokens.json", R"({"tokens": ["a,\"b\"", " c"], "layer_numbers": [2, 5]})");
    for (const std::string& from :
         {captures + "translation.npz", captures + "self.npz", std::string("some.json")}) {
        EXPECT_EQ(place_.run({"render", from, "--all-maps", "-o", "all.csv"}).status, 0);
        const Outcome again = place_.run({"render", "all.csv", "--all-maps", "-o", "again.csv"});
        EXPECT_EQ(again.status, 0) << again.error;
        EXPECT_EQ(place_.read("again.csv"), place_.read("all.csv")) << from;
        EXPECT_EQ(place_.run({"analyse", "all.csv"}).output, place_.run({"analyse", from}).output) << from;
    }
    const std::string titles = "layer,head,query,key,query token,key token,weight\r\n";
    place_.write("cut.csv", titles + "1,1,1,1,a,a,1\r\n1,1,1,2,a,b,0\r\n1,1,2,1,b,a,1\r\n");
    expect_refused(place_, {"analyse", "cut.csv"}, 1,
                   "cut.csv: .*a line for each number of \\[1, 1, 2, 2\\], got 3");
    place_.write("other.csv", titles + "1,1,1,1,a,a,1\r\n1,1,1,3,a,b,0\r\n");
    expect_refused(place_, {"analyse", "other.csv"}, 1, "other.csv: line 3: .*the next number of all");
}

TEST_F(RenderCapture, AllMapsThatArePrintedAskForTheirFormat) {
    for (const Words& format : {Words{}, Words{"--format", "svg"}}) {
        Words asked{"render", captures + "self.npz", "--all-maps", "-o", "-"};
        asked.insert(asked.end(), format.begin(), format.end());
        expect_refused(place_, asked, 2, "--format: .*expected npz or csv, beside -o -, got (none|\"svg\")");
    }
}

TEST_F(RenderCapture, HelpSaysWhichRangeACaptureHas) {
    const std::string help = place_.run({"render", "--help"}).output;
    EXPECT_TRUE(std::regex_search(help, std::regex("the\\s+default\\s+of\\s+a\\s+capture"))) << help;
}

TEST_F(RenderCapture, PlacesThatAreNotThereAreToldFromThoseThatAre) {
    expect_refused(place_,
                   {"render", captures + "self.npz", "--layer", "1", "--site", "weights", "-o", "f.svg"}, 2,
                   "--site: .*the file has one kind of maps, which has no name, got \"weights\"");
    place_.write("some.json", "[[[[1, 0], [0.5, 0.5]]], [[[1, 0], [0.25, 0.75]]]]");
    place_.write("some.tokens.json", R"({"layer_numbers": [6, 11]})");
    expect_refused(place_, {"render", "some.json", "--layer", "8", "-o", "f.svg"}, 2,
                   "a layer that was recorded, 7, 12, got 8");
    expect_refused(place_, {"render", "some.json", "--site", "layer.7", "-o", "f.svg"}, 2,
                   "\"?layer.6\"?.*\"?layer.11\"?.*got");
}

TEST_F(RenderCapture, ATableOfTwoTextsHasTheWordsOfBothWithoutSigns) {
    place_.write("a.json", R"({"tokens": ["the", " cat"], "attentions": [[[1, 0], [0.5, 0.5]]]})");
    place_.write("b.json", R"({"tokens": ["the", " dog"], "attentions": [[[1, 0], [0.5, 0.5]]]})");
    place_.run({"render", "a.json", "--with", "b.json", "-o", "d.csv"});
    EXPECT_TRUE(has(place_.read("d.csv"), "cat ↔ dog")) << place_.read("d.csv");
    EXPECT_FALSE(has(place_.read("d.csv"), "␣")) << place_.read("d.csv");
}

TEST_F(RenderCapture, EachHeadIsOneOfEveryLayerUnlessALayerIsChosen) {
    draw_from(captures + "self.npz", {"--each", "head"}, "map.csv");
    for (const char* head : {"1-1", "1-2", "1-3", "2-1", "2-2", "2-3"})
        EXPECT_TRUE(place_.has(std::string("map-") + head + ".csv")) << head;
    EXPECT_FALSE(place_.has("map-1.csv"));
    EXPECT_EQ(place_.read("map-2-3.csv"),
              draw_from(captures + "self.npz", {"--layer", "2", "--head", "3"}, "one.csv"));
    draw_from(captures + "self.npz", {"--layer", "2", "--each", "head"}, "{} of two.csv");
    EXPECT_EQ(place_.read("3 of two.csv"), place_.read("one.csv"));
    EXPECT_FALSE(place_.has("4 of two.csv"));
    // A moving picture stays in its layer, and so do panels that name theirs.
    draw_from(captures + "self.npz", {"--panel", "layer=2", "--each", "head"}, "panel.csv");
    EXPECT_TRUE(place_.has("panel-3.csv"));
    EXPECT_FALSE(place_.has("panel-1-1.csv"));
}

/// Causal attention of so many tokens, each looking alike at all before it: 1/(i + 1).
std::string uniform_capture(int tokens) {
    const std::string bytes = std::to_string(4 * tokens), end = std::to_string(8 * tokens);
    const std::string shape = R"({"dtype": "F32", "shape": [1, )" + std::to_string(tokens) + ", 1]";
    return safetensors_bytes("{\"q\": " + shape + R"(, "data_offsets": [0, )" + bytes + "]}, \"k\": " +
                                 shape + R"(, "data_offsets": [)" + bytes + ", " + end + "]}}",
                             std::string(static_cast<std::size_t>(8 * tokens), '\0'));
}

TEST_F(RenderCapture, RowsOfAMapOfThousandsOfTokensAreDrawnAsLines) {
    place_.write("l.safetensors", uniform_capture(2100));
    place_.write("l.json", R"({"terms": {"scale": 1, "causal": true}})");
    const std::string svg =
        draw_from("l.safetensors", {"--view", "lines", "--rows", "2001..2004", "--columns", "1..9"}, "f.svg");
    EXPECT_TRUE(has(svg, "queries 2001 to 2004 of 2100; keys 1 to 9 of 2100")) << svg.substr(0, 2000);
    expect_refused(place_,
                   {"render", "l.safetensors", "--view", "lines", "--rows", "2001..2104", "-o", "f.svg"}, 2,
                   "rows from 1 to 2100");
    // A part that is small enough has numbers, and what its colours cannot say is said.
    const std::string part =
        draw_from("l.safetensors", {"--rows", "1..9", "--columns", "1..9", "--range", "0..0.3"}, "p.svg");
    EXPECT_TRUE(has(part, "In cells:")) << part.substr(0, 2000);
}

TEST_F(RenderCapture, AMapOfThousandsOfTokensIsNotOfOneColour) {
    place_.write("l.safetensors", uniform_capture(2100));
    place_.write("l.json", R"({"terms": {"scale": 1, "causal": true}})");
    place_.write("s.safetensors", uniform_capture(200));
    place_.write("s.json", R"({"terms": {"scale": 1, "causal": true}})");
    const auto end_of_bar = [&](const std::string& file, const Words& arguments) {
        const std::string svg = draw_from(file, arguments, "f.svg");
        return has(svg, ">≥") || has(svg, "≥</") ? "a percentile" : has(svg, ">1.0<") ? "1" : "?";
    };
    EXPECT_STREQ(end_of_bar("l.safetensors", {}), "a percentile");
    EXPECT_STREQ(end_of_bar("l.safetensors", {"--range", "unit"}), "1");
    EXPECT_STREQ(end_of_bar("s.safetensors", {}), "1");
    draw_from("l.safetensors", {}, "l.png");
    EXPECT_TRUE(has(draw_from("l.png", {}, "again.svg"), "≥")) << "the figure keeps its range";
}

/// self.npz with the tokens of a byte-level BPE.
class RenderTokens : public DrawingTest {
protected:
    RenderTokens() {
        std::filesystem::copy(captures + "self.npz", place_.folder() / "c.npz");
        place_.write("c.json",
                     R"({"tokens": ["It", "Ġis", "Ġwhat", "Ġit", "Ġis", "Ġ.", "Ġa", "Ġb", "Ġ1", "c"]})");
    }
    std::string numbers(const Words& arguments) { return draw_from("c.npz", arguments, "f.csv"); }
};

TEST_F(RenderTokens, AQueryIsNamedByItsText) {
    const std::string third = numbers({"--view", "text", "--query", "3"});
    EXPECT_EQ(numbers({"--view", "text", "--query", "what"}), third);
    EXPECT_EQ(numbers({"--view", "text", "--query", "Ġwhat"}), third);
    EXPECT_NE(numbers({"--view", "text", "--query", "it"}), third);
    EXPECT_EQ(numbers({"--view", "text", "--query", "1"}), numbers({"--view", "text", "--query", "It"}));
    expect_refused(
        place_, {"render", "c.npz", "--view", "text", "--query", "is", "-o", "g.csv"}, 2,
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

TEST_F(RenderTokens, TokensAreWrittenAsTheyMeanOrAsTheyAreStored) {
    const auto svg = [&](const Words& arguments) { return draw_from("c.npz", arguments, "f.svg"); };
    EXPECT_TRUE(has(svg({}), ">␣what<"));
    EXPECT_TRUE(has(svg({"--tokens", "plain"}), ">what<"));
    EXPECT_TRUE(has(svg({"--tokens", "stored"}), ">Ġwhat<"));
    EXPECT_TRUE(has(draw_from("f.svg", {}, "again.svg"), ">Ġwhat<")) << "the figure keeps its spelling";
    EXPECT_TRUE(has(numbers({}), ",what,")) << "a table has no signs for spaces";
    EXPECT_TRUE(has(numbers({"--tokens", "stored"}), ",Ġwhat,"));
    expect_refused(place_, {"render", "c.npz", "--tokens", "bytes", "-o", "g.svg"}, 2,
                   "--tokens: .*text.*plain.*stored");
}

TEST_F(RenderTokens, AHiddenTextIsFoundWhateverItsBytesAreSpeltLike) {
    place_.write(
        "c.json",
        R"({"tokens": ["ä½łå¥½", "ï¼Įä¸ĸçķĮ", "ĠÐŁÑĢÐ¸Ð²ÐµÑĤ", "Ġcaf", "Ã", "©", "Ċ", "âĢ¦", "Ġ1", "c"]})");
    for (const char* spelling : {"text", "stored"}) {
        EXPECT_EQ(numbers({"--tokens", spelling, "--hide", "你好,Привет"}),
                  numbers({"--tokens", spelling, "--hide", "1,3"}));
    }
    const auto delimiter = [&](const Words& more) {
        Words words{"analyse", "c.npz", "--by", "delimiter"};
        words.insert(words.end(), more.begin(), more.end());
        return place_.run(words).output;
    };
    const std::string by_bytes = delimiter({});
    EXPECT_EQ(delimiter({"--tokens", "stored"}), by_bytes) << "how tokens are written changes no number";
    place_.write("c.json", R"({"tokens": ["a", "b", "c", "d", "e", "f", "\n", "…", "1", "c"]})");
    EXPECT_EQ(delimiter({}), by_bytes) << "a new line and an ellipsis separate";
}

TEST_F(RenderTokens, ARegularExpressionIsAnsweredByTheNamesThatItFinds) {
    expect_refused(place_, {"analyse", "c.npz", "--hide", "^(is|it)$"}, 2,
                   "by number from 1 to 10, got .*; a name stands for itself.*: --hide 'is,it'");
    EXPECT_EQ(place_.run({"analyse", "c.npz", "--hide", "Ġis,Ġit"}).status, 0);
    EXPECT_FALSE(has(place_.run({"analyse", "c.npz", "--hide", "(("}).error, "stands for itself"));
    EXPECT_FALSE(has(place_.run({"analyse", "c.npz", "--hide", "wat"}).error, "stands for itself"));
}

}  // namespace

}  // namespace headlight::render_capture_test
