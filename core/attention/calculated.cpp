#include "core/attention/calculated.h"

#include "core/attention/sigmoid.h"
#include "core/graph/operation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace headlight {
namespace {

struct NamedOperation {
    std::string opening;  ///< "tanh("
    const OperationDescription* operation = nullptr;
};

const std::vector<NamedOperation>& named_operations() {
    static const std::vector<NamedOperation> all = [] {
        std::vector<NamedOperation> list;
        for (const OperationDescription& each : operation_table())
            if (!each.symbol.empty())
                list.push_back({std::string(each.symbol) + '(', &each});
        return list;
    }();
    return all;
}

/// A parser that goes down the grammar: sum, product, power, atom.
class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    std::optional<Calculated> line() {
        const double value = sum();
        const bool is_whole = text_.empty() || text_.front() == ':' || text_.front() == ',';
        if (failed_ || !is_whole)
            return {};
        return Calculated{value, largest_};
    }

private:
    bool take(std::string_view token) {
        if (!text_.starts_with(token))
            return false;
        text_.remove_prefix(token.size());
        return true;
    }
    double require(std::string_view token, double value) {
        failed_ |= !take(token);
        return value;
    }
    double met(double value) {
        if (std::isfinite(value))
            largest_ = std::max(largest_, std::abs(value));
        return value;
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
            met(total);
        }
        return total;
    }

    double product() {
        double total = signed_power();
        while (!failed_) {
            if (take(" × "))
                total *= signed_power();
            else if (take(" / "))
                total /= signed_power();
            else
                break;
            met(total);
        }
        return total;
    }

    /// The sign belongs to the power: −2² is −4.
    double signed_power() {
        if (take("−"))
            return -signed_power();
        const double base = atom();
        if (take("²"))
            return met(base * base);
        return take("^") ? met(std::pow(base, take("−") ? -atom() : atom())) : base;
    }

    double atom() {
        failed_ |= ++depth_ > most_brackets;
        const double value = failed_ ? 0 : opened();
        --depth_;
        return value;
    }

    double opened() {
        static constexpr std::pair<std::string_view, double (*)(double)> functions[] = {
            {"(", [](double x) { return x; }},
            {"sigmoid(", [](double x) { return sigmoid(x); }},
            {"softplus(", [](double x) { return softplus(x); }},
        };
        for (const auto& [opening, function] : functions)
            if (take(opening))
                return met(function(require(")", sum())));
        for (const NamedOperation& each : named_operations())
            if (take(each.opening))
                return met(called(*each.operation));
        if (take("√"))
            return met(std::sqrt(atom()));
        if (take("|"))
            return std::abs(require("|", sum()));
        if (take("⌊"))
            return std::floor(require("⌋", sum()));
        if (take("max("))
            return chosen_of_list([](double a, double b) { return std::max(a, b); });
        if (take("min("))
            return chosen_of_list([](double a, double b) { return std::min(a, b); });
        if (take("clip("))
            return clipped();
        if (take("["))
            return count_and_number();
        if (take("∞"))
            return std::numeric_limits<double>::infinity();
        return number();
    }

    double called(const OperationDescription& operation) {
        std::vector<double> elements{sum()};
        while (!failed_ && elements.size() < operation.operands && take(", "))
            elements.push_back(sum());
        failed_ |= elements.size() < operation.operands;
        return require(")", failed_ ? 0 : value_of_elements(operation, elements));
    }

    template <class Choose>
    double chosen_of_list(const Choose& choose) {
        double chosen = sum();
        while (!failed_ && take(", "))
            chosen = choose(chosen, sum());
        return require(")", chosen);
    }

    double clipped() {
        const double value = require(", ", sum()), low = require(", ", sum()), high = require(")", sum());
        return failed_ ? value : std::clamp(value, low, std::max(low, high));
    }

    /// "3 more: 0.5]"
    double count_and_number() {
        number();
        failed_ |= !take(" more: ");
        return require("]", sum());
    }

    double number() {
        double value = 0;
        const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
        failed_ |= error != std::errc() || (!text_.empty() && text_.front() == '-');
        text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
        return met(take("×10") ? value * std::pow(10, superscript()) : value);
    }

    double superscript() {
        static constexpr std::array<std::string_view, 10> digits{"⁰", "¹", "²", "³", "⁴",
                                                                 "⁵", "⁶", "⁷", "⁸", "⁹"};
        const double sign = take("⁻") ? -1 : 1;
        double value = 0;
        for (bool found = true; found;) {
            found = false;
            for (std::size_t digit = 0; digit < digits.size() && !found; ++digit)
                if ((found = take(digits[digit])))
                    value = 10 * value + static_cast<double>(digit);
        }
        return sign * value;
    }

    static constexpr int most_brackets = 64;  // tokens are quoted in words, and may hold anything

    std::string_view text_;
    int depth_ = 0;
    double largest_ = 0;
    bool failed_ = false;
};

}  // namespace

std::optional<Calculated> calculate(std::string_view line) {
    if (const std::size_t equals = line.rfind(" = "); equals != line.npos)
        line.remove_prefix(equals + 3);
    return Reader(line).line();
}

}  // namespace headlight
