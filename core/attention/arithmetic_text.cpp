#include "core/attention/arithmetic_text.h"

#include "core/attention/explain.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

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

/// The first two and the last of many, all of few.
std::string abridged(std::size_t count, const std::function<std::string(std::size_t)>& term,
                     const std::string& joint) {
    if (count == 0)
        return "0";
    std::string text = term(0);
    for (std::size_t i = 1; i < count; ++i) {
        if (count > most_terms && i == 2) {
            text += joint + "…";
            i = count - 1;
        }
        text += joint + term(i);
    }
    return text;
}

std::string with_count(std::string sum, std::size_t count) {
    return count > most_terms ? sum + " (" + std::to_string(count) + " terms)" : sum;
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

std::string sum_of_products(std::span<const Factors> terms) {
    const auto term = [&](std::size_t i) {
        return format_number(terms[i].left) + " × " + format_number(terms[i].right);
    };
    return with_count(abridged(terms.size(), term, " + "), terms.size());
}

std::string sum_of(std::span<const double> terms) {
    return with_count(abridged(
                          terms.size(), [&](std::size_t i) { return format_number(terms[i]); }, " + "),
                      terms.size());
}

std::string maximum_of(std::span<const double> numbers) {
    const auto term = [&](std::size_t i) { return format_number(numbers[i]); };
    const std::string text = "max(" + abridged(numbers.size(), term, ", ") + ")";
    return numbers.size() > most_terms ? text + " of " + std::to_string(numbers.size()) : text;
}

std::string plus(std::string_view text, double number) {
    return std::string(text) + (number < 0 ? " − " : " + ") + format_number(std::abs(number));
}
std::string plus(double left, double right) { return plus(format_number(left), right); }
std::string minus(double left, double right) { return plus(left, -right); }

}  // namespace headlight
