#pragma once

#include "core/attention/typed_formula.h"
#include "core/graph/program.h"

#include <optional>
#include <string>

namespace headlight {

// A formula with a line `weights` beside a context that does not read it: a map that nothing was found by.

/// By what a context takes the values.
struct MapOfValues {
    Expression map;
    bool is_of_scan = false;  ///< beside which a token's own value may be added, as the D of state spaces
};

/// The one map by which the context takes `values`, where all else in its lines goes on row by row, as in
/// `gate * (other @ v) / total`, or is read off a scan, which adds lines to the program. Nothing elsewhere,
/// where the context reads the weights or they read it, and where these are another view of that map.
std::optional<MapOfValues> map_beside_weights(Program& program, const std::string& values);

/// Throws Error at the context's line where the map's rows have other numbers than those of the weights, by
/// more than a factor. What the program is given are any numbers that a run may have, by which alone two
/// formulas of one map can be told from two maps.
void require_map_of_weights(const TypedFormula& formula, Program program, const MapOfValues& of_context);

}  // namespace headlight
