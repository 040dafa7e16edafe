#include "core/lesson/answer_book.h"

#include "core/attention/json_object.h"
#include "core/io/files.h"
#include "core/io/json_text.h"
#include "core/io/stored_bytes.h"
#include "core/tensor/csv.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <fstream>

namespace headlight {

template <>
std::span<const Word<GivenAnswer::When>> words() {
    static constexpr Word<GivenAnswer::When> list[] = {
        {GivenAnswer::When::before, "before", "before the lesson or the course"},
        {GivenAnswer::When::during, "during", "in a step of the lesson"},
        {GivenAnswer::When::after, "after", "after the lesson or the course"},
    };
    return list;
}

namespace {

using nlohmann::json;

constexpr const char* book_document = "read answers";
constexpr std::size_t largest_book = std::size_t(64) << 20;
constexpr Index most_people = 1'000'000, most_asked = 1'000;

std::string line_of(const GivenAnswer& answer) {
    return json{{"time", answer.time},        {"class", answer.class_name},   {"lesson", answer.lesson},
                {"course", answer.is_course}, {"when", to_word(answer.when)}, {"question", answer.question},
                {"answer", answer.words},     {"people", answer.people},      {"right", answer.is_right}}
               .dump(-1, ' ', false, json::error_handler_t::replace) +
           "\n";
}

GivenAnswer answer_from(JsonObject object) {
    GivenAnswer answer;
    answer.time = object.text("time", {});
    answer.class_name = object.text("class", {});
    answer.lesson = object.text("lesson", {});
    answer.is_course = object.boolean("course", false);
    answer.when = object.word("when", answer.when);
    answer.question = static_cast<std::size_t>(object.integer("question", 0, 0, most_asked));
    answer.words = object.text("answer", {});
    answer.people = static_cast<std::size_t>(object.integer("people", 1, 0, most_people));
    answer.is_right = object.boolean("right", false);
    return answer;
}

/// Whether there is something to read. What is wrong with it is said by whoever reads it.
bool is_begun(const std::filesystem::path& book) {
    std::error_code failed;
    return std::filesystem::exists(book, failed) || failed;
}

/// Whether the last line was cut off.
bool ends_inside_a_line(const std::filesystem::path& book) {
    if (!is_begun(book))
        return false;
    const FileBytes file(book);
    return file.size() > 0 && file.text(file.size() - 1, 1) != "\n";
}

}  // namespace

std::vector<GivenAnswer> given_choices(const Question& question, const Guess& guess, GivenAnswer asked) {
    std::vector<GivenAnswer> given;
    for (std::size_t option = 0; option < question.options.size(); ++option) {
        const std::size_t people =
            guess.hands.empty() ? std::size_t(option == guess.option) : guess.hands.at(option);
        if (people == 0)
            continue;
        asked.words = question.options[option];
        asked.people = people;
        asked.is_right = option == question.answer;
        given.push_back(asked);
    }
    return given;
}

std::vector<QuizQuestion> lesson_quiz(const Lesson& lesson) {
    std::vector<QuizQuestion> quiz;
    for (std::size_t number = 0; number < lesson.quiz.size(); ++number)
        quiz.push_back({lesson.id, number, lesson.quiz[number]});
    return quiz;
}

std::vector<QuizQuestion> course_quiz(std::span<const Lesson> lessons) {
    constexpr std::size_t most = 8;
    std::vector<const Lesson*> with_quiz;
    for (const Lesson& lesson : lessons)
        if (!lesson.quiz.empty())
            with_quiz.push_back(&lesson);
    const std::size_t count = std::min(most, with_quiz.size());
    std::vector<QuizQuestion> quiz;
    for (std::size_t i = 0; i < count; ++i) {
        const Lesson& lesson = *with_quiz[i * with_quiz.size() / count];
        quiz.push_back({lesson.id, 0, lesson.quiz.front()});
    }
    return quiz;
}

std::vector<Movement> movements(std::span<const GivenAnswer> answers) {
    std::vector<Movement> list;
    for (const GivenAnswer& answer : answers) {
        if (answer.when == GivenAnswer::When::during)
            continue;
        const auto is_of = [&](const Movement& one) {
            return one.lesson == answer.lesson && one.is_course == answer.is_course &&
                   one.question == answer.question;
        };
        auto at = std::ranges::find_if(list, is_of);
        if (at == list.end())
            at = list.insert(at, {answer.lesson, answer.is_course, answer.question, {}, {}});
        (answer.when == GivenAnswer::When::before ? at->before : at->after).add(answer);
    }
    return list;
}

std::string answers_csv(std::span<const GivenAnswer> answers) {
    std::string table = "time,class,lesson,course,when,question,answer,people,right\n";
    for (const GivenAnswer& answer : answers)
        table += csv_field(answer.time) + "," + csv_field(answer.class_name) + "," +
                 csv_field(answer.lesson) + (answer.is_course ? ",yes," : ",no,") + to_word(answer.when) +
                 "," + std::to_string(answer.question + 1) + "," + csv_field(answer.words) + "," +
                 std::to_string(answer.people) + (answer.is_right ? ",yes\n" : ",no\n");
    return table;
}

void AnswerBook::add(std::span<const GivenAnswer> answers) {
    if (answers.empty())
        return;
    std::string lines = ends_inside_a_line(file_) ? "\n" : "";
    for (const GivenAnswer& answer : answers)
        lines += line_of(answer);
    std::error_code failed;  // what is wrong with the folder is said by the file
    std::filesystem::create_directories(file_.parent_path(), failed);
    std::ofstream file(file_, std::ios::app | std::ios::binary);
    file << lines << std::flush;
    if (!file)
        throw Error({"write answers", file_.string(), "a file that can be written", "none"});
}

std::vector<GivenAnswer> AnswerBook::answers() const {
    std::vector<GivenAnswer> list;
    if (!is_begun(file_))
        return list;
    const std::string text = read_file(file_, largest_book);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        try {
            const JsonDocument line = parse_json(std::string_view(text).substr(begin, end - begin));
            list.push_back(answer_from(JsonObject(*line, book_document, {})));
        } catch (const Error&) {
            // Cut off when the computer stopped, or written by somebody else.
        }
        begin = end + 1;
    }
    return list;
}

void AnswerBook::forget(const std::string& class_name) {
    std::vector<GivenAnswer> kept = answers();
    std::erase_if(kept, [&](const GivenAnswer& answer) { return answer.class_name == class_name; });
    std::string lines;
    for (const GivenAnswer& answer : kept)
        lines += line_of(answer);
    write_file_atomically(file_, lines);
}

}  // namespace headlight
