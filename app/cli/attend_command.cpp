#include "app/cli/attend_command.h"

#include "app/cli/arguments.h"
#include "app/cli/generated_session.h"
#include "app/cli/offered_words.h"
#include "app/cli/output.h"
#include "app/cli/shell_words.h"
#include "app/cli/standard_streams.h"
#include "app/cli/unknown_names.h"
#include "core/io/files.h"
#include "core/io/session_place.h"
#include "core/io/shipped_models.h"
#include "core/io/trace_file.h"
#include "core/model/prompt.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace headlight {
namespace {

constexpr Flag attend_options[] = {
    {"--text",
     "TEXT",
     "what the model reads; a language model goes on with it",
     {},
     false,
     nullptr,
     Flag::Reads::text},
    {"--target",
     "TEXT",
     "what the model is made to say, word by word, in place of its own answer",
     {},
     false,
     nullptr,
     Flag::Reads::text},
    {"--generate", "N", "how many tokens an answer has at most; as many as the task's if not given"},
    {"--beam", "N", "searches among so many texts; prints each with its log probability, traces the best"},
    {"--temperature", "T", "draws each token: 1 as probable as it is, less more surely (0: the likeliest)"},
    {"--top-k", "N", "draws among so many"},
    {"--top-p", "P", "draws among the likeliest that reach this probability together"},
    {"--seed", "N", "decides what is drawn (1), with one of these three"},
    memory_option,
    {"--output", "FILE",
     "where the trace goes: .json or .safetensors, or - for JSON on standard output, the answer then on "
     "standard error",
     "-o"},
    {"--help", "", "this text", "-h"},
};
constexpr HelpSection attend_sections[] = {
    {"What it reads", "--text"}, {"How it answers", "--generate"}, {"And", "--memory"}};
constexpr std::string_view attend_examples =
    R"(  headlight attend dates-additive-gru --text "3rd of May 1979"
  headlight attend dates-additive-gru --text "3rd of May 1979" --beam 4 -o t.json
  echo "3rd of May 1979" | headlight attend dates-additive-gru --text - -o - | headlight render - -o map.png
)";
constexpr Command attend_usage{
    "attend",
    "MODEL --text TEXT [options] [-o FILE]",
    "A trained model, by its folder or by its name in headlight list, answers a text. "
    "The trace has every stage of every place that attends. A TEXT that is - comes "
    "from standard input.",
    attend_options,
    1,
    model_names,
    true,
    attend_sections,
    attend_examples};

/// How an answer is found.
struct AttendRequest {
    std::string model;
    std::string text;
    std::optional<std::string> target;
    std::optional<Index> longest;
    Index beam = 0;  ///< 0: no search
    Sampling sampling;
    std::uint64_t seed = 1;
    std::optional<std::filesystem::path> output;
};

/// The files of a model's folder; none of a model that comes with the program.
std::vector<std::filesystem::path> files_in(const std::string& folder) {
    std::error_code error;
    std::vector<std::filesystem::path> files;
    for (std::filesystem::directory_iterator file(folder, error), end; !error && file != end;
         file.increment(error))
        files.push_back(file->path());
    return files;
}

void refuse_together(const Arguments& arguments, const char* one, std::initializer_list<const char*> others) {
    for (const char* other : others)
        if (arguments.has(one) && arguments.has(other))
            arguments.refuse(other, std::string("no ") + one, "both");
}

AttendRequest requested_answer(const Arguments& arguments) {
    if (arguments.operands().empty())
        arguments.refuse("", "the folder of a model, or a name from headlight list", "none");
    if (!arguments.has("--text"))
        arguments.refuse("--text", "what the model reads", "nothing");
    refuse_together(arguments, "--target", {"--generate", "--beam", "--temperature", "--top-k", "--top-p"});
    refuse_together(arguments, "--beam", {"--temperature", "--top-k", "--top-p"});
    AttendRequest request;
    request.model = arguments.operands().front();
    request.text = *arguments.value("--text");
    request.target = arguments.value("--target");
    if (arguments.has("--generate"))
        request.longest = arguments.integer("--generate", 1, 1, longest_text);
    if (arguments.has("--beam"))
        request.beam = arguments.integer("--beam", 1, 1, 100);
    request.sampling.top_k = arguments.integer("--top-k", 0, 1, 1'000'000);
    request.sampling.top_p = arguments.number("--top-p", 1, 0, 1);
    const bool draws = arguments.has("--top-k") || arguments.has("--top-p");
    request.sampling.temperature = arguments.number("--temperature", draws ? 1 : 0, 0, 1000);
    if (arguments.has("--seed") && !draws && !arguments.has("--temperature"))
        arguments.refuse("--seed", "something that is drawn: --temperature, --top-k or --top-p",
                         "none of them");
    request.seed = arguments.seed("--seed", request.seed);
    if (const auto output = arguments.value("--output")) {
        const std::string extension = extension_of(*output);
        if (extension != ".json" && extension != ".safetensors" && !is_standard_stream(*output))
            arguments.refuse("-o", "a file named .json or .safetensors, or -", '"' + excerpt(*output) + '"');
        request.output = *output;
    }
    return request;
}

/// "-0.0132\tle chat", one line.
std::string scored_line(double log_probability, const std::string& text) {
    char score[40];
    std::snprintf(score, sizeof score, "%.4f\t", log_probability);
    return score + text + '\n';
}

