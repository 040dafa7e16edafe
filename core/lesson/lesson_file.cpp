#include "core/lesson/lesson_file.h"

#include "core/attention/json_object.h"
#include "core/io/files.h"
#include "core/io/json_text.h"
#include "core/model/tasks/task.h"
#include "core/tensor/error.h"
#include "core/text/utf8_text.h"

#include <algorithm>
#include <utility>

namespace headlight {

using nlohmann::json;

namespace {

constexpr const char* lesson_document = "read lesson";
constexpr std::size_t largest_lesson_file = std::size_t(64) << 20;
constexpr std::size_t most_questions = 20, most_options = 8;
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

Question question_from(const json& value, const std::string& pointer, Unfinished unfinished) {
    JsonObject object(value, lesson_document, pointer);
    Question question;
    question.kind = object.word("kind", question.kind);
    question.ask = object.text("ask", {});
    question.because = object.text("because", {});
    if (question.kind == Question::Kind::choice) {
        question.options = object.texts("options");
        const Index count = std::max<Index>(1, std::ssize(question.options));
        question.answer = static_cast<std::size_t>(object.integer("answer", 1, 1, count) - 1);
    } else if (question.kind != Question::Kind::word) {
        question.query = object.text("query", {});
    }
    if (question.kind == Question::Kind::weight) {
        question.key = object.text("key", {});
        question.tolerance = object.number("tolerance", question.tolerance);
        if (!(question.tolerance > 0 && question.tolerance <= 1))
            object.refuse("tolerance", "a number above 0, up to 1", json(question.tolerance).dump());
    }
    object.refuse_other_fields();
    if (unfinished == Unfinished::refused) {
        require_finished(question, pointer);
        if (question.kind == Question::Kind::choice)
            object.required("answer", "which of the options is right, counted from 1");
    }
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
    recipe.turns = size("turns", most_turns);
    recipe.segment = object.optional_integer("segment", 0, longest_segment);
    recipe.hops = size("hops", most_hops).value_or(recipe.hops);
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
/// 7396). Large parts that do not change are shared, not written and read again.
Session changed_session(const Session& before, const json& change, const std::string& pointer) {
    if (!change.is_object())
        throw Error({lesson_document, pointer, "an object of what changes in the session", describe(change)});
    const bool keeps_sequence = !change.contains("sequence"), keeps_edited = !change.contains("edited");
    Session unchanged = before;
    if (keeps_sequence)
        unchanged.sequence = {};
    if (keeps_edited)
        unchanged.edited.clear();
    json document = to_json(unchanged);
    document.merge_patch(change);
    try {
        Session after = session_from_json(document);
        if (keeps_sequence)
            after.sequence = before.sequence;
        if (keeps_edited)
            after.edited = before.edited;
        return after;
    } catch (const Error& error) {
        throw error.within(pointer);
    }
}

Session whole_session(const json& session, const std::string& pointer) {
    try {
        return session_from_json(session);
    } catch (const Error& error) {
        throw error.within(pointer);
    }
}

/// What a reveal shows after `before`: what changes from it, or {"session": ...}, which has no field of that
/// name.
Session revealed_session(const Session& before, const json& reveal, const std::string& pointer) {
    if (reveal.is_object() && reveal.size() == 1 && reveal.contains("session"))
        return whole_session(reveal["session"], pointer_to(pointer, "session"));
    return changed_session(before, reveal, pointer);
}

/// A step of lesson.json, whose title and text come from the other file, or of a draft, which has them too.
LessonStep step_from(JsonObject& object, const Session& before, Unfinished unfinished) {
    LessonStep step;
    step.states.push_back(before);
    if (const json* whole = object.find("session"))
        step.states.front() = whole_session(*whole, object.pointer("session"));
    if (const json* change = object.find("change"))
        step.states.front() = changed_session(step.states.front(), *change, object.pointer("change"));
    if (const json* list = list_at(object, "reveals", most_lesson_reveals))
        for (std::size_t at = 0; at < list->size(); ++at)
            step.states.push_back(
                revealed_session(step.states.back(), (*list)[at], pointer_to(object.pointer("reveals"), at)));
    if (object.find("question"))
        step.question = question_from(*object.find("question"), object.pointer("question"), unfinished);
    if (object.find("training"))
        step.training = training_from(object.object("training"));
    step.notes = object.text("notes", {});
    step.knob = object.text("knob", {});
    return step;
}

/// What lesson.json and a draft have in common. `finish` reads from a step what only one of them has.
template <class Finish>
Lesson lesson_from(JsonObject& object, Unfinished unfinished, const Finish& finish) {
    Lesson lesson;
    lesson.order = static_cast<int>(object.integer("order", 0, 0, 1000));
    lesson.minutes = static_cast<int>(object.integer("minutes", lesson.minutes, 1, 240));
    if (const json* list = list_at(object, "steps", most_lesson_steps))
        for (std::size_t at = 0; at < list->size(); ++at) {
            JsonObject step((*list)[at], lesson_document, pointer_to(object.pointer("steps"), at));
            const Session& before = at == 0 ? example_session() : lesson.steps.back().states.back();
            lesson.steps.push_back(step_from(step, before, unfinished));
            finish(step, lesson.steps.back());
            step.refuse_other_fields();
        }
    if (const json* list = list_at(object, "quiz", most_questions))
        for (std::size_t at = 0; at < list->size(); ++at)
            lesson.quiz.push_back(
                question_from((*list)[at], pointer_to(object.pointer("quiz"), at), unfinished));
    return lesson;
}

void require_format(JsonObject& object, const char* expected) {
    const std::string format = object.text("format", {});
    if (format != expected)
        object.refuse("format", '"' + std::string(expected) + '"',
                      format.empty() ? "none" : '"' + excerpt(format) + '"');
}

/// Takes the line that `text` begins with off it, its line break included.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end == std::string_view::npos ? end : end + 1);
    text.remove_prefix(line.size());
    return line;
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
        const std::string_view line = take_line(text);
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
        const std::string_view line = take_line(text);
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

void require_finished(const Question& question, const std::string& pointer) {
    const auto refuse = [&](const char* field, const std::string& expected, const std::string& got) {
        throw Error({lesson_document, pointer_to(pointer, field), expected, got});
    };
    if (question.ask.empty())
        refuse("ask", "a question", "none");
    if (question.kind == Question::Kind::choice &&
        (question.options.size() < 2 || question.options.size() > most_options))
        refuse("options", "2 to " + std::to_string(most_options) + " of them",
               std::to_string(question.options.size()));
    if (question.kind == Question::Kind::weight)
        for (const auto& [field, token] : {std::pair("query", &question.query), {"key", &question.key}})
            if (token->empty())
                refuse(field, "a token", "none");
}

Lesson parse_lesson(std::string id, std::string_view document, std::string_view text, Unfinished unfinished) {
    const JsonDocument parsed = parse_json(document);
    JsonObject object(*parsed, lesson_document);
    require_format(object, lesson_format);
    std::vector<Section> sections = sections_of(text);
    if (sections.size() < 2)
        throw Error({lesson_document, "lesson.md", "a title (\"# ...\") and steps (\"## ...\")",
                     sections.empty() ? "no heading" : "no step"});
    Lesson lesson = lesson_from(object, unfinished, [](JsonObject&, LessonStep&) {});
    lesson.id = std::move(id);
    lesson.title = sections.front().title;
    lesson.summary = sections.front().text;
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
    object.refuse_other_fields();
    return lesson;
}

Lesson read_lesson(const std::filesystem::path& folder, Unfinished unfinished) {
    const auto read = [&](const char* name) {
        return std::string(without_byte_order_mark(read_file(folder / name, largest_lesson_file)));
    };
    const std::string document = read("lesson.json"), text = read("lesson.md");
    const auto name = folder.has_filename() ? folder.filename() : folder.parent_path().filename();
    Lesson lesson =
        in_file(folder.string(), [&] { return parse_lesson(name.string(), document, text, unfinished); });
    lesson.source = std::filesystem::absolute(folder).lexically_normal().string();
    return lesson;
}

Lesson parse_lesson_draft(std::string_view text) {
    const JsonDocument parsed = parse_json(text);
    JsonObject object(*parsed, lesson_document);
    require_format(object, draft_format);
    Lesson lesson = lesson_from(object, Unfinished::allowed, [](JsonObject& written, LessonStep& step) {
        step.title = written.text("title", {});
        step.texts = written.texts("texts");
        step.texts.resize(step.states.size());
    });
    if (lesson.steps.empty())
        object.refuse("steps", "a step or more", "none");
    lesson.title = object.text("title", {});
    lesson.summary = object.text("summary", {});
    lesson.source = object.text("folder", {});
    object.refuse_other_fields();
    return lesson;
}

Lesson read_lesson_draft(const std::filesystem::path& file) {
    const std::string text = read_file(file, largest_lesson_file);
    return in_file(file.string(), [&] { return parse_lesson_draft(text); });
}

}  // namespace headlight
