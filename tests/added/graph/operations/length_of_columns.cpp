#include "core/graph/reduction_rows.h"

#include <cmath>
#include <numeric>

namespace headlight {
namespace {

double sum_of_squares(std::span<const double> x) {
    return std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
}

struct LengthOfColumns {
    static double value(std::span<const double> x) { return std::sqrt(sum_of_squares(x)); }
    /// 0 of zeros, where there is no direction.
    static double slope(double x, double length) { return length == 0 ? 0 : x / length; }
};

}  // namespace

OperationDescription declare_operation_length_of_columns() {
    OperationDescription row = along_axis::smooth_of_columns<LengthOfColumns>(
        {.form = PythonSpelling::Form::pattern, .pattern = {"{np}linalg.norm({0}, {axis}=-1{keeps})"}},
        {.form = CellSpelling::Form::pattern, .pattern = {"SQRT(SUMSQ({0:along}))"}},
        {.form = PrintSpelling::Form::list,
         .symbols = {"√(Σ {0:base}²)"},
         .list = {.before = "√(",
                  .each = "{0:base}²",
                  .joint = " + ",
                  .after = ")",
                  .between = sum_of_squares,
                  .left_out = 0}});
    row.function = {"length", "length(x)",
                    "the root of the sum of squares of each row; axis=-2: of each column"};
    return row;
}

}  // namespace headlight
