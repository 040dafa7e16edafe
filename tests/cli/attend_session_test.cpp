// A trace of `headlight attend` carries the session in which the window says the same, and so do the figures
// that are drawn from it.

#include "core/io/model_folder.h"
#include "core/io/session_place.h"
#include "core/io/shipped_models.h"
#include "core/io/trace_file.h"
#include "core/model/generator.h"
#include "core/model/prompt.h"
#include "tests/cli/program.h"
#include "tests/support/small_models.h"

namespace headlight::attend_session_test {

using namespace headlight::test;

namespace {

struct Asked {
    const char* name;
    const char* model;  ///< of the program; "m" is a folder with a small one
    std::vector<std::string> arguments;
    GenerationRequest request;  ///< what the window is asked for
};
void PrintTo(const Asked& row, std::ostream* out) { *out << row.name; }

GenerationRequest of(const char* source, const WordChoice& choice = {}) {
    GenerationRequest request;
    request.source = source;
    request.choice = choice;
    return request;
}

GenerationRequest forced(const char* source, const char* target) {
    GenerationRequest request = of(source);
    request.target = target;
    return request;
}

/// What a request leads to, as the task writes it.
std::string said(const Session& session) {
    const auto model = std::make_shared<const TrainedModel>(open_model(session.model->name));
    const Transcript transcript = *Generator(model).generate(session.model->request);
    const bool goes_on = model->model->task.kind == TaskKind::language_model;  // with its text
    return (goes_on ? session.model->request.source : "") +
           text_of(model->model->task, transcript.words, Side::target);
}

class AttendSession : public testing::TestWithParam<Asked> {
protected:
    AttendSession() { write_model_folder(small_trained(small_models[0]), place_.folder() / "m"); }
    Workplace place_;
};

TEST_P(AttendSession, SaysTheSameInTheWindow) {
    const Asked& row = GetParam();
    const bool is_shipped = row.model != std::string("m");
    for (const std::string file : {"t.json", "t.safetensors"}) {
        std::vector<std::string> arguments{"attend", row.model, "-o", file, "--text"};
        arguments.insert(arguments.end(), row.arguments.begin(), row.arguments.end());
        const Outcome outcome = place_.run(arguments);
        ASSERT_EQ(outcome.status, 0) << outcome.error;
        const Session stored = parse_session(read_trace(place_.folder() / file).session);
        ASSERT_TRUE(stored.model);
        EXPECT_EQ(stored.model->name, is_shipped ? row.model : "./m");
        EXPECT_EQ(stored.model->request, row.request);
        const Session session = found_in(stored, place_.folder() / file);
        const std::string first = outcome.output.substr(0, outcome.output.find('\n'));
        const std::size_t tab = first.find('\t');  // behind a log probability
        const std::string answer = tab == std::string::npos ? first : first.substr(tab + 1);
        EXPECT_TRUE(said(session).starts_with(answer)) << said(session) << " is not " << answer;
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, AttendSession,
    testing::Values(
        Asked{"greedy", "dates-additive-gru", {"3rd of May 1979"}, of("3rd of May 1979")},
        Asked{"forced",
              "dates-luong",
              {"3rd of May 1979", "--target", "1979-05-04"},
              forced("3rd of May 1979", "1979-05-04")},
        Asked{"searched",
              "translate-transformer",
              {"the black cat does not sleep", "--beam", "3"},
              of("the black cat does not sleep", {.way = WordChoice::Way::beam, .beam_width = 3})},
        Asked{"drawn",
              "m",
              {"3 May 1979", "--temperature", "2", "--top-k", "5", "--top-p", "0.9", "--seed", "7",
               "--generate", "11"},
              of("3 May 1979", {.way = WordChoice::Way::sample,
                                .sampling = {.temperature = 2, .top_k = 5, .top_p = 0.9},
                                .seed = 7})},
        Asked{"label", "brackets-encoder", {"([)]"}, of("([)]")},
        Asked{
            "label_forced", "brackets-encoder", {"([)]", "--target", "balanced"}, forced("([)]", "balanced")},
        Asked{"language_model", "induction-gpt", {"raowsktejzpqr"}, of("raowsktejzpqr")},
        // The window goes on behind it.
        Asked{"cut", "dates-additive-gru", {"3rd of May 1979", "--generate", "4"}, of("3rd of May 1979")},
        Asked{"wider_beam",
              "reverse-transformer",
              {"abc", "--beam", "40"},
              of("abc", {.way = WordChoice::Way::beam, .beam_width = widest_beam})}),
    [](const auto& row) { return row.param.name; });

TEST(AttendTrace, OfALongerAnswerChoosesItsWords) {
    Workplace place;
    write_model_folder(small_trained(small_models[0]), place.folder() / "m");
    for (const char* seed : {"1", "2", "3", "4", "5", "6", "7", "8"}) {
        const Outcome outcome = place.run({"attend", "m/", "--text", "3 May 1979", "--temperature", "2",
                                           "--seed", seed, "--generate", "30", "-o", "t.json"});
        ASSERT_EQ(outcome.status, 0) << outcome.error;
        const Trace trace = read_trace(place.folder() / "t.json");
        const Session session = found_in(parse_session(trace.session), place.folder() / "t.json");
        EXPECT_EQ(session.model->name, (place.folder() / "m").string());
        const std::vector<std::string>& words = trace.tokens_at("decoder.cross").query;
        const bool is_long = words.size() > 11;  // as many as the task's answers have, their end included
        EXPECT_EQ(session.model->request.chosen, is_long ? words : std::vector<std::string>());
        EXPECT_EQ(session.model->request.choice.way,
                  is_long ? WordChoice::Way::greedy : WordChoice::Way::sample);
        EXPECT_TRUE(said(session).starts_with(outcome.output.substr(0, outcome.output.size() - 1)));
    }
}

TEST(AttendTrace, IsDrawnAsTheModelsAndItsFiguresComeBack) {
    Workplace place;
    std::filesystem::create_directory(place.folder() / "figures");
    write_model_folder(small_trained(small_models[0]), place.folder() / "mine");
    ASSERT_EQ(place.run({"attend", "mine", "--text", "3 May 1979", "--target", "1979-05-03", "-o", "t.json"})
                  .status,
              0);
    for (const std::string figure : {"figures/f.svg", "figures/f.pdf", "figures/f.png"}) {
        const Outcome drawn = place.run({"render", "t.json", "--site", "decoder.cross", "-o", figure});
        ASSERT_EQ(drawn.status, 0) << drawn.error;
        const Outcome again = place.run({"render", figure, "-o", "again.csv"});
        ASSERT_EQ(again.status, 0) << again.error;
        ASSERT_EQ(place.run({"render", "t.json", "--site", "decoder.cross", "-o", "t.csv"}).status, 0);
        EXPECT_EQ(place.read("again.csv"), place.read("t.csv"));
    }
    const std::string svg = place.read("figures/f.svg");
    EXPECT_NE(svg.find("mine: decoder, looks at the source"), std::string::npos);
    const std::string whole = (place.folder() / "mine").string();  // figures go into papers and slides
    EXPECT_NE(svg.find("&quot;name&quot;:&quot;" + whole + "&quot;"), std::string::npos);
    ASSERT_EQ(place.run({"render", "t.json", "--site", "decoder.output", "-o", "f.svg"}).status, 0);
    EXPECT_NE(place.read("f.svg").find("What “mine” says"), std::string::npos);
}

}  // namespace

}  // namespace headlight::attend_session_test