struct AttendAnswer {
    std::vector<Index> said;
    std::string lines;   ///< what is printed
    std::string remark;  ///< what there is to say about it; empty for nothing
};

/// Says how many answers the task's longest has cut, before the model ended them.
std::string cut_remark(Index cut, Index answers, Index longest) {
    std::string text = "no end after ";
    text += std::to_string(longest) + " tokens, the most of this task: ";
    text += answers == 1 ? "the answer is cut"
                         : std::to_string(cut) + " of " + std::to_string(answers) + " answers cut";
    text += " (--generate N for more)";
    return text;
}

AttendAnswer searched(const TrainedModel& trained, const AttendRequest& request, const Prompt& prompt,
                      Index longest) {
    const TaskModel& model = *trained.model;
    if (model.host->is_classifier())
        throw Error({"search", "--beam", "a model that says a text", "one that says a label"});
    const BeamTree tree = search_beam(*model.host, trained.weights, prompt.source, prompt.given,
                                      Vocabulary::end, {.width = request.beam, .longest = longest});
    // A better text took the place of the other nodes.
    std::vector<Index> ends;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
        if (const BeamNode& node = tree.nodes[i]; node.is_kept && (node.is_over || node.length == longest))
            ends.push_back(static_cast<Index>(i));
    const auto score = [&](Index node) { return tree.nodes[static_cast<std::size_t>(node)].log_probability; };
    std::ranges::stable_sort(ends, std::greater(), score);
    AttendAnswer answer{tree.text(tree.best), {}, {}};
    const Index cut = std::ranges::count_if(
        ends, [&](Index end) { return !tree.nodes[static_cast<std::size_t>(end)].is_over; });
    if (cut > 0 && !request.longest)
        answer.remark = cut_remark(cut, std::ssize(ends), longest);
    for (const Index node : ends)
        answer.lines += scored_line(score(node), text_of(model, prompt, tree.text(node)));
    return answer;
}

/// Leaves the generation where the whole answer has been said.
AttendAnswer answered(const TrainedModel& trained, const AttendRequest& request, const Prompt& prompt,
                      Generation& generation) {
    const TaskModel& model = *trained.model;
    const Index longest = request.longest.value_or(longest_answer(model, prompt));
    require_room(model, prompt, longest);
    begin(generation, prompt);
    if (request.target) {
        AttendAnswer answer{forced_tokens(model, prompt, *request.target), {}, {}};
        const double score = force(generation, answer.said);
        answer.lines = scored_line(score, text_of(model, prompt, answer.said));
        return answer;
    }
    if (request.beam > 0) {
        AttendAnswer answer = searched(trained, request, prompt, longest);
        force(generation, answer.said);
        return answer;
    }
    if (model.host->is_classifier() && request.longest)
        throw Error({"answer", "--generate", "a model that says a text", "one that says a label"});
    AttendAnswer answer{generate(model, generation, longest, request.sampling, request.seed), {}, {}};
    answer.lines = text_of(model, prompt, answer.said) + '\n';
    if (answer.said.back() != Vocabulary::end && !model.host->is_classifier() && !request.longest)
        answer.remark = cut_remark(1, 1, longest);
    return answer;
}

/// The same in the window's words.
GenerationRequest in_the_window(const AttendRequest& request) {
    GenerationRequest asked{
        .source = request.text, .chosen = {}, .target = request.target, .interventions = {}};
    if (request.beam > 0) {
        asked.choice.way = WordChoice::Way::beam;
        asked.choice.beam_width = std::min(request.beam, widest_beam);
    } else if (request.sampling.temperature > 0) {
        asked.choice.way = WordChoice::Way::sample;
        asked.choice.sampling = request.sampling;
        asked.choice.seed = request.seed;
    }
    return asked;
}

/// Every stage, with the session that comes back to it where there is one.
Trace traced(const std::shared_ptr<const TrainedModel>& trained, const AttendRequest& request,
             const Generation& generation, std::span<const Index> said) {
    const TaskModel& model = *trained->model;
    Trace trace = generation_trace(*model.host, trained->weights, generation,
                                   generated_words(model, generation, said), model.target.words());
    const std::vector<std::string> words = model.target.words(said);
    if (auto session = generated_session(trained, request.model, in_the_window(request), words))
        trace.session = write_session_to(*request.output, *session);
    return trace;
}

int attend(const Arguments& arguments) {
    const AttendRequest request = requested_answer(arguments);
    refuse_unknown_model(request.model);
    if (request.output)
        refuse_overwriting(arguments, *request.output, files_in(request.model));
    const auto trained = std::make_shared<const TrainedModel>(open_model(request.model));
    const TaskModel& model = *trained->model;
    const Prompt read = prompt(model, request.text);
    Generation generation(*model.host, trained->weights, read.source);
    const AttendAnswer answer = answered(*trained, request, read, generation);
    if (request.output && is_standard_stream(request.output->native())) {
        print(write_trace_json(traced(trained, request, generation, answer.said)));
        for (const std::string& line : lines_in(answer.lines))
            remark(line);
    } else {
        if (request.output)
            write_trace(traced(trained, request, generation, answer.said), *request.output);
        print(answer.lines);
    }
    if (!answer.remark.empty())
        remark(answer.remark);
    return 0;
}

}  // namespace

int attend_command(const CommandUse& use) { return use(attend_usage, attend); }

}  // namespace headlight
