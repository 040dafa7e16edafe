#pragma once

#include "core/analysis/map_statistics.h"
#include "core/analysis/run_cost.h"
#include "core/attention/plan.h"
#include "core/figure/figure.h"
#include "core/io/session.h"
#include "core/tensor/error.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// One mechanism of a comparison: the session's own, or one beside it.
struct ComparedRun {
    /// As the catalogue calls it, "Sparsemax (2)" where another one is called so: no two of a comparison are
    /// called alike. The site of its stages in the trace, unless it is the session's own, whose site is
    /// empty.
    std::string name;
    std::shared_ptr<const Plan> plan;       ///< null when it cannot run on these inputs
    std::optional<Error> refusal;           ///< why it cannot
    std::vector<MapStatistics> statistics;  ///< [head]; empty when it records no map of weights
    RunCost cost;
};
using Comparison = std::vector<ComparedRun>;

/// What the mechanisms of the session's comparison are called, its own first.
std::vector<std::string> comparison_names(const Session& session);

/// The session's own mechanism, whose plan is `own`, and those beside it, on the same token vectors and with
/// the same seed. One that cannot run says why and stops nobody. Empty when nothing is compared.
Comparison plan_comparison(const Session& session, std::shared_ptr<const Plan> own);

/// Runs what is beside the session's own mechanism, whose trace is `own`, and works out the statistics of
/// all whose maps are kept. Returns `own` with their weights and masked scores, lazy ones where its own are;
/// nothing when `cancelled`, asked between them, says so. `progress` is told what share of the lazy rows is
/// done, from 0 to 1.
std::optional<Trace> run_comparison(Comparison& comparison, const Trace& own,
                                    const std::function<bool()>& cancelled = {},
                                    const std::function<void(double share)>& progress = {});

/// The numbers of a comparison, a line a mechanism: what a CSV has of them. Those of `head`, or of the last
/// one where a mechanism has fewer.
NumberTable comparison_table(const Comparison& comparison, Index head);

/// Writes into a figure of the comparison what its panels do not show: the table, and in the caption who
/// could not run.
void complete_comparison(Figure& figure, const Comparison& comparison, Index head);

/// The statistics of `head`, or of the last one; null when there are none.
const MapStatistics* statistics_of(const ComparedRun& compared, Index head);

}  // namespace headlight
