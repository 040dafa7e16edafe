#include "core/graph/element_rows.h"

#include <cmath>

namespace headlight {
namespace {

/// Between −π/2 and π/2.
struct ArcTangent {
    static double value(const each_element::One& x) { return std::atan(x[0]); }
    static each_element::One slopes(const each_element::One& x, double /*y*/) {
        return {1 / (1 + x[0] * x[0])};
    }
};

}  // namespace

OperationDescription declare_operation_arc_tangent() {
    OperationDescription row = each_element::smooth<ArcTangent>(each_element::python_call("arctan"),
                                                                each_element::cell_call("ATAN"));
    row.symbol = "arctan";
    row.function = {"arctan", "arctan(x)", "the angle whose tangent is x"};
    return row;
}

}  // namespace headlight
