// Writing a lesson: the files that parse_lesson() reads.
#include "core/io/files.h"
#include "core/io/json_text.h"
#include "core/lesson/lesson_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace headlight {
namespace {

using nlohmann::json;

/// What RFC 7396 asks for to make `after` of `before`.
json merge_patch_from(const json& before, const json& after) {
    if (!before.is_object() || !after.is_object())
        return after;
    json patch = json::object();
    for (const auto& [name, value] : after.items())
        if (!before.contains(name))
            patch[name] = value;
        else if (before[name] != value)
            patch[name] = merge_patch_from(before[name], value);
    for (const auto& [name, value] : before.items())
        if (!after.contains(name))
            patch[name] = nullptr;
    return patch;
}

json change_from(const Session& before, const Session& after) {
    return merge_patch_from(to_json(before), to_json(after));
}

/// Whether the change makes `after` of `before`: null stands for absence in one, and cannot stand for itself.
bool says(const json& change, const Session& before, const Session& after) {
    json changed = to_json(before);
    changed.merge_patch(change);
    return to_json(session_from_json(changed)) == to_json(after);
}

json to_json(const Question& question) {
    json object = {{"kind", to_word(question.kind)}, {"ask", question.ask}};
    const auto add = [&](const char* name, const std::string& text) {
        if (!text.empty())
            object[name] = text;
    };
    add("because", question.because);
    add("query", question.query);
    add("key", question.key);
    if (question.kind == Question::Kind::weight)
        object["tolerance"] = question.tolerance;
    if (question.kind == Question::Kind::choice) {
        object["options"] = question.options;
        object["answer"] = question.answer + 1;
    }
    return object;
}

json to_json(const LessonTraining& training) {
    const Recipe& recipe = training.recipe;
    json object = {{"task", recipe.task}, {"host", to_word(recipe.host.value())}, {"seed", recipe.seed}};
    if (!recipe.attention.empty())
        object["attention"] = recipe.attention;
    for (const auto& [name, value] : {std::pair("width", recipe.width),
                                      {"heads", recipe.heads},
                                      {"layers", recipe.layers},
                                      {"turns", recipe.turns},
                                      {"segment", recipe.segment},
                                      {"steps", recipe.steps}})
        if (value)
            object[name] = *value;
    if (recipe.hops > 1)
        object["hops"] = recipe.hops;
    if (recipe.rate)
        object["learning_rate"] = *recipe.rate;
    if (!training.text.source.empty())
        object["sentence"] = training.text.source;
    if (training.text.target)
        object["answer"] = *training.text.target;
    return object;
}

/// A line of a text that would be read as a heading of ours, or as what parts the text of a step.
bool would_part(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r\n");
    const std::size_t last = line.find_last_not_of(" \t\r\n");
    return line.starts_with("# ") || line.starts_with("## ") ||
           (first != std::string_view::npos && line.substr(first, last - first + 1) == "---");
}

/// The text as Markdown in which no line is read as something else: a backslash makes it what it looks like.
std::string escaped(std::string_view text) {
    std::string all;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        const std::string_view line = text.substr(0, end);
        if (would_part(line))
            (all += line.substr(0, line.find_first_of("#-"))) += '\\';
        all += would_part(line) ? line.substr(line.find_first_of("#-")) : line;
        text.remove_prefix(end);
    }
    return all;
}

std::string in_one_line(std::string title) {
    std::ranges::replace(title, '\n', ' ');
    return title;
}

/// A state as what changes from the one before it; nothing where a change cannot say it.
std::optional<json> said_change(const Session& before, const Session& after) {
    json change = change_from(before, after);
    return says(change, before, after) ? std::optional(std::move(change)) : std::nullopt;
}

/// What a step of lesson.json has. `before` is the state at which the step before it ended.
json to_json(const LessonStep& step, const Session& before) {
    json object = json::object();
    const Session* last = &before;
    for (const Session& state : step.states) {
        std::optional<json> change = said_change(*last, state);
        if (&state != &step.states.front())
            object["reveals"].push_back(change ? std::move(*change) : json{{"session", to_json(state)}});
        else if (!change)
            object["session"] = to_json(state);
        else if (!change->empty())
            object["change"] = std::move(*change);
        last = &state;
    }
    if (step.question)
        object["question"] = to_json(*step.question);
    if (step.training)
        object["training"] = to_json(*step.training);
    if (!step.notes.empty())
        object["notes"] = step.notes;
    if (!step.knob.empty())
        object["knob"] = step.knob;
    return object;
}

/// What lesson.json has.
json lesson_json(const Lesson& lesson) {
    json document = {{"format", lesson_format}, {"order", lesson.order}, {"minutes", lesson.minutes}};
    Session before = example_session();
    for (const LessonStep& step : lesson.steps) {
        document["steps"].push_back(to_json(step, before));
        before = step.states.back();
    }
    for (const Question& question : lesson.quiz)
        document["quiz"].push_back(to_json(question));
    return document;
}

}  // namespace

LessonText lesson_text(const Lesson& lesson) {
    std::string text = "# " + in_one_line(lesson.title) + "\n";
    const auto add_text = [&](const std::string& words) {
        if (!words.empty())
            text += "\n" + escaped(words) + "\n";
    };
    add_text(lesson.summary);
    for (const LessonStep& step : lesson.steps) {
        text += "\n## " + in_one_line(step.title) + "\n";
        for (std::size_t part = 0; part < step.texts.size(); ++part) {
            if (part > 0)
                text += "\n---\n";
            add_text(step.texts[part]);
        }
    }
    return {write_json(lesson_json(lesson)), text};
}

std::string write_lesson_draft(const Lesson& lesson) {
    json document = lesson_json(lesson);
    document["format"] = draft_format;
    document["title"] = lesson.title;
    document["summary"] = lesson.summary;
    document["folder"] = lesson.source;
    for (std::size_t at = 0; at < lesson.steps.size(); ++at) {
        document["steps"][at]["title"] = lesson.steps[at].title;
        document["steps"][at]["texts"] = lesson.steps[at].texts;
    }
    return write_json(document);
}

void write_lesson(const std::filesystem::path& folder, const Lesson& lesson) {
    const LessonText files = lesson_text(lesson);
    std::error_code failed;  // what is wrong with the folder is said by the first file
    std::filesystem::create_directories(folder, failed);
    write_file_atomically(folder / "lesson.md", files.text);
    write_file_atomically(folder / "lesson.json", files.document);
}

}  // namespace headlight
