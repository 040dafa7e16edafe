// How the time of the linear families grows with the length: untraced, float, weights not kept, 8 heads of
// width 64. One line each: milliseconds at every length and the fitted exponent e of time ~ n^e, which must
// lie between 0.9 and 1.2; the program fails when one does not. With arguments, those words alone:
//   linear_bench [ALGORITHM ...]
#include "bench/measured_runs.h"
#include "core/attention/executor.h"
#include "core/attention/spec_words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

using namespace headlight;

namespace {

constexpr Index heads = 8;
constexpr Index head_width = 64;
constexpr double least_exponent = 0.9, most_exponent = 1.2;

struct Family {
    AlgorithmType type;
    Index width = head_width;  ///< per head; the features of some are its square
    Options options = {};
};

const std::vector<Family> families{{AlgorithmType::linear},
                                   {AlgorithmType::performer},
                                   {AlgorithmType::cosformer},
                                   {AlgorithmType::based, 16},
                                   {AlgorithmType::rebased, 16},
                                   {AlgorithmType::retention},
                                   {AlgorithmType::gated_linear},
                                   {AlgorithmType::state_space},
                                   {AlgorithmType::rwkv4},
                                   {AlgorithmType::delta},
                                   {AlgorithmType::gated_delta},
                                   {AlgorithmType::kimi_delta},
                                   {AlgorithmType::mesa, 16},
                                   {AlgorithmType::linformer, head_width, {{"rank", Index(64)}}},
                                   {AlgorithmType::nystrom, head_width, {{"landmarks", Index(64)}}},
                                   {AlgorithmType::efficient},
                                   {AlgorithmType::attention_free}};

bool is_causal(AlgorithmType type) {
    return type != AlgorithmType::linformer && type != AlgorithmType::nystrom;
}

std::shared_ptr<const Plan> planned(const Family& family, Index tokens) {
    AttentionSpec spec;
    spec.heads = {.type = HeadsType::multi, .heads = heads};
    spec.algorithm = {family.type, family.options};
    if (is_causal(family.type))
        spec.mask.rule = CausalMask{};
    return std::make_shared<const Plan>(
        plan(spec, random_inputs(tokens, heads * family.width), {.keeps = Keeps::output}));
}

/// The slope of the line through (ln n, ln t) in the sense of least squares.
double exponent(const std::vector<Index>& lengths, const std::vector<double>& times) {
    double x_mean = 0, y_mean = 0, above = 0, below = 0;
    const auto count = static_cast<double>(lengths.size());
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        x_mean += std::log(static_cast<double>(lengths[i])) / count;
        y_mean += std::log(times[i]) / count;
    }
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const double x = std::log(static_cast<double>(lengths[i])) - x_mean;
        above += x * (std::log(times[i]) - y_mean);
        below += x * x;
    }
    return above / below;
}

}  // namespace

int main(int count, char** arguments) {
    const std::vector<std::string> wanted(arguments + 1, arguments + count);
    const std::vector<Index> lengths{1024, 2048, 4096, 8192, 16384, 32768, 65536};
    std::printf("%-16s %6s", "algorithm", "d");
    for (const Index length : lengths)
        std::printf(" %9td", length);
    std::printf("  exponent\n");
    bool all_linear = true;
    for (const Family& family : families) {
        const std::string word = to_word(family.type);
        if (!wanted.empty() && std::ranges::find(wanted, word) == wanted.end())
            continue;
        std::printf("%-16s %6td", word.c_str(), family.width);
        std::vector<double> times;
        for (const Index length : lengths) {
            times.push_back(fastest(planned(family, length), 10));
            std::printf(" %9.2f", times.back());
            std::fflush(stdout);
        }
        const double slope = exponent(lengths, times);
        const bool is_linear = slope >= least_exponent && slope <= most_exponent;
        all_linear = all_linear && is_linear;
        std::printf("  %8.2f%s\n", slope, is_linear ? "" : "  not linear");
    }
    return all_linear ? 0 : 1;
}
