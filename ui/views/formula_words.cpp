#include "ui/views/formula_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace headlight {
namespace {

/// What is read for a command or a sign. Spaces and sizes are not read.
constexpr auto readings = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"\\left", ""},
    {"\\right", ""},
    {"\\quad", ""},
    {"\\,", ""},
    {"\\{", "the set"},
    {"\\}", ""},
    {"\\;", ""},
    {"\\top", "transposed"},
    {"\\ast", "star"},
    {"\\le", "is at most"},
    {"\\infty", "infinity"},
    {"\\sim", "is drawn from"},
    {"\\sum", "the sum"},
    {"\\max", "max"},
    {"\\ldots", "and so on to"},
    {"=", "equals"},
    {"+", "plus"},
    {"-", "minus"},
    {"/", "over"},
    {";", "beside"},
});

/// Reads one formula from left to right.
class Reader {
public:
    explicit Reader(std::string_view tex) : rest_(tex) {}

    std::string read_all() {
        while (!rest_.empty())
            read_one();
        return std::move(words_);
    }

private:
    void say(std::string_view word) {
        if (word.empty())
            return;
        if (!words_.empty() && word != ",")
            words_ += ' ';
        words_ += word;
    }

    /// A command with its backslash, or a single character.
    std::string_view take_token() {
        std::size_t length = 1;
        if (rest_.front() == '\\' && rest_.size() > 1) {
            while (length < rest_.size() && std::isalpha(static_cast<unsigned char>(rest_[length])))
                ++length;
            length = std::max<std::size_t>(length, 2);
        }
        const std::string_view token = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return token;
    }

    /// What stands between braces, or the next token where there are none.
    std::string_view take_argument() {
        if (rest_.empty())
            return {};
        if (rest_.front() != '{')
            return take_token();
        std::size_t end = 0;
        for (int depth = 0; end < rest_.size(); ++end) {
            depth += rest_[end] == '{' ? 1 : rest_[end] == '}' ? -1 : 0;
            if (depth == 0)
                break;
        }
        const std::string_view inside = rest_.substr(1, end - std::min<std::size_t>(end, 1));
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        return inside;
    }

    void say_formula(std::string_view tex) { say(Reader(tex).read_all()); }

    void say_raised(std::string_view exponent) {
        if (exponent != "\\top" && exponent != "\\ast")
            say("to the power");
        say_formula(exponent);
    }

    void read_one() {
        if (rest_.front() == '{')
            return say_formula(take_argument());
        const std::string_view token = take_token();
        const bool had_limits = std::exchange(takes_limits_, token == "\\sum" || token == "\\max");
        if (std::isspace(static_cast<unsigned char>(token.front())))
            return;
        if (token == "\\class") {
            take_argument();
            say_formula(take_argument());
        } else if (token == "\\text" || token == "\\operatorname") {
            const std::string_view text = take_argument();
            const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
            say(text.substr(begin, text.find_last_not_of(' ') + 1 - begin));
        } else if (token == "\\frac") {
            say_formula(take_argument());
            say("over");
            say_formula(take_argument());
        } else if (token == "\\sqrt") {
            say("the square root of");
            say_formula(take_argument());
        } else if (token == "^") {
            say_raised(take_argument());
        } else if (token == "_") {
            say(had_limits ? "over" : "sub");
            say_formula(take_argument());
        } else {
            const auto reading = std::ranges::find(readings, token, &decltype(readings)::value_type::first);
            say(reading != readings.end() ? reading->second
                : token.front() == '\\'   ? token.substr(1)
                                          : token);
        }
    }

    std::string_view rest_;
    std::string words_;
    bool takes_limits_ = false;  ///< the token before was read with "over", not "sub"
};

}  // namespace

std::string formula_in_words(std::string_view tex) {
    std::string words = Reader(tex).read_all();
    words.erase(std::unique(words.begin(), words.end(), [](char a, char b) { return a == ' ' && b == ' '; }),
                words.end());
    return words;
}

}  // namespace headlight
