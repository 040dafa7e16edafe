#include "core/nn/arithmetic/arithmetic.h"

namespace headlight::nn {

extern const Arithmetic<float> float_baseline;
extern const Arithmetic<double> double_baseline;
#ifdef HEADLIGHT_X86_LEVELS
extern const Arithmetic<float> float_avx2, float_avx512;
extern const Arithmetic<double> double_avx2, double_avx512;
#else
constexpr const Arithmetic<float>&float_avx2 = float_baseline, &float_avx512 = float_baseline;
constexpr const Arithmetic<double>&double_avx2 = double_baseline, &double_avx512 = double_baseline;
#endif

template <>
const Arithmetic<float>& arithmetic(kernels::Level level) {
    const Arithmetic<float>* const levels[] = {&float_baseline, &float_avx2, &float_avx512};
    return *levels[static_cast<int>(level)];
}

template <>
const Arithmetic<double>& arithmetic(kernels::Level level) {
    const Arithmetic<double>* const levels[] = {&double_baseline, &double_avx2, &double_avx512};
    return *levels[static_cast<int>(level)];
}

}  // namespace headlight::nn
