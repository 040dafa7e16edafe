// Writing a lesson: the files that parse_lesson() reads.
#include "core/io/files.h"
#include "core/io/json_text.h"
#include "core/lesson/lesson_file.h"
#include "core/tensor/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace headlight {
namespace {

using nlohmann::json;

[[noreturn]] void refuse_text(const std::string& where, const std::string& expected, const std::string& got) {
    throw Error({"write lesson", where, expected, excerpt(got)});
}

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

/// The fields that say how `after` differs from `before`: a change, or the whole session where a change
/// cannot say it, since null stands for absence in one.
void write_state(json& object, const Session& before, const Session& after, bool may_be_whole) {
    const json from = to_json(before);
    const json change = merge_patch_from(from, to_json(after));
    json changed = from;
    changed.merge_patch(change);
    const bool is_said = session_from_json(changed) == after;
    if (!is_said && !may_be_whole)
        refuse_text("reveal", "a change that a file can say", "another one");
    if (!is_said)
        object["session"] = to_json(after);
    else if (!change.empty())
        object["change"] = change;
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

/// A line of a text that would be read as something else.
bool would_part(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    const std::size_t last = line.find_last_not_of(" \t\r");
    return line.starts_with("# ") || line.starts_with("## ") ||
           (first != std::string_view::npos && line.substr(first, last - first + 1) == "---");
}

void require_plain(const std::string& text, const std::string& where) {
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        if (would_part(line))
            refuse_text(where, "text without headings and lines of three dashes", line);
        begin = end + 1;
    }
}

void require_title(const std::string& title, const std::string& where) {
    if (title.empty() || title.find('\n') != std::string::npos)
        refuse_text(where, "a title of one line", title.empty() ? "none" : title);
}

}  // namespace

LessonText lesson_text(const Lesson& lesson) {
    if (lesson.steps.empty())
        refuse_text("steps", "at least one", "none");
    require_title(lesson.title, "title");
    require_plain(lesson.summary, "summary");
    std::string text = "# " + lesson.title + "\n";
    if (!lesson.summary.empty())
        text += "\n" + lesson.summary + "\n";
    json document = {{"format", lesson_format}, {"order", lesson.order}, {"minutes", lesson.minutes}};
    Session before = example_session();
    for (const LessonStep& step : lesson.steps) {
        require_title(step.title, "title of a step");
        text += "\n## " + step.title + "\n";
        json object = json::object();
        write_state(object, before, step.states.front(), true);
        before = step.states.front();
        for (std::size_t state = 1; state < step.states.size(); ++state) {
            json reveal = json::object();
            write_state(reveal, before, step.states[state], false);
            object["reveals"].push_back(reveal.value("change", json::object()));
            before = step.states[state];
        }
        for (std::size_t part = 0; part < step.texts.size(); ++part) {
            require_plain(step.texts[part], step.title);
            if (part > 0)
                text += "\n---\n";
            if (!step.texts[part].empty())
                text += "\n" + step.texts[part] + "\n";
        }
        if (step.question)
            object["question"] = to_json(*step.question);
        if (!step.notes.empty())
            object["notes"] = step.notes;
        document["steps"].push_back(object);
    }
    for (const Question& question : lesson.quiz)
        document["quiz"].push_back(to_json(question));
    return {write_json(document), text};
}

void write_lesson(const std::filesystem::path& folder, const Lesson& lesson) {
    const LessonText files = lesson_text(lesson);
    std::error_code failed;  // what is wrong with the folder is said by the first file
    std::filesystem::create_directories(folder, failed);
    write_file_atomically(folder / "lesson.md", files.text);
    write_file_atomically(folder / "lesson.json", files.document);
}

}  // namespace headlight
