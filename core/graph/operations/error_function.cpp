#include "core/graph/element_rows.h"

#include <cmath>
#include <numbers>

namespace headlight {
namespace {

/// 2 / √π times the integral of exp(−t²) from 0 to x: the share of a bell between −x and x.
struct ErrorFunction {
    static constexpr bool are_slopes_slow = true;
    static double value(const each_element::One& x) { return std::erf(x[0]); }
    static each_element::One slopes(const each_element::One& x, double /*y*/) {
        return {2 * std::numbers::inv_sqrtpi * std::exp(-x[0] * x[0])};
    }
};

}  // namespace

OperationDescription declare_operation_error_function() {
    OperationDescription row = each_element::smooth<ErrorFunction>(
        {.form = PythonSpelling::Form::call,
         .numpy = "erf",
         .numpy_definition = "def erf(x):\n    return np.vectorize(math.erf)(x)\n"},
        each_element::cell_call("ERF"));
    row.symbol = "erf";
    row.function = {"erf", "erf(x)", "the error function: the share of a bell between -x and x"};
    return row;
}

}  // namespace headlight
