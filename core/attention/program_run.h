#pragma once

#include "core/attention/recorder.h"
#include "core/graph/graph_values.h"
#include "core/graph/program.h"
#include "core/tensor/storage.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

struct Plan;

/// The numbers of a plan's program: each tensor that it names, computed in double from the plan's tokens and
/// parameters, as its lines stand. What has no kernel runs by it.
class ProgramNumbers {
public:
    /// Which lines have numbers after a run.
    enum class Kept {
        lines,    ///< all of them
        ends,     ///< context and output
        weights,  ///< and the weights
        rows,     ///< lines but those of all pairs, whose rows can be asked for
    };

    ProgramNumbers(const Plan& plan, Kept kept);

    void run(int threads = 1, const std::function<void(double share)>& progress = {}) {
        values_.run(threads, progress);
    }

    const Program& program() const { return program_; }
    /// Numbers of a given or kept tensor, and its extent; nothing where the program has none of the name.
    std::optional<OperandNumbers> find(std::string_view name) const;
    /// Whether read_rows() has the tensor, which the program names.
    bool has_rows(const std::string& name) const { return values_.has_rows(graph_.step_of(name)); }
    /// Rows of a head of a tensor, after a run for Kept::rows. Threads may ask at the same time.
    void read_rows(const std::string& name, Index head, Index first, Index count,
                   std::span<double> to) const {
        values_.read_rows(graph_.step_of(name), head, first, count, to);
    }

private:
    Program program_;
    Graph graph_;
    GraphValues values_;
};

/// A run of a plan for which runs_by_program() holds: all its heads at once.
template <class Real>
class ProgramRun {
public:
    ProgramRun(std::shared_ptr<const Plan> plan, bool keeps_weights, int threads);

    /// Every stage of the trace that the program names is recorded, unless it is null.
    void run(Trace* trace);
    void report_to(const std::function<void(double share)>& progress) { progress_ = progress; }

    /// What Executor says of rows, after a run whose trace has no maps.
    bool has_rows_of(std::string_view stage) const;
    void read_rows(std::string_view stage, Index head, Index first, Index count, std::span<double> to) const;
    std::string repeated_by(std::string_view stage) const;

    const Plan& plan() const { return *plan_; }
    std::span<const Real> weights() const { return weights_.span(); }  ///< empty where they are not kept
    std::span<const Real> context() const { return context_.span(); }
    std::span<const Real> output() const { return output_.span(); }

private:
    /// What there is room for, made anew where a run is recorded after one that was not, or the other way.
    ProgramNumbers& numbers(ProgramNumbers::Kept kept);

    /// The line with the numbers of a stage; empty where there is none.
    std::string line_of(std::string_view stage) const;

    std::shared_ptr<const Plan> plan_;
    int threads_;
    std::function<void(double share)> progress_;
    ProgramNumbers::Kept kept_ = ProgramNumbers::Kept::ends;
    std::unique_ptr<ProgramNumbers> numbers_;
    Storage<Real> weights_, context_, output_;
};

extern template class ProgramRun<float>;
extern template class ProgramRun<double>;

/// The stages of such a run: of `listed`, those that any run of the spec has, the ones that the program, its
/// outline_of(), computes, and what else of it a component declares, each where it comes about.
std::vector<Stage> stages_of_program(const Plan& plan, const Program& program, std::vector<Stage> listed,
                                     bool has_maps);

/// What a run of the plan's program has as a whole, and as many numbers of it as there are pairs.
struct MadeWhole {
    std::string line;  ///< that makes it, or the tensor that is given so; empty where no name has it
    Extent extent;
};

/// The one that makes others so, else the first; nothing where the maps come about in rows, which need no
/// others beside them.
std::optional<MadeWhole> made_whole(const Plan& plan);

/// Returns the bytes of the plan's program, its outline_of(), and of its numbers in a run on so many threads.
double program_bytes(const Plan& plan, const Program& program, ProgramNumbers::Kept kept, int threads);

}  // namespace headlight
