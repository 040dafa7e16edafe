#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace headlight::test {

/// Calculates what an expression says, as a reader with a pocket calculator would. Nothing for words. Of a
/// long sum "[3 more: 0.4]" counts as what it names.
class Calculator {
public:
    using Function = double (*)(double);
    /// Functions beside those that every reader knows, "arsinh(": of operations that a test adds.
    static std::map<std::string_view, Function>& others() {
        static std::map<std::string_view, Function> known;
        return known;
    }

    static std::optional<double> value(std::string_view text) {
        if (const std::size_t equals = text.rfind(" = "); equals != text.npos)
            text.remove_prefix(equals + 3);
        Calculator calculator{text};
        const double result = calculator.sum();
        const bool complete = text.empty() || calculator.text_.empty() || calculator.text_.front() == ':' ||
                              calculator.text_.front() == ',';
        return calculator.failed_ || !complete ? std::nullopt : std::optional(result);
    }

private:
    explicit Calculator(std::string_view text) : text_(text) {}

    bool take(std::string_view token) {
        if (!text_.starts_with(token))
            return false;
        text_.remove_prefix(token.size());
        return true;
    }

    double sum() {
        double total = product();
        while (!failed_) {
            if (take(" + "))
                total += product();
            else if (take(" − "))
                total -= product();
            else
                break;
        }
        return total;
    }

    double product() {
        double total = factor();
        while (!failed_) {
            if (take(" × "))
                total *= factor();
            else if (take(" / "))
                total /= factor();
            else
                break;
        }
        return total;
    }

    double factor() {
        if (take("−"))
            return -factor();
        const double base = atom();
        if (take("²"))
            return base * base;
        return take("^") ? std::pow(base, factor()) : base;
    }

    double atom() {
        if (take("√"))
            return std::sqrt(atom());
        if (take("∞"))
            return std::numeric_limits<double>::infinity();
        static constexpr std::pair<std::string_view, Function> functions[] = {
            {"exp(", [](double x) { return std::exp(x); }},
            {"ln(", [](double x) { return std::log(x); }},
            {"tanh(", [](double x) { return std::tanh(x); }},
            {"sin(", [](double x) { return std::sin(x); }},
            {"cos(", [](double x) { return std::cos(x); }},
            {"arctan(", [](double x) { return std::atan(x); }},
            {"erf(", [](double x) { return std::erf(x); }},
            {"sigmoid(", [](double x) { return 1 / (1 + std::exp(-x)); }},
            {"softplus(", [](double x) { return x > 700 ? x : std::log1p(std::exp(x)); }},
            {"(", [](double x) { return x; }},
        };
        for (const auto& [opening, function] : functions)
            if (take(opening))
                return function(closed(sum()));
        for (const auto& [opening, function] : others())
            if (take(opening))
                return function(closed(sum()));
        if (take("⌊")) {
            const double inside = sum();
            failed_ |= !take("⌋");
            return std::floor(inside);
        }
        if (take("|")) {
            const double inside = sum();
            failed_ |= !take("|");
            return std::abs(inside);
        }
        if (take("clip(")) {
            const double inside = sum();
            failed_ |= !take(", 0, 1)");
            return std::clamp(inside, 0.0, 1.0);
        }
        if (take("[")) {
            number();
            failed_ |= !take(" more: ");
            const double rest = sum();
            failed_ |= !take("]");
            return rest;
        }
        if (take("max(")) {
            double largest = sum();
            while (take(", "))
                largest = std::max(largest, sum());
            return closed(largest);
        }
        if (take("min(")) {
            double smallest = sum();
            while (take(", "))
                smallest = std::min(smallest, sum());
            return closed(smallest);
        }
        return number();
    }

    double closed(double value) {
        failed_ |= !take(")");
        return value;
    }

    double number() {
        double value = 0;
        const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
        failed_ |= error != std::errc();
        text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
        if (take("×10"))
            value *= std::pow(10, superscript());
        return value;
    }

    double superscript() {
        static constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
        const double sign = take("⁻") ? -1 : 1;
        double value = 0;
        for (bool found = true; found;) {
            found = false;
            for (int digit = 0; digit < 10 && !found; ++digit)
                if ((found = take(digits[digit])))
                    value = 10 * value + digit;
        }
        return sign * value;
    }

    std::string_view text_;
    bool failed_ = false;
};

}  // namespace headlight::test
