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
/// parameters, as its lines stand. What has no kernel runs by it, and is explained by it.
class ProgramNumbers {
public:
    explicit ProgramNumbers(const Plan& plan);

    void run() { values_.run(); }

    const Program& program() const { return program_; }
    /// The line that assigns `name` outside of loops; null where none does.
    const ProgramLine* line_of(std::string_view name) const;
    /// Numbers of a given or assigned tensor, and its extent; nothing where the program has none of the name.
    std::optional<OperandNumbers> find(std::string_view name) const;
    /// Numbers of an expression of the program's tensors.
    std::vector<double> numbers_of(const Expression& x) const;

private:
    Program program_;
    Graph graph_;
    GraphValues values_;
};

/// A run of a plan for which runs_by_program() holds: all its heads at once.
template <class Real>
class ProgramRun {
public:
    ProgramRun(std::shared_ptr<const Plan> plan, bool keeps_weights);

    /// Every stage of the trace that the program names is recorded, unless it is null.
    void run(Trace* trace);

    const Plan& plan() const { return *plan_; }
    std::span<const Real> weights() const { return weights_.span(); }  ///< empty where they are not kept
    std::span<const Real> context() const { return context_.span(); }
    std::span<const Real> output() const { return output_.span(); }

private:
    std::shared_ptr<const Plan> plan_;
    ProgramNumbers numbers_;
    Storage<Real> weights_, context_, output_;
};

extern template class ProgramRun<float>;
extern template class ProgramRun<double>;

/// The stages of such a run: of `listed`, those that any run of the spec has, the ones that the program
/// computes, and what else of it a component declares, each where it comes about.
std::vector<Stage> stages_of_program(const Plan& plan, std::vector<Stage> listed, bool has_maps);

/// Returns the bytes of the plan's program and its numbers.
double program_bytes(const Plan& plan);

}  // namespace headlight
