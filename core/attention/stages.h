#pragma once

#include "core/attention/executor.h"
#include "core/attention/stage_list.h"
#include "core/graph/program.h"
#include "core/kernels/kernels.h"

namespace headlight {

/// The stages that a run of this plan records, and what is left out.
StageList recorded_stages(const Plan& plan, const TraceOptions& options);
/// The same where runs_by_program(), from the outline_of() its program, for who has it.
StageList recorded_stages(const Plan& plan, const Program& program, const TraceOptions& options);
/// The same as far as it is known of a plan without parameters and mask: where runs_by_program(), what its
/// program names beside or instead of them is not.
StageList listed_stages(const Plan& plan, const TraceOptions& options);

/// Fills the stages that are known before the run: token vectors, position terms.
void record_tokens(const Plan& plan, Trace& trace);

/// Where the stages of one head, from one query on, go in a trace of this plan.
class BlockSlots {
public:
    BlockSlots(const Plan& plan, Trace& trace);
    kernels::StageSlots at(Index head, Index first_query) const;

private:
    kernels::StageSlots start_;
    Index queries_;
    Index keys_;
    Index attention_width_;
};

/// Whether the kernels record this stage [head, query, key]; the others are recorded by steps.
bool is_map_of_kernels(std::string_view stage);
/// One map of a block alone; no slot where it is not the kernels that record the stage.
kernels::StageSlots slot_of(std::string_view stage, double* rows);

/// Stage `name`, or an empty span when the trace has none.
std::span<double> stage_values(Trace& trace, std::string_view name);

}  // namespace headlight
