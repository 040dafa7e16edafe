#include "core/figure/colour_range.h"

#include "core/tensor/number_text.h"

#include <charconv>
#include <cmath>

namespace headlight {
namespace {

constexpr std::string_view dots = "..";

std::optional<double> end_from(std::string_view text) {
    constexpr double most = 1e300;  // two of them have a difference
    double number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = failure == std::errc() && end == text.data() + text.size();
    return is_number && std::abs(number) <= most ? std::optional(number) : std::nullopt;
}

/// "1st", "99th", "99.5th"
std::string ordinal(double number) {
    const std::string text = number_text(number);
    const double tens = std::fmod(number, 100), ones = std::fmod(number, 10);
    const bool is_teen = tens > 10 && tens < 14;
    return text + (is_teen ? "th" : ones == 1 ? "st" : ones == 2 ? "nd" : ones == 3 ? "rd" : "th");
}

}  // namespace

std::string range_word(const ColourRange& range) {
    switch (range.kind) {
    case RangeKind::unit:
        return "unit";
    case RangeKind::fitted:
        return "fitted";
    case RangeKind::percentiles:
        return "p" + number_text(range.from) + "..p" + number_text(range.to);
    case RangeKind::numbers:
        return number_text(range.from) + ".." + number_text(range.to);
    }
    return {};
}

std::optional<ColourRange> range_from_word(std::string_view word) {
    for (const RangeKind kind : {RangeKind::unit, RangeKind::fitted})
        if (word == range_word(kind))
            return kind;
    const std::size_t middle = word.find(dots);
    if (middle == std::string_view::npos)
        return std::nullopt;
    std::string_view first = word.substr(0, middle), last = word.substr(middle + dots.size());
    const bool are_percentiles = first.starts_with('p') && last.starts_with('p');
    if (are_percentiles) {
        first.remove_prefix(1);
        last.remove_prefix(1);
    }
    const auto from = end_from(first), to = end_from(last);
    if (!from || !to || !(*from < *to) || (are_percentiles && (*from < 0 || *to > 100)))
        return std::nullopt;
    return ColourRange(are_percentiles ? RangeKind::percentiles : RangeKind::numbers, *from, *to);
}

std::string range_in_words(const ColourRange& range) {
    switch (range.kind) {
    case RangeKind::unit:
        return "0 to 1";
    case RangeKind::fitted:
        return "smallest to largest";
    case RangeKind::percentiles:
        return ordinal(range.from) + " to " + ordinal(range.to) + " percentile";
    case RangeKind::numbers:
        return number_text(range.from) + " to " + number_text(range.to);
    }
    return {};
}

}  // namespace headlight
