#include "core/graph/element_rows.h"

#include <cmath>

namespace headlight {
namespace {

struct InverseHyperbolicSine {
    static double value(const each_element::One& x) { return std::asinh(x[0]); }
    static each_element::One slopes(const each_element::One& x, double /*y*/) {
        return {1 / std::sqrt(1 + x[0] * x[0])};
    }
};

}  // namespace

OperationDescription declare_operation_inverse_hyperbolic_sine() {
    OperationDescription row = each_element::smooth<InverseHyperbolicSine>(
        each_element::python_call("arcsinh"), each_element::cell_call("ASINH"));
    row.symbol = "arsinh";
    row.function = {"arcsinh", "arcsinh(x)", "the number whose hyperbolic sine is x"};
    return row;
}

}  // namespace headlight
