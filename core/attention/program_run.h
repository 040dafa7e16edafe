#pragma once

#include "core/attention/recorder.h"
#include "core/graph/graph_values.h"
#include "core/graph/program.h"
#include "core/tensor/storage.h"

#include <memory>
#include <optional>
#include <span>
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
    };

    ProgramNumbers(const Plan& plan, Kept kept);

    void run(int threads = 1) { values_.run(threads); }

    const Program& program() const { return program_; }
    /// Numbers of a given or kept tensor, and its extent; nothing where the program has none of the name.
    std::optional<OperandNumbers> find(std::string_view name) const;

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

    const Plan& plan() const { return *plan_; }
    std::span<const Real> weights() const { return weights_.span(); }  ///< empty where they are not kept
    std::span<const Real> context() const { return context_.span(); }
    std::span<const Real> output() const { return output_.span(); }

private:
    /// What there is room for, made anew where a run is recorded after one that was not, or the other way.
    ProgramNumbers& numbers(bool is_recorded);

    std::shared_ptr<const Plan> plan_;
    int threads_;
    bool is_recorded_ = false;
    std::unique_ptr<ProgramNumbers> numbers_;
    Storage<Real> weights_, context_, output_;
};

extern template class ProgramRun<float>;
extern template class ProgramRun<double>;

/// The stages of such a run: of `listed`, those that any run of the spec has, the ones that the program
/// computes, and what else of it a component declares, each where it comes about.
std::vector<Stage> stages_of_program(const Plan& plan, std::vector<Stage> listed, bool has_maps);

/// Returns the bytes of the plan's program and of its numbers in a run on so many threads.
double program_bytes(const Plan& plan, ProgramNumbers::Kept kept, int threads);

}  // namespace headlight
