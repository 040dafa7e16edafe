#include "bench/processor_rate.h"

#include <omp.h>

namespace headlight {

std::int64_t multiply_add_in_registers() {
    constexpr int lanes = 16, sums = 24,
                  steps = 20'000;  // enough sums for the latency, few enough for the registers
    using Vector = float __attribute__((vector_size(lanes * sizeof(float))));
#pragma omp parallel
    {
        const Vector factor = Vector{} + 0.999f, term = Vector{} + 0.001f;
        Vector sum[sums];
        for (int i = 0; i < sums; ++i)
            sum[i] = Vector{} + static_cast<float>(i);
        for (int step = 0; step < steps; ++step)
#pragma GCC unroll 24
            for (int i = 0; i < sums; ++i)
                sum[i] = sum[i] * factor + term;
        for (int i = 0; i < sums; ++i)
            asm volatile("" : : "m"(sum[i]));  // somebody reads it
    }
    return std::int64_t{2} * lanes * sums * steps * omp_get_max_threads();
}

}  // namespace headlight
