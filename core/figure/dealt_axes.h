#pragma once

#include "core/attention/trace.h"
#include "core/figure/view_settings.h"
#include "core/tensor/storage.h"

#include <string>
#include <vector>

namespace headlight {

/// Which axes of a stage are rows and columns, by their places among its axes; the others are held at one
/// place.
struct DealtStage {
    std::optional<std::size_t> rows, columns;  ///< nothing where the stage has fewer axes
    std::vector<std::size_t> held;
};

/// As asked where the stage has such axes; else, and for what is left open, its last two.
DealtStage deal(const Stage& stage, const DealtAxes& asked);

/// The part of a selection that says where along an axis it is: of features and hidden units the same.
Index& place_along(Axis axis, Selection& selection);

/// Where an axis that is not drawn is held: at what is selected, inside the stage.
Index held_at(const Stage& stage, std::size_t axis, const Selection& selection);

/// [rows, columns] of the numbers of a stage.
Storage<const double> dealt_matrix(std::span<const double> numbers, const Stage& stage,
                                   const DealtStage& dealt, const Selection& selection);

/// "head 2 of 8", "query “cat”"
std::string held_in_words(const Trace& trace, const Stage& stage, std::size_t axis,
                          const Selection& selection);

/// What lies along an axis of a stage, "query" or "seed".
std::string stage_axis_title(const Trace& trace, const Stage& stage, std::size_t axis, bool with_hint);

}  // namespace headlight
