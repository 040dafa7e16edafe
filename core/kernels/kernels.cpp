#include "core/kernels/level_kernels.h"

namespace headlight::kernels {

extern const LevelKernels kernels_baseline;
#ifdef HEADLIGHT_AVX2
extern const LevelKernels kernels_avx2;
#endif
#ifdef HEADLIGHT_AVX512
extern const LevelKernels kernels_avx512;
#endif

namespace {

const LevelKernels& kernels_of(Level level) {
#ifdef HEADLIGHT_AVX512
    if (level == Level::avx512)
        return kernels_avx512;
#endif
#ifdef HEADLIGHT_AVX2
    if (level == Level::avx2)
        return kernels_avx2;
#endif
    static_cast<void>(level);
    return kernels_baseline;
}

}  // namespace

template <>
const Table<float>& table(Level level) {
    return kernels_of(level).of_float;
}
template <>
const Table<double>& table(Level level) {
    return kernels_of(level).of_double;
}
template <>
const Arithmetic<float>& arithmetic(Level level) {
    return kernels_of(level).arithmetic_of_float;
}
template <>
const Arithmetic<double>& arithmetic(Level level) {
    return kernels_of(level).arithmetic_of_double;
}

}  // namespace headlight::kernels
