// The arithmetic of one processor level: core/attention/kernels/level.inc.h says what must be minded.

#ifndef HEADLIGHT_LEVEL
#error "define HEADLIGHT_LEVEL, the name of the level, before including this file"
#endif

#define HEADLIGHT_JOIN_(a, b) a##b
#define HEADLIGHT_JOIN(a, b) HEADLIGHT_JOIN_(a, b)
#define Eigen HEADLIGHT_JOIN(Eigen_, HEADLIGHT_LEVEL)
#define EIGEN_NO_DEBUG

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
