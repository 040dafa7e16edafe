#pragma once

#include <span>
#include <string_view>

namespace headlight::kernels {

enum class Level {
    baseline,  ///< x86-64-v2, or whatever the compiler was told on another processor
    avx2,      ///< x86-64-v3: AVX2 and FMA
    avx512,    ///< x86-64-v4: AVX-512 F, BW, CD, DQ, VL
};

std::string_view to_string(Level level);

/// Levels that this build has and this processor runs, lowest first.
std::span<const Level> available_levels();

/// The highest available level, or the one that the environment variable HEADLIGHT_ISA names (baseline, avx2,
/// avx512). Throws Error when it names none, or one that is not available.
Level chosen_level();

}  // namespace headlight::kernels
