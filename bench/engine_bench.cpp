// Multi-head attention, 8 heads, d_model 512, learned projections with W_o and biases: recorded and not,
// beside the matrix products that it contains, done by Eigen and nothing else. bench/compare_pytorch.py puts
// PyTorch beside both.

#include "bench/eigen_products.h"
#include "bench/measured_runs.h"
#include "bench/processor_rate.h"
#include "core/attention/executor.h"

#include <benchmark/benchmark.h>

#include <malloc.h>
#include <memory>

namespace headlight { namespace {

constexpr Index width = 512;
constexpr Index heads = 8;

std::shared_ptr<const Plan> multi_head(Index tokens) {
    AttentionSpec spec;
    spec.projections = {ProjectionType::learned, true};
    spec.heads = {HeadsType::multi, heads};
    return std::make_shared<const Plan>(plan(spec, random_inputs(tokens, width)));
}

/// Multiplications and additions of all matrix products: four projections, scores, values.
double operations(Index tokens) {
    const auto n = static_cast<double>(tokens), d = static_cast<double>(width);
    return 2 * (4 * n * d * d + 2 * n * n * d);
}

void report_rate(benchmark::State& state, Index tokens) {
    state.counters["GFLOP/s"] =
        benchmark::Counter(1e-9 * operations(tokens), benchmark::Counter::kIsIterationInvariantRate);
}

double allocated_megabytes() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd) / 1e6;
}

/// What the window does: double, every stage kept.
void recorded(benchmark::State& state) {
    const auto made = multi_head(state.range(0));
    const double before = allocated_megabytes();
    Executor<double> executor(made);
    const double with_executor = allocated_megabytes();
    Trace trace = empty_trace(*made);
    const double with_trace = allocated_megabytes();
    for (auto _ : state)
        executor.run(trace);
    state.counters["executor_MB"] = with_executor - before;
    state.counters["trace_MB"] = with_trace - with_executor;
    report_rate(state, state.range(0));
}

/// From a plan to a finished trace, allocation included: one move of a slider.
void record_from_plan(benchmark::State& state) {
    const auto made = multi_head(state.range(0));
    for (auto _ : state)
        benchmark::DoNotOptimize(record(made));
}

template <class Real>
void untraced(benchmark::State& state) {
    const auto made = multi_head(state.range(0));
    const double before = allocated_megabytes();
    Executor<Real> executor(made);
    state.counters["executor_MB"] = allocated_megabytes() - before;
    for (auto _ : state)
        executor.run();
    report_rate(state, state.range(0));
}

void eigen_products(benchmark::State& state) {
    EigenProducts products(state.range(0), width, heads);
    for (auto _ : state)
        products.run();
    report_rate(state, state.range(0));
}

void processor_rate(benchmark::State& state) {
    std::int64_t operations = 0;
    for (auto _ : state)
        operations = multiply_add_in_registers();
    state.counters["GFLOP/s"] = benchmark::Counter(1e-9 * static_cast<double>(operations),
                                                   benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK(recorded)->Arg(128)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(record_from_plan)->Arg(128)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(untraced<double>)->Arg(128)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(untraced<float>)->Arg(128)->Arg(512)->Arg(1024)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(eigen_products)->Arg(128)->Arg(512)->Arg(1024)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(processor_rate)->Unit(benchmark::kMillisecond)->UseRealTime();

}}  // namespace headlight
