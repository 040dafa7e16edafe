#include "core/attention/component.h"
#include "core/attention/positions/pair_places.h"
#include "core/attention/selections/kept_pairs.h"

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

using HeadCounts = std::vector<Index>;

/// A list of counts, in the order of the heads and again from its first.
const HeadCounts& counts_of_heads(const Composer& composer, const char* name) {
    return composer.plan.selection().list(name);
}

/// Some head has another count than the one that changes nothing.
bool has_other_than(const HeadCounts& counts, Index nothing) {
    return std::ranges::any_of(counts, [=](Index count) { return count != nothing; });
}

/// That of each head, [h, 1, 1].
Expression number_of_heads(Composer& composer, const std::string& name, const std::string& note,
                           const HeadCounts& counts) {
    return composer.constant(name, {composer.heads, 1, 1}, note, [counts](Index head, Index, Index) {
        return static_cast<double>(counts[static_cast<std::size_t>(head) % counts.size()]);
    });
}

/// How far each key lies from the middle of the head’s window: [n, m], or [h, n, m].
Expression distance_of_middle(Composer& composer) {
    const HeadCounts& shifts = counts_of_heads(composer, "shifts");
    if (!has_other_than(shifts, 0))
        return distance_of_places(composer);
    const Expression shift =
        number_of_heads(composer, "shift_of_head", "how many places after the query the middle lies", shifts);
    return composer.let("distance_of_middle",
                        absolute_of(composer.key_places() - composer.query_places() - shift),
                        "places between the key and the middle of the window");
}

/// Keys that lie within the reach of the head, [h, n, m].
std::optional<Expression> define_head_windows(Composer& composer, const Expression&) {
    const HeadCounts &reaches = counts_of_heads(composer, "reaches"),
                     &strides = counts_of_heads(composer, "strides"),
                     &first = counts_of_heads(composer, "first");
    if (reaches.empty())
        return {};
    const Expression distance = distance_of_middle(composer);
    Expression kept = is_at_least(
        number_of_heads(composer, "reach_of_head", "how many places each head sees to a side", reaches),
        distance);
    if (has_other_than(strides, 1)) {
        const Expression stride =
            number_of_heads(composer, "stride_of_head", "of so many places each head sees one", strides);
        kept = both_of(kept, is_equal(stride * floor_of(distance / stride), distance));
    }
    if (has_other_than(first, 0)) {
        const Expression is_first =
            is_above(number_of_heads(composer, "first_of_head", "first keys that each head sees", first),
                     composer.key_places());
        kept = is_above(as_number(kept) + as_number(is_first), 0);
    }
    return and_allowed(composer, kept);
}

/// A list that every head reads a number of.
Option list_of_heads(const char* name, const char* label, HeadCounts standard, double minimum,
                     const char* help) {
    return {.name = name,
            .label = label,
            .standard = std::move(standard),
            .minimum = minimum,
            .maximum = 65536,
            .help = help};
}

}  // namespace

SelectionComponent declare_selections_head_windows() {
    SelectionComponent component;
    component.reads_no_keys = true;
    component.meaning =
        "keys within the reach of the head, |i − j| ≤ ωₕ: each head has a window of its own, "
        "narrow ones beside wide ones (Guo et al. 2020); shifted, with gaps, or beside the first "
        "keys, it is any of the usual masks";
    component.options = {
        list_of_heads("reaches", "Reaches", {0, 1, 3, 65536}, 0,
                      "How many places each head sees to either side, in the order of the heads and again "
                      "from the first; 0: the middle of its window alone. An empty list hides nothing."),
        list_of_heads("shifts", "Shifts", {}, -65536,
                      "How many places after the token the middle of each head’s window lies, before it "
                      "where the number is below 0; an empty list: at the token."),
        list_of_heads("strides", "Strides", {}, 1,
                      "Of how many places of its window each head sees one, counted from the middle; an "
                      "empty list: every place."),
        list_of_heads("first", "First keys", {}, 0,
                      "How many of the first keys each head sees beside its window; an empty list: none.")};
    component.define = define_head_windows;
    return component;
}

}  // namespace headlight
