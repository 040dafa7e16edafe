// The arithmetic of one processor level. Included once by each of level_*.cpp, which are compiled with that
// level's instructions.

#include "core/attention/kernels/level_names.inc.h"

#include "core/nn/arithmetic/arithmetic.h"
#include "core/nn/arithmetic/cells.inc.h"

namespace headlight::nn {

namespace {

template <class Real>
constexpr Arithmetic<Real> of_this_level{
    .add = add,
    .add_scaled = add_scaled,
    .add_products = add_products,
    .add_column_sums = add_column_sums,
    .inner_product = inner_product,
    .multiply_by_slopes = multiply_by_slopes,
    .add_softmax_slopes = add_softmax_slopes,
    .layer_norm = layer_norm,
    .add_layer_norm_slopes = add_layer_norm_slopes,
    .score_energies = score_energies,
    .add_energy_slopes = add_energy_slopes,
    .run_cell = run_cell,
    .add_cell_slopes = add_cell_slopes,
    .adam = adam,
};

}  // namespace

extern const Arithmetic<float> HEADLIGHT_JOIN(float_, HEADLIGHT_LEVEL);
extern const Arithmetic<double> HEADLIGHT_JOIN(double_, HEADLIGHT_LEVEL);
const Arithmetic<float> HEADLIGHT_JOIN(float_, HEADLIGHT_LEVEL) = of_this_level<float>;
const Arithmetic<double> HEADLIGHT_JOIN(double_, HEADLIGHT_LEVEL) = of_this_level<double>;

}  // namespace headlight::nn
