#include "core/lesson/lesson_file.h"

#include "core/attention/json_object.h"
#include "core/io/files.h"
#include "core/io/json_text.h"
#include "core/model/tasks/task.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {

using nlohmann::json;

namespace {

constexpr const char* lesson_document = "read lesson";
constexpr std::size_t largest_lesson_file = std::size_t(4) << 20;
constexpr std::size_t most_steps = 100, most_reveals = 20, most_questions = 20, most_options = 8;
constexpr Index widest_trained = 512, most_trained_steps = 100'000;  // as the window has them

}  // namespace

template <>
std::span<const Word<Question::Kind>> words() {
    static constexpr Word<Question::Kind> list[] = {
        {Question::Kind::weight, "weight", "how large one weight is"},
        {Question::Kind::cell, "cell", "which key gets the largest weight"},
        {Question::Kind::word, "word", "which word a model says next"},
        {Question::Kind::choice, "choice", "which of some answers is right"},
    };
    return list;
}

namespace {

/// The list of that name; null where there is none.
const json* list_at(JsonObject& object, const std::string& name, std::size_t most) {
    const json* list = object.find(name);
    if (list && (!list->is_array() || list->size() > most))
        object.refuse(name, "a list of at most " + std::to_string(most),
                      list->is_array() ? std::to_string(list->size()) : describe(*list));
    return list;
}

Question question_from(JsonObject object) {
    Question question;
    question.kind = object.word("kind", question.kind);
    question.ask = object.text("ask", {});
    if (question.ask.empty())
        object.refuse("ask", "a question", "none");
    question.because = object.text("because", {});
    const bool is_choice = question.kind == Question::Kind::choice;
    if (is_choice) {
        question.options = object.texts("options");
        if (question.options.size() < 2 || question.options.size() > most_options)
            object.refuse("options", "2 to " + std::to_string(most_options) + " of them",
                          std::to_string(question.options.size()));
        const Index count = std::ssize(question.options);
        question.answer = static_cast<std::size_t>(object.integer("answer", 0, 1, count) - 1);
    } else if (question.kind != Question::Kind::word) {
        question.query = object.text("query", {});
    }
    if (question.kind == Question::Kind::weight) {
        question.key = object.text("key", {});
        for (const char* name : {"query", "key"})
            if ((name == std::string_view("key") ? question.key : question.query).empty())
                object.refuse(name, "a token", "none");
        question.tolerance = object.number("tolerance", question.tolerance);
        if (!(question.tolerance > 0 && question.tolerance <= 1))
            object.refuse("tolerance", "a number above 0, up to 1", json(question.tolerance).dump());
    }
    object.refuse_other_fields();
    return question;
}

LessonTraining training_from(JsonObject object) {
    LessonTraining training;
    Recipe& recipe = training.recipe;
    const auto size = [&](const char* name, Index most) { return object.optional_integer(name, 1, most); };
    recipe.task = object.text("task", recipe.task);
    recipe.attention = object.text("attention", {});
    recipe.host = object.word("host", HostType::gru);
    recipe.width = size("width", widest_trained);
    recipe.heads = size("heads", most_heads);
    recipe.layers = size("layers", most_transformer_layers);
    recipe.steps = size("steps", most_trained_steps);
    recipe.rate = object.optional_number("learning_rate");
    if (recipe.rate && !(*recipe.rate >= least_rate && *recipe.rate <= largest_rate))
        object.refuse("learning_rate",
                      "a number from " + json(least_rate).dump() + " to " + json(largest_rate).dump(),
                      json(*recipe.rate).dump());
    recipe.seed = object.unsigned_integer("seed", recipe.seed);
    training.text.source = object.text("sentence", {});
    if (const std::string answer = object.text("answer", {}); !answer.empty())
        training.text.target = answer;
    object.refuse_other_fields();
    try {
        prepare(recipe);
    } catch (const Error& error) {
        throw error.within(object.pointer("attention"));
    }
    const auto require_words = [&](const char* name, const std::string& text, Side side) {
        try {
            tokens_of(task(recipe.task), text, side);
        } catch (const Error& error) {
            throw error.within(object.pointer(name));
        }
    };
    if (!training.text.source.empty())
        require_words("sentence", training.text.source, Side::source);
    if (training.text.target)
        require_words("answer", *training.text.target, Side::target);
    return training;
}

/// `before` with the fields that `change` has: an object changes an object's fields, null removes one (RFC
/// 7396).
Session changed_session(const Session& before, const json& change, const std::string& pointer) {
    if (!change.is_object())
        throw Error({lesson_document, pointer, "an object of what changes in the session", describe(change)});
    json document = to_json(before);
    document.merge_patch(change);
    try {
        return session_from_json(document);
    } catch (const Error& error) {
        throw error.within(pointer);
    }
}

/// What stands in the JSON of a step; its title and its text come from the other file.
LessonStep step_from(JsonObject object, const Session& before) {
    LessonStep step;
    step.states.push_back(before);
    if (const json* whole = object.find("session")) {
        try {
            step.states.front() = session_from_json(*whole);
        } catch (const Error& error) {
            throw error.within(object.pointer("session"));
        }
    }
    if (const json* change = object.find("change"))
        step.states.front() = changed_session(step.states.front(), *change, object.pointer("change"));
    if (const json* list = list_at(object, "reveals", most_reveals))
        for (std::size_t at = 0; at < list->size(); ++at)
            step.states.push_back(
                changed_session(step.states.back(), (*list)[at], pointer_to(object.pointer("reveals"), at)));
    if (object.find("question"))
        step.question = question_from(object.object("question"));
    if (object.find("training"))
        step.training = training_from(object.object("training"));
    step.notes = object.text("notes", {});
    step.knob = object.text("knob", {});
    object.refuse_other_fields();
    return step;
}

/// The end of the line that `text` begins with, its line break included.
std::size_t line_end(std::string_view text) {
    const std::size_t end = text.find('\n');
    return end == std::string_view::npos ? text.size() : end + 1;
}

std::string trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    return first == std::string_view::npos
               ? std::string()
               : std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

struct Section {
    std::string title, text;
};

/// Parted by lines of three dashes.
std::vector<std::string> parts_of_text(std::string_view text) {
    std::vector<std::string> parts(1);
    while (!text.empty()) {
        const std::string_view line = text.substr(0, line_end(text));
        text.remove_prefix(line.size());
        if (trimmed(line) == "---")
            parts.emplace_back();
        else
            parts.back() += line;
    }
    for (std::string& part : parts)
        part = trimmed(part);
    return parts;
}

/// Begins with the title of the lesson and what stands below it; then the steps.
std::vector<Section> sections_of(std::string_view text) {
    std::vector<Section> sections;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, line_end(text));
        text.remove_prefix(line.size());
        const bool is_step = line.starts_with("## ");
        if (is_step || (sections.empty() && line.starts_with("# ")))
            sections.push_back({trimmed(line.substr(is_step ? 3 : 2)), {}});
        else if (!sections.empty())
            sections.back().text += line;
        else if (!trimmed(line).empty())
            throw Error({lesson_document, "lesson.md", "a heading, \"# Title\", before anything else",
                         excerpt(trimmed(line))});
    }
    for (Section& section : sections)
        section.text = trimmed(section.text);
    return sections;
}

}  // namespace

