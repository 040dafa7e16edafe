#include "core/attention/arithmetic_text.h"

#include "core/graph/operation.h"
#include "core/graph/pattern.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>

namespace headlight {
namespace {

constexpr std::size_t most_terms = 4;  ///< that a person still reads; longer sums are cut

/// Fixed notation with `decimals` places, without trailing zeros. Not printf, whose decimal point depends on
/// the locale.
std::string fixed(double value, int decimals) {
    char buffer[64];
    const auto end =
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals).ptr;
    std::string text(buffer, end);
    if (text.find('.') != text.npos)
        text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.'))
        text.pop_back();
    return text;
}

std::string superscript(int number) {
    static constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = number < 0 ? "⁻" : "";
    for (const char digit : std::to_string(std::abs(number)))
        text += digits[digit - '0'];
    return text;
}

std::string format_magnitude(double value, int significant) {
    const int exponent = static_cast<int>(std::floor(std::log10(value)));
    if (exponent >= -4 && exponent < 6)
        return fixed(value, std::max(0, significant - 1 - exponent));
    char buffer[64];
    char* const end =
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific, significant - 1)
            .ptr;
    char* const letter = std::find(buffer, end, 'e');
    const char* const digits = letter[1] == '+' ? letter + 2 : letter + 1;
    double mantissa = 0;
    int power = 0;
    std::from_chars(buffer, letter, mantissa);
    std::from_chars(digits, end, power);
    return fixed(mantissa, significant - 1) + "×10" + superscript(power);
}

/// What the numbers `from` to `to` come to.
using Gather = std::function<double(std::size_t from, std::size_t to)>;

/// The first two and the last of many terms, with what those between come to; all of few.
Arithmetic abridged(std::size_t count, const std::function<Arithmetic(std::size_t)>& term,
                    const std::string& joint, const Gather& gather) {
    if (count == 0)
        return "0";
    Arithmetic text = term(0);
    for (std::size_t i = 1; i < count; ++i) {
        if (count > most_terms && i == 2) {
            text += joint + "[" + std::to_string(count - 3) + " more: " + written(gather(2, count - 1)) + "]";
            i = count - 1;
        }
        text += joint + term(i);
    }
    return text;
}

/// Two signs in a row are read twice: 2 × −1.
bool needs_brackets(std::string_view before, std::string_view number) {
    static constexpr std::string_view operators[] = {" + ", " − ", " × ", " / ", "^"};
    return number.starts_with("−") &&
           std::ranges::any_of(operators, [before](std::string_view sign) { return before.ends_with(sign); });
}

}  // namespace

std::string format_number(double value, int significant) {
    if (std::isnan(value))
        return "NaN";
    if (value == 0)
        return "0";
    const std::string magnitude = std::isinf(value) ? "∞" : format_magnitude(std::abs(value), significant);
    return (value < 0 ? "−" : "") + magnitude;
}

Arithmetic::Arithmetic(std::string words) {
    if (!words.empty())
        parts_.emplace_back(std::move(words));
}

std::string Arithmetic::text(int significant) const {
    std::string text;
    for (const auto& part : parts_) {
        const double* number = std::get_if<double>(&part);
        if (!number)
            text += std::get<std::string>(part);
        else if (const std::string digits = format_number(*number, significant); needs_brackets(text, digits))
            text += "(" + digits + ")";
        else
            text += digits;
    }
    return text;
}

Arithmetic& Arithmetic::operator+=(const Arithmetic& more) {
    parts_.insert(parts_.end(), more.parts_.begin(), more.parts_.end());
    return *this;
}

Arithmetic written(double number) {
    Arithmetic arithmetic;
    arithmetic.parts_.emplace_back(number);
    return arithmetic;
}

Arithmetic sum_of_products(std::span<const Factors> terms) {
    return abridged(
        terms.size(), [&](std::size_t i) { return written(terms[i].left) + " × " + written(terms[i].right); },
        " + ",
        [&](std::size_t from, std::size_t to) {
            double sum = 0;
            for (std::size_t i = from; i < to; ++i)
                sum += terms[i].left * terms[i].right;
            return sum;
        });
}

Arithmetic sum_of_products(std::span<const double> left, std::span<const double> right) {
    std::vector<Factors> terms;
    for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i)
        terms.push_back({left[i], right[i]});
    return sum_of_products(terms);
}

Arithmetic list_of(std::span<const double> numbers, const PrintedList& list) {
    const auto filled = [](const char* pattern, const auto& place) {
        Arithmetic text;
        walk_pattern(
            pattern, [&](std::string_view words) { text += std::string(words); },
            [&](const PatternPlace& at) { text += place(at.word); });
        return text;
    };
    const auto each = [&](std::size_t i) {
        return filled(list.each, [&](std::string_view wanted) {
            const Arithmetic number = written(numbers[i]);
            return wanted == "base" && numbers[i] < 0 ? "(" + number + ")" : number;
        });
    };
    const auto between = [&](std::size_t from, std::size_t to) {
        return list.between(numbers.subspan(from, to - from));
    };
    return list.before + abridged(numbers.size(), each, list.joint, between) +
           filled(list.after, [&](std::string_view) { return std::to_string(numbers.size()); });
}

Arithmetic sum_of(std::span<const double> terms) {
    return list_of(terms, description_of(Operation::sum_of_columns).print.list);
}

Arithmetic product_of(std::span<const double> factors) {
    return list_of(factors, description_of(Operation::cumulative_product).print.list);
}

Arithmetic maximum_of(std::span<const double> numbers) {
    return list_of(numbers, description_of(Operation::maximum_of_columns).print.list);
}

PrintBinding binding_of(std::string_view wanted) {
    return wanted == "term"                        ? PrintBinding::term
           : wanted == "whole" || wanted == "base" ? PrintBinding::whole
                                                   : PrintBinding::sum;
}

Arithmetic plus(Arithmetic text, double number) {
    return std::move(text) + (number < 0 ? " − " : " + ") + written(std::abs(number));
}
Arithmetic plus(double left, double right) { return plus(written(left), right); }
Arithmetic minus(double left, double right) { return plus(left, -right); }

}  // namespace headlight
