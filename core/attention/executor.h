#pragma once

#include "core/attention/plan.h"

#include <functional>
#include <memory>
#include <string_view>

namespace headlight {

template <class Real>
class ProgramRun;

/// Runs a plan in one precision, with every buffer allocated beforehand, so that running again allocates
/// nothing. Work is shared over OpenMP threads by (head, block of queries); the result does not depend on
/// their number. The kernels are those of the highest level that the processor runs; the environment variable
/// HEADLIGHT_ISA=baseline, avx2 or avx512 forces another (the constructor throws Error when the processor
/// lacks it). Levels differ in the last bits.
template <class Real>
class Executor {
public:
    enum class Weights {
        keep,     ///< the weights of every head stay readable after the run
        discard,  ///< only the output is wanted
    };

    /// `threads`: how many share the work; 0: one for a short run, else as many as OpenMP has.
    explicit Executor(std::shared_ptr<const Plan> plan, Weights weights = Weights::keep, int threads = 0);
    Executor(Executor&&) noexcept;
    Executor& operator=(Executor&&) noexcept;
    ~Executor();

    /// Computes the output. Nothing of the trace exists on this path: the sink is a type that does nothing.
    void run();
    /// Computes the same output, bit for bit, and records every stage into `trace`, made by
    /// empty_trace(plan).
    void run(Trace& trace);

    /// Computes `count` rows of a head of a stage [head, query, key] from `first` on, [count, keys], again
    /// after a run: the same numbers as in its trace. For plans for which has_lazy_rows(). Threads may ask at
    /// the same time.
    void read_rows(std::string_view stage, Index head, Index first, Index count, std::span<double> to) const;
    /// Is told by the runs that follow what share of the rows is done, from 0 to 1, on whichever thread is.
    void report_to(const std::function<void(double share)>& progress);

    /// Whether read_rows() has the stage: it comes about row by row.
    bool has_rows_of(std::string_view stage) const;

    /// The stage whose numbers this stage of scores has in every cell, since no step stands between the two:
    /// a scale of 1, no bias, a mask that forbids nothing. Empty where there is none.
    std::string repeated_by(std::string_view stage) const;

    const Plan& plan() const;
    std::span<const Real> weights() const;  ///< [head, query, key]; empty when discarded
    std::span<const Real> context() const;  ///< [query, head * d_v]: the concatenation
    std::span<const Real> output() const;   ///< [query, d_out]

private:
    struct State;
    std::unique_ptr<State> state_;
    std::unique_ptr<ProgramRun<Real>> program_;  ///< in its place where runs_by_program()
};

/// The rows of its maps follow from queries and keys, each for itself: no kernel of an algorithm stands in
/// their place, no head or normaliser needs others beside them, no score those before, and no line of a
/// program all of them.
bool has_lazy_rows(const Plan& plan);

extern template class Executor<float>;
extern template class Executor<double>;

struct TraceOptions {
    std::size_t stage_byte_limit = std::size_t(256) << 20;  ///< an energy tensor larger than this is left out
    int threads = 0;                                        ///< of Executor, for record()
    bool has_maps = true;  ///< without them, stages with a number for each pair are left out
    std::function<void(double share)> progress{};  ///< of Executor::report_to(), for record_lazy()
};

/// The stages that a run of `plan` records, laid out and still zero.
Trace empty_trace(const Plan& plan, const TraceOptions& options = {});

/// Plans nothing, allocates once, runs in double and returns every stage.
Trace record(std::shared_ptr<const Plan> plan, const TraceOptions& options = {});

}  // namespace headlight
