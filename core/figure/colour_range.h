#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headlight {

enum class RangeKind {
    unit,         ///< 0 to 1: a colour means the same in every picture
    fitted,       ///< smallest to largest number shown
    percentiles,  ///< between two percentiles of the numbers shown
    numbers,      ///< between two numbers that a person chose
};

/// Which numbers the colours run from and to. A number outside has the colour of the end that it is nearer
/// to.
struct ColourRange {
    RangeKind kind = RangeKind::unit;
    double from = 0, to = 0;  ///< of percentiles, 0 to 100, and of numbers; rising

    ColourRange() = default;
    ColourRange(RangeKind kind_)  // NOLINT: a kind alone is a range, of percentiles the usual ones
        : kind(kind_) {
        if (kind == RangeKind::percentiles) {
            from = 1;
            to = 99;
        } else if (kind == RangeKind::numbers) {
            to = 1;
        }
    }
    ColourRange(RangeKind kind_, double from_, double to_) : kind(kind_), from(from_), to(to_) {}

    /// The ends are those of the numbers that are shown: fitted to all of them, or to most.
    bool follows_numbers() const { return kind == RangeKind::fitted || kind == RangeKind::percentiles; }
    bool operator==(const ColourRange&) const = default;
};

/// In files and on the command line: "unit", "fitted", "p1..p99", "0..0.2".
std::string range_word(const ColourRange& range);
/// Nothing where `word` is none of these, its ends do not rise, or percentiles are not from 0 to 100.
std::optional<ColourRange> range_from_word(std::string_view word);
/// What range_from_word() reads, for an Error.
inline constexpr const char* range_words =
    "unit, fitted, percentiles such as p1..p99, or numbers such as 0..0.2, the smaller first";

/// For people: "0 to 1", "smallest to largest", "1st to 99th percentile".
std::string range_in_words(const ColourRange& range);

}  // namespace headlight
