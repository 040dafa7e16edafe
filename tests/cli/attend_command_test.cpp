// `headlight attend`: a model answers, greedily, searching, drawing or as it is told, and its trace can be
// drawn.

#include "core/io/model_folder.h"
#include "core/io/trace_file.h"
#include "tests/cli/refusal.h"
#include "tests/support/small_models.h"

#include <algorithm>
#include <regex>

namespace headlight::attend_command_test {

using namespace headlight::test;

namespace {

/// A folder "m" with a small model.
class Place : public Workplace {
public:
    explicit Place(const SmallModel& model) { write_model_folder(small_trained(model), folder() / "m"); }
    Outcome attend(std::vector<std::string> more) const {
        more.insert(more.begin(), {"attend", "m", "--text"});
        return run(more);
    }
};

struct Asked {
    const SmallModel& model;
    const char* text;
    const char* site;
    std::vector<std::string> columns;
};
void PrintTo(const Asked& row, std::ostream* out) { *out << row.model.name; }

class Attend : public testing::TestWithParam<Asked> {};

TEST_P(Attend, AnswersAndItsTraceCanBeDrawn) {
    const Place place(GetParam().model);
    for (const std::string file : {"t.json", "t.safetensors"}) {
        const Outcome outcome = place.attend({GetParam().text, "-o", file});
        ASSERT_EQ(outcome.status, 0) << outcome.error;
        EXPECT_EQ(std::ranges::count(outcome.output, '\n'), 1);
        const Trace trace = read_trace(place.folder() / file);
        ASSERT_TRUE(trace.find("weights", GetParam().site));
        const TokenLabels& tokens = trace.tokens_at(GetParam().site);
        EXPECT_EQ(tokens.key.empty() ? tokens.query : tokens.key, GetParam().columns);

        const Outcome drawn = place.run({"render", file, "--site", GetParam().site, "-o", "t.csv"});
        EXPECT_EQ(drawn.status, 0) << drawn.error;
        EXPECT_NE(place.read("t.csv").find(GetParam().columns.back()), std::string::npos);
    }
    // The same question has the same answer, bytes and all.
    EXPECT_EQ(place.attend({GetParam().text, "-o", "again.json"}).status, 0);
    EXPECT_EQ(place.read("again.json"), place.read("t.json"));
}

INSTANTIATE_TEST_SUITE_P(
    Models, Attend,
    testing::Values(Asked{small_models[0],
                          "3 May 1979",
                          "decoder.cross",
                          {"3", " ", "M", "a", "y", " ", "1", "9", "7", "9"}},
                    Asked{small_models[3],
                          "the black cat does not sleep",
                          "decoder.1.cross",
                          {"the", "black", "cat", "does", "not", "sleep"}},
                    Asked{small_models[6], "([)]", "encoder.1.self", {"(", "[", ")", "]"}}));

TEST(Attend, OfOneTextSeesSourceAndAnswer) {
    const Place place(small_models[4]);
    ASSERT_EQ(place.attend({"cab", "--target", "abc", "-o", "t.json"}).status, 0);
    EXPECT_EQ(read_trace(place.folder() / "t.json").tokens_at("decoder.0.self").query,
              (std::vector<std::string>{"<s>", "c", "a", "b", "=>", "a", "b", "c"}));
}

TEST(Attend, IsMadeToSayTheTarget) {
    const Place place(small_models[0]);
    const Outcome outcome = place.attend({"3 May 1979", "--target", "1979-05-03", "-o", "t.json"});
    EXPECT_TRUE(std::regex_match(outcome.output, std::regex("-[0-9.]+\t1979-05-03\n"))) << outcome.output;
    EXPECT_EQ(read_trace(place.folder() / "t.json").tokens_at("decoder.cross").query,
              (std::vector<std::string>{"1", "9", "7", "9", "-", "0", "5", "-", "0", "3", "</s>"}));
}

TEST(Attend, SearchesAndOneTextIsTheGreedyOne) {
    const Place place(small_models[0]);
    const Outcome greedy = place.attend({"3 May 1979"});
    const Outcome one = place.attend({"3 May 1979", "--beam", "1"});
    EXPECT_EQ(one.output.substr(one.output.find('\t') + 1), greedy.output);
    const Outcome four = place.attend({"3 May 1979", "--beam", "4", "-o", "t.json"});
    EXPECT_EQ(std::ranges::count(four.output, '\n'), 4) << four.output;
    EXPECT_GE(std::stod(four.output), std::stod(one.output));
}

TEST(Attend, SaysThatAnAnswerIsCut) {
    const Place place(small_models[0]);
    const std::string beginning = "headlight: no end after 11 tokens, the most of this task: ";
    Index cut = 0;
    for (const char* seed : {"1", "2", "3", "4", "5", "6", "7", "8"}) {
        const Outcome drawn = place.attend({"3 May 1979", "--temperature", "2", "--seed", seed});
        const bool is_cut = drawn.output.size() > 11;  // ten characters and an end are as many tokens
        EXPECT_EQ(drawn.error, is_cut ? beginning + "the answer is cut (--generate N for more)\n" : "");
        cut += is_cut;
    }
    EXPECT_GT(cut, 0);
    EXPECT_LT(cut, 8);
    const Outcome searched = place.attend({"3 May 1979", "--beam", "3"});
    EXPECT_TRUE(std::regex_search(searched.error, std::regex(beginning + "[1-3] of 3 answers cut")))
        << searched.error;
    // Nobody is told what was asked for.
    for (const std::vector<std::string>& asked : {std::vector<std::string>{"--generate", "4"},
                                                  {"--generate", "4", "--beam", "3"},
                                                  {"--target", "1979-05-03"}}) {
        std::vector<std::string> arguments{"3 May 1979"};
        arguments.insert(arguments.end(), asked.begin(), asked.end());
        EXPECT_EQ(place.attend(arguments).error, "");
    }
    EXPECT_EQ(Place(small_models[6]).attend({"([)]"}).error, "");  // a label has no end
}

TEST(Attend, DrawsWhatTheSeedSays) {
    const Place place(small_models[5]);
    const auto said = [&](const std::string& seed) {
        return place.attend({"", "--temperature", "2", "--generate", "9", "--seed", seed}).output;
    };
    EXPECT_EQ(said("1"), said("1"));
    EXPECT_NE(said("1"), said("2"));
    EXPECT_EQ(place.attend({"", "--top-k", "1", "--generate", "9"}).output,
              place.attend({"", "--generate", "9"}).output);
}

struct Refused {
    std::string name;
    std::vector<std::string> arguments;  ///< after "attend"
    int status;
    std::string message;  ///< regular expression
};
void PrintTo(const Refused& row, std::ostream* out) { *out << row.name; }

class AttendRefusal : public testing::TestWithParam<Refused> {};

TEST_P(AttendRefusal, IsOneLineAndLeavesNothing) {
    Place place(small_models[0]);
    std::filesystem::create_directory(place.folder() / "empty");
    std::vector<std::string> arguments{"attend"};
    arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
    expect_refused(place, arguments, GetParam().status, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, AttendRefusal,
    testing::Values(
        Refused{"no model", {"--text", "a"}, 2, "the folder of a model.*got none"},
        Refused{"more memory than allowed",
                {"dates-luong", "--text", "3rd of May 1979", "-o", "t.json", "--memory", "100KB"},
                1,
                "expected at most 100 KB of memory, as --memory says"},
        Refused{"no text", {"m"}, 2, "--text: .*got nothing"},
        Refused{
            "an unknown model", {"dates", "--text", "a"}, 2, "a folder that headlight train made.*\"dates\""},
        Refused{"a folder that is not there",
                {"./dates", "--text", "a"},
                1,
                "a folder that headlight train made.*\"./dates\""},
        Refused{"a folder without a model", {"empty", "--text", "a"}, 1, "empty: read model: .*config.json"},
        Refused{"an empty text", {"m", "--text", ""}, 1, "empty text"},
        Refused{"a character that the task has not", {"m", "--text", "3 Mäy"}, 1, "ä"},
        Refused{"a line break", {"m", "--text", "3 May\n1979"}, 1, "token 6.*got \"↵\" \\(a line break\\)"},
        Refused{"a target that the task has not", {"m", "--text", "3 May 1979", "--target", "x"}, 1, "x"},
        Refused{"a target and a search",
                {"m", "--text", "a", "--target", "1", "--beam", "2"},
                2,
                "--beam: .*no --target"},
        Refused{"a search that draws",
                {"m", "--text", "a", "--beam", "2", "--top-k", "2"},
                2,
                "--top-k: .*no --beam"},
        Refused{"a beam of 0", {"m", "--text", "a", "--beam", "0"}, 2, "--beam: .*1 to 100"},
        Refused{"a cold that is none",
                {"m", "--text", "a", "--temperature", "-1"},
                2,
                "--temperature: .*0 to 1000"},
        Refused{"a probability above 1", {"m", "--text", "a", "--top-p", "1.5"}, 2, "--top-p: .*0 to 1"},
        Refused{"a seed where nothing is drawn",
                {"m", "--text", "a", "--seed", "3"},
                2,
                "--seed: .*--temperature, --top-k or --top-p, got none"},
        Refused{
            "a seed of a search", {"m", "--text", "a", "--beam", "2", "--seed", "3"}, 2, "--seed: .*none"},
        Refused{"an output of unknown kind", {"m", "--text", "a", "-o", "t.png"}, 2, "-o: .*\"t.png\""}));

}  // namespace

}  // namespace headlight::attend_command_test
