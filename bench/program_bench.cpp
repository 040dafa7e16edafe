// What kernels gain over the graph that defines them: five scores with five normalisers, by the one and by
// the other. Prints, for each, milliseconds of a traced run and of an output alone, and the geometric mean of
// the ratios.

#include "bench/measured_runs.h"
#include "core/attention/executor.h"
#include "core/attention/program_run.h"
#include "core/attention/spec_words.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace {

using namespace headlight;

/// Seconds of the shortest of some runs.
template <class Run>
double shortest(const Run& run) {
    using Clock = std::chrono::steady_clock;
    double best = 1e9, all = 0;
    for (int turn = 0; turn < 3 || all < 0.3; ++turn) {
        const auto start = Clock::now();
        run();
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        best = std::min(best, seconds);
        all += seconds;
    }
    return best;
}

struct Ratios {
    double traced, output;
};

Ratios measured(const AttentionSpec& spec, Index tokens) {
    constexpr int threads = 2;
    constexpr Index width = 64;
    using Weights = Executor<double>::Weights;
    const auto made = std::make_shared<const Plan>(plan(spec, random_inputs(tokens, width)));
    Trace trace = empty_trace(*made);
    Executor<double> recorded(made, Weights::keep, threads), plain(made, Weights::discard, threads);
    ProgramNumbers lines(*made, ProgramNumbers::Kept::lines), ends(*made, ProgramNumbers::Kept::ends);
    const double kernels = shortest([&] { recorded.run(trace); }),
                 kernels_alone = shortest([&] { plain.run(); });
    const double graph = shortest([&] { lines.run(threads); }),
                 graph_alone = shortest([&] { ends.run(threads); });
    std::printf("%5ld %-14s %-10s traced %8.2f %8.2f %6.2f   output %8.2f %8.2f %6.2f\n",
                static_cast<long>(tokens), to_word(spec.score.type).c_str(),
                to_word(spec.normalizer.type).c_str(), 1e3 * kernels, 1e3 * graph, graph / kernels,
                1e3 * kernels_alone, 1e3 * graph_alone, graph_alone / kernels_alone);
    return {graph / kernels, graph_alone / kernels_alone};
}

}  // namespace

int main() {
    for (const Index tokens : {64, 512, 2048}) {
        double traced = 0, output = 0;
        int count = 0;
        for (const ScoreType score : {ScoreType::scaled_dot, ScoreType::general, ScoreType::cosine,
                                      ScoreType::euclidean, ScoreType::scaled_cosine})
            for (const NormalizerType normalizer :
                 {NormalizerType::softmax, NormalizerType::off_by_one, NormalizerType::sigmoid,
                  NormalizerType::sparsemax, NormalizerType::entmax}) {
                AttentionSpec spec;
                spec.score.type = score;
                spec.normalizer.type = normalizer;
                spec.projections.type = ProjectionType::learned;
                spec.heads = {.type = HeadsType::multi, .heads = 4};
                spec.mask = {CausalMask{}};
                const Ratios ratios = measured(spec, tokens);
                traced += std::log(ratios.traced);
                output += std::log(ratios.output);
                ++count;
            }
        std::printf("%5ld tokens: traced %.2f, output %.2f times as long by the graph\n",
                    static_cast<long>(tokens), std::exp(traced / count), std::exp(output / count));
    }
}
