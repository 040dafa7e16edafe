#include "core/kernels/level.h"

#include "core/kernels/processor.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

namespace headlight::kernels {
namespace {

constexpr std::initializer_list<Level> compiled_levels{
#ifdef HEADLIGHT_AVX2
    Level::avx2,
#endif
#ifdef HEADLIGHT_AVX512
    Level::avx512,
#endif
};

std::vector<Level> detect() {
    std::vector<Level> levels{Level::baseline};
    const Processor processor = this_processor();
    for (const Level level : compiled_levels)
        if (runs(level, processor))
            levels.push_back(level);
    return levels;
}

}  // namespace

std::string_view to_string(Level level) {
    switch (level) {
    case Level::baseline:
        return "baseline";
    case Level::avx2:
        return "avx2";
    case Level::avx512:
        return "avx512";
    }
    return "";
}

std::span<const Level> available_levels() {
    static const std::vector<Level> levels = detect();
    return levels;
}

Level chosen_level() {
    const auto levels = available_levels();
    const char* wanted = std::getenv("HEADLIGHT_ISA");
    if (!wanted || !*wanted)
        return levels.back();
    const auto found =
        std::ranges::find(levels, std::string_view(wanted), [](Level level) { return to_string(level); });
    if (found != levels.end())
        return *found;
    std::string names;
    for (const Level level : levels)
        names += (names.empty() ? "" : ", ") + std::string(to_string(level));
    throw Error({"choose kernels", "environment variable HEADLIGHT_ISA",
                 "one of those that this processor runs: " + names, excerpt(wanted)});
}

}  // namespace headlight::kernels