Lesson parse_lesson(std::string id, std::string_view document, std::string_view text) {
    const JsonDocument parsed = parse_json(document);
    JsonObject object(*parsed, lesson_document);
    const std::string format = object.text("format", {});
    if (format != lesson_format)
        object.refuse("format", '"' + std::string(lesson_format) + '"',
                      format.empty() ? "none" : '"' + excerpt(format) + '"');
    std::vector<Section> sections = sections_of(text);
    if (sections.size() < 2)
        throw Error({lesson_document, "lesson.md", "a title (\"# ...\") and steps (\"## ...\")",
                     sections.empty() ? "no heading" : "no step"});
    Lesson lesson;
    lesson.id = std::move(id);
    lesson.title = sections.front().title;
    lesson.summary = sections.front().text;
    lesson.order = static_cast<int>(object.integer("order", 0, 0, 1000));
    lesson.minutes = static_cast<int>(object.integer("minutes", lesson.minutes, 1, 240));
    if (const json* list = list_at(object, "steps", most_steps))
        for (std::size_t at = 0; at < list->size(); ++at)
            lesson.steps.push_back(
                step_from(JsonObject((*list)[at], lesson_document, pointer_to(object.pointer("steps"), at)),
                          at == 0 ? example_session() : lesson.steps.back().states.back()));
    if (lesson.steps.size() != sections.size() - 1)
        object.refuse("steps", std::to_string(sections.size() - 1) + " steps, as lesson.md has",
                      std::to_string(lesson.steps.size()));
    for (std::size_t at = 0; at < lesson.steps.size(); ++at) {
        LessonStep& step = lesson.steps[at];
        step.title = std::move(sections[at + 1].title);
        step.texts = parts_of_text(sections[at + 1].text);
        if (step.texts.size() > step.states.size())
            throw Error(
                {lesson_document, pointer_to("/steps", at) + "/reveals",
                 std::to_string(step.texts.size() - 1) + " of them, as lesson.md has parts behind \"---\"",
                 std::to_string(step.states.size() - 1)});
        step.texts.resize(step.states.size());
    }
    if (const json* list = list_at(object, "quiz", most_questions))
        for (std::size_t at = 0; at < list->size(); ++at)
            lesson.quiz.push_back(question_from(
                JsonObject((*list)[at], lesson_document, pointer_to(object.pointer("quiz"), at))));
    object.refuse_other_fields();
    return lesson;
}

Lesson read_lesson(const std::filesystem::path& folder) {
    const auto read = [&](const char* name) { return read_file(folder / name, largest_lesson_file); };
    const std::string document = read("lesson.json"), text = read("lesson.md");
    const auto name = folder.has_filename() ? folder.filename() : folder.parent_path().filename();
    return in_file(folder.string(), [&] { return parse_lesson(name.string(), document, text); });
}

}  // namespace headlight
