#include "core/attention/kernels/kernels.h"

#include "core/attention/kernels/processor.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

namespace headlight::kernels {

extern const Table<float> float_baseline;
extern const Table<double> double_baseline;
#ifdef HEADLIGHT_X86_LEVELS
extern const Table<float> float_avx2, float_avx512;
extern const Table<double> double_avx2, double_avx512;
#endif

namespace {

std::vector<Level> detect() {
    std::vector<Level> levels{Level::baseline};
#ifdef HEADLIGHT_X86_LEVELS
    const Processor processor = this_processor();
    for (const Level level : {Level::avx2, Level::avx512})
        if (runs(level, processor))
            levels.push_back(level);
#endif
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

template <class Real>
const Table<Real>& table(Level level) {
    constexpr bool single = std::is_same_v<Real, float>;
    const auto pick = []([[maybe_unused]] const auto& of_float,
                         [[maybe_unused]] const auto& of_double) -> const Table<Real>& {
        if constexpr (single)
            return of_float;
        else
            return of_double;
    };
#ifdef HEADLIGHT_X86_LEVELS
    if (level == Level::avx512)
        return pick(float_avx512, double_avx512);
    if (level == Level::avx2)
        return pick(float_avx2, double_avx2);
#endif
    static_cast<void>(level);
    return pick(float_baseline, double_baseline);
}

template const Table<float>& table<float>(Level);
template const Table<double>& table<double>(Level);

}  // namespace headlight::kernels
