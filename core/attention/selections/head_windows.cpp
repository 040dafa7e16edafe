#include "core/attention/component.h"
#include "core/attention/positions/pair_places.h"
#include "core/attention/selections/kept_pairs.h"

#include <string>
#include <vector>

namespace headlight {
namespace {

/// Keys that lie within the reach of the head, [h, n, m].
std::optional<Expression> define_head_windows(Composer& composer, const Expression&) {
    const Options& options = composer.plan.spec.selection.options;
    const auto& reaches = option<std::vector<Index>>(options, "reaches");
    const Index count = static_cast<Index>(reaches.size());
    if (count == 0)
        return {};
    const Expression reach =
        composer.constant("reach_of_head", {composer.heads, 1, 1}, "how many places each head sees to a side",
                          [=](Index head, Index, Index) {
                              return static_cast<double>(reaches[static_cast<std::size_t>(head % count)]);
                          });
    return and_allowed(composer, is_at_least(reach, distance_of_places(composer)));
}

}  // namespace

SelectionComponent declare_selections_head_windows() {
    SelectionComponent component;
    component.type = SelectionType::head_windows;
    component.word = "head_windows";
    component.reads_no_keys = true;
    component.meaning = "keys within the reach of the head, |i − j| ≤ ωₕ: each head has a window of its own, "
                        "narrow ones beside wide ones (Guo et al. 2020)";
    component.options = {
        {.name = "reaches",
         .label = "Reaches",
         .standard = std::vector<Index>{0, 1, 3, 65536},
         .minimum = 0,
         .maximum = 65536,
         .help =
             "How many places each head sees to either side, in the order of the heads and again from the "
             "first; 0: the token’s own place alone."}};
    component.define = define_head_windows;
    return component;
}

}  // namespace headlight
