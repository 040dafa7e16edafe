#include "core/graph/element_rows.h"

#include <cmath>

namespace headlight {
namespace {

struct Hypotenuse {
    static double value(const each_element::Two& x) { return std::hypot(x[0], x[1]); }
    /// 0 at the corner, where there is no direction.
    static each_element::Two slopes(const each_element::Two& x, double y) {
        return y == 0 ? each_element::Two{} : each_element::Two{x[0] / y, x[1] / y};
    }
};

}  // namespace

OperationDescription declare_operation_hypotenuse() {
    OperationDescription row = each_element::with_print(
        "√({0:base}² + {1:base}²)",
        each_element::smooth<Hypotenuse>(each_element::python_call("hypot"),
                                         each_element::cell_pattern("SQRT({0:whole}^2+{1:whole}^2)")));
    row.function = {"hypot", "hypot(a, b)",
                    "the longest side of a triangle with a right angle between a and b"};
    row.operands = 2;
    return row;
}

}  // namespace headlight
