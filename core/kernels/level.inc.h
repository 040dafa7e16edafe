// The kernels of one processor level. Included once by each of level_*.cpp, which are compiled with that
// level's instructions.

#include "core/kernels/level_names.inc.h"

#include "core/kernels/attend.inc.h"
#include "core/kernels/cells.inc.h"
#include "core/kernels/level_kernels.h"
#include "core/kernels/states.inc.h"

namespace headlight::kernels {

namespace {

template <class Real>
constexpr Table<Real> table_of_this_level{
    .pack = pack,
    .multiply = multiply,
    .attend = attend,
    .attend_recorded = attend_recorded,
    .score_rows = score_rows,
    .normalize_rows = normalize_rows,
    .sum_values = sum_values,
    .score_energy_block = score_energy_block,
    .maximum = maximum,
    .exponentials = exponentials,
    .activate = activate,
};

template <class Real>
constexpr Arithmetic<Real> arithmetic_of_this_level{
    .add = add,
    .add_scaled = add_scaled,
    .add_scaled_rows = add_scaled_rows,
    .subtract_squared_distances = subtract_squared_distances,
    .fade_and_add = fade_and_add,
    .add_products = add_products,
    .add_column_sums = add_column_sums,
    .sum = sum,
    .inner_product = inner_product,
    .inner_products = inner_products,
    .exponential = exponential,
    .logarithm = logarithm,
    .log_sigmoid = log_sigmoid,
    .multiply_by_slopes = multiply_by_slopes,
    .add_softmax_slopes = add_softmax_slopes,
    .layer_norm = layer_norm,
    .add_layer_norm_slopes = add_layer_norm_slopes,
    .score_energy_row = score_energy_row,
    .add_energy_slopes = add_energy_slopes,
    .run_cell = run_cell,
    .add_cell_slopes = add_cell_slopes,
    .adam = adam,
    .pass_tokens = pass_tokens,
    .add_to_channels = add_to_channels,
    .rotate_into_row = rotate_into_row,
};

}  // namespace

extern const LevelKernels HEADLIGHT_JOIN(kernels_, HEADLIGHT_LEVEL);
const LevelKernels HEADLIGHT_JOIN(kernels_, HEADLIGHT_LEVEL){
    table_of_this_level<float>, table_of_this_level<double>,  //
    arithmetic_of_this_level<float>, arithmetic_of_this_level<double>};

}  // namespace headlight::kernels
