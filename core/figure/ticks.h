#pragma once

#include "core/figure/colour.h"

#include <string>
#include <vector>

namespace headlight {

/// A labelled place on a colour bar.
struct Tick {
    double value;
    std::string label;
    bool operator==(const Tick&) const = default;
};

/// At most `limit` ticks and at least 2 of a range, at round numbers inside the scale: multiples of 1, 2 or 5
/// times a power of ten, or the scale's ends where fewer than 2 of these lie inside; on a logarithmic scale
/// powers of ten, whose lowest says "≤" because everything below it has its colour. An end that clips numbers
/// has a tick that says "≤" or "≥".
std::vector<Tick> nice_ticks(const ColourScale& scale, int limit = 6);

/// nice_ticks() of a bar, which also say where it ends: in place of those that are too near to an end, one
/// for the number there. No two are nearer to each other than that. Where colours part at 0, three and more
/// have it among them.
std::vector<Tick> bar_ticks(const ColourScale& scale, int limit = 6);

/// Whether the colours part at a 0 that lies between the ends.
bool parts_at_zero(const ColourScale& scale);

/// The ends of a bar with 0 between them, and so many decimals fewer than bar_ticks() has at its ends: for a
/// bar whose colours part at 0 and that has no room for those. Empty where an end would be off by more than
/// a sixtieth, where it clips numbers, and of any other bar.
std::vector<Tick> brief_bar_ticks(const ColourScale& scale, int dropped);

/// `value` with exactly `decimals` decimals, a true minus sign, "−∞", "∞" and "NaN" spelled out, and no
/// negative zero.
std::string format_fixed(double value, int decimals);

/// "n²", "n¹·⁹⁸": the power of a letter with two decimals at most, in raised digits; "n" for the first.
std::string power_text(const std::string& of, double exponent);

/// How many decimals show three significant digits of the largest of the numbers, 0 to 4.
int useful_decimals(double largest_magnitude);

}  // namespace headlight
