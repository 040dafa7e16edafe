#include "core/lesson/answer.h"

#include "core/figure/ticks.h"
#include "core/tensor/error.h"
#include "core/tensor/visible_text.h"
#include "core/text/plain_letters.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight {
namespace {

constexpr int digits_of_guesses = 2, digits_of_wide_cells = 4;

/// The map that is looked at, [queries, keys].
struct AskedMap {
    AskedMap(const Trace& trace, const Selection& selection) : numbers(trace, selection) {
        const Stage* weights = trace.find("weights", numbers.site());
        if (!weights)
            throw Error({"answer a question", numbers.site(), "weights", "a run without them"});
        keys = weights->extent(Axis::key);
        cells = trace.matrix(*weights, numbers.head());
    }

    LessonNumbers numbers;
    Index keys = 0;
    std::span<const double> cells;
};

/// Returns the cells of the row that is asked for, or of the whole map.
std::pair<std::size_t, std::size_t> asked_cells(const Question& question, const AskedMap& map) {
    if (question.query.empty())
        return {0, map.cells.size()};
    const auto first = static_cast<std::size_t>(map.numbers.query_at(question.query) * map.keys);
    return {first, first + static_cast<std::size_t>(map.keys)};
}

/// What the model said at the step where one looks.
std::string said_word(const Transcript* said, const Selection& selection) {
    if (!said || said->steps.empty())
        throw Error({"answer a question", "", "a model that says words", "a run that says none"});
    const Index last = std::ssize(said->steps) - 1;
    return said->steps[static_cast<std::size_t>(std::clamp<Index>(selection.query, 0, last))].said;
}

/// The number that stands there when it is written so.
double as_written(double number, const std::string& words) {
    const std::size_t point = words.find('.');
    if (!std::isfinite(number) || point == std::string::npos)
        return number;
    const double power = std::pow(10.0, static_cast<double>(words.size() - point - 1));
    return std::round(number * power) / power;
}

/// 0.10, or 0.0050 where two digits would say another number.
std::string written_tolerance(double tolerance) {
    const std::string usual = format_fixed(tolerance, digits_of_guesses);
    return std::abs(as_written(tolerance, usual) - tolerance) < 1e-9
               ? usual
               : format_fixed(tolerance, digits_of_wide_cells);
}

std::string plain_word(std::string word) {
    const auto is_blank = [](unsigned char sign) { return std::isspace(sign) != 0; };
    word.erase(word.begin(), std::ranges::find_if_not(word, is_blank));
    while (!word.empty() && is_blank(static_cast<unsigned char>(word.back())))
        word.pop_back();
    return plain_case(word);
}

/// A keyboard may lack the marks of a word, so that they can all be left out; other marks are another word.
bool is_same_word(const std::string& guessed, const std::string& said) {
    const std::string guess = plain_word(guessed), answer = plain_word(said);
    return guess == answer || guess == without_marks(answer);
}

}  // namespace

std::string quoted_once(const std::string& words) {
    return words.find("“") == std::string::npos ? "“" + isolated(words) + "”" : words;
}

std::string Answer::said() const {
    const bool is_number = !within.empty();
    return is_number        ? words
           : weight.empty() ? quoted_once(words)
                            : quoted_once(words) + ", weight " + weight;
}

std::string Answer::told() const {
    return within.empty() ? said() : said() + "; a guess within " + within + " is right";
}

Answer answer_to(const Question& question, const Trace& trace, const Selection& selection,
                 const Transcript* said) {
    Answer answer;
    switch (question.kind) {
    case Question::Kind::weight: {
        const LessonNumbers numbers(trace, selection);
        const std::string asked = "weights:" + question.query + "," + question.key;
        answer.number = numbers.number_of(asked);
        answer.words = numbers.text_of(asked);
        answer.within = written_tolerance(question.tolerance);
        break;
    }
    case Question::Kind::cell: {
        const AskedMap map(trace, selection);
        const auto [first, end] = asked_cells(question, map);
        const auto largest = std::max_element(map.cells.begin() + static_cast<std::ptrdiff_t>(first),
                                              map.cells.begin() + static_cast<std::ptrdiff_t>(end)) -
                             map.cells.begin();
        answer.query = largest / map.keys;
        answer.key = largest % map.keys;
        answer.number = map.cells[static_cast<std::size_t>(largest)];
        answer.words = map.numbers.key_name(answer.key);
        answer.weight = told_apart(answer.number);
        break;
    }
    case Question::Kind::word:
        answer.words = said_word(said, selection);
        break;
    case Question::Kind::choice:
        answer.words = question.options.at(question.answer);
        break;
    }
    return answer;
}

std::string words_of(const Question& question, const Guess& guess, const Trace& trace,
                     const Selection& selection) {
    switch (question.kind) {
    case Question::Kind::weight:
        return format_fixed(guess.number, digits_of_guesses);
    case Question::Kind::cell:
        return LessonNumbers(trace, selection).key_name(guess.key);
    case Question::Kind::word:
        return guess.word;
    case Question::Kind::choice:
        return question.options.at(guess.option);
    }
    return {};
}

bool is_right(const Question& question, const Guess& guess, const Trace& trace, const Selection& selection,
              const Transcript* said) {
    switch (question.kind) {
    case Question::Kind::weight: {
        const Answer answer = answer_to(question, trace, selection);
        return std::abs(guess.number - as_written(answer.number, answer.words)) <= question.tolerance + 1e-12;
    }
    case Question::Kind::cell: {
        const AskedMap map(trace, selection);
        const auto [first, end] = asked_cells(question, map);
        const auto at = static_cast<std::size_t>(guess.query * map.keys + guess.key);
        return at >= first && at < end && map.cells[at] >= answer_to(question, trace, selection).number;
    }
    case Question::Kind::word:
        return is_same_word(guess.word, said_word(said, selection));
    case Question::Kind::choice:
        return guess.hands.empty()
                   ? guess.option == question.answer
                   : 2 * guess.hands.at(question.answer) >
                         std::accumulate(guess.hands.begin(), guess.hands.end(), std::size_t(0));
    }
    return false;
}

}  // namespace headlight
