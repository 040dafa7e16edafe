#include "core/kernels/processor.h"

#include <algorithm>
#include <array>

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace headlight::kernels {
namespace {

constexpr auto leaf_1 = &Processor::leaf_1_ecx;
constexpr auto leaf_7 = &Processor::leaf_7_ebx;
constexpr auto extended = &Processor::extended_1_ecx;
constexpr auto kept = &Processor::kept_registers;

constexpr std::array features{
    Feature{"FMA", Level::avx2, leaf_1, 12},
    Feature{"MOVBE", Level::avx2, leaf_1, 22},
    Feature{"OSXSAVE", Level::avx2, leaf_1, 27},
    Feature{"AVX", Level::avx2, leaf_1, 28},
    Feature{"F16C", Level::avx2, leaf_1, 29},
    Feature{"BMI1", Level::avx2, leaf_7, 3},
    Feature{"AVX2", Level::avx2, leaf_7, 5},
    Feature{"BMI2", Level::avx2, leaf_7, 8},
    Feature{"LZCNT", Level::avx2, extended, 5},
    Feature{"XMM registers", Level::avx2, kept, 1},
    Feature{"YMM registers", Level::avx2, kept, 2},
    Feature{"AVX512F", Level::avx512, leaf_7, 16},
    Feature{"AVX512DQ", Level::avx512, leaf_7, 17},
    Feature{"AVX512CD", Level::avx512, leaf_7, 28},
    Feature{"AVX512BW", Level::avx512, leaf_7, 30},
    Feature{"AVX512VL", Level::avx512, leaf_7, 31},
    Feature{"mask registers", Level::avx512, kept, 5},
    Feature{"upper halves of ZMM0 to 15", Level::avx512, kept, 6},
    Feature{"ZMM16 to 31", Level::avx512, kept, 7},
};

}  // namespace

std::span<const Feature> required_features() { return features; }

bool runs(Level level, const Processor& processor) {
    return std::ranges::all_of(features, [&](const Feature& feature) {
        return feature.level > level || (processor.*feature.word >> feature.bit & 1) != 0;
    });
}

Processor this_processor() {
    Processor processor;
#ifdef __x86_64__
    unsigned int eax = 0, ebx = 0, ecx = 0, edx = 0;
    if (__get_cpuid(1, &eax, &ebx, &ecx, &edx))
        processor.leaf_1_ecx = ecx;
    if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx))
        processor.leaf_7_ebx = ebx;
    if (__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx))
        processor.extended_1_ecx = ecx;
    constexpr std::uint32_t osxsave = std::uint32_t(1) << 27;  // without it there is no XGETBV
    if (processor.leaf_1_ecx & osxsave) {
        __asm__("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
        processor.kept_registers = eax;
    }
#endif
    return processor;
}

}  // namespace headlight::kernels
