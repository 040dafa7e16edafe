#include "core/attention/component.h"
#include "core/attention/composer.h"
#include "core/attention/pipeline.h"

namespace headlight {
namespace {

template <class Real>
void add_location_steps(Pipeline<Real>& pipeline) {
    pipeline.score = [&operands = pipeline.operands, slots = pipeline.operands.matrix("W_slots")](
                         const ScoreRow<Real>& row, const Recorder&) {
        const MatrixView<const Real> query = operands.compared_query(row.head);
        operands.table().multiply({.left = query.row_range(row.query, 1),
                                   .right = slots,
                                   .out = row_major(row.values, 1, row.size)});
    };
}

Expression define_location_scores(Composer& composer) {
    return composer.projected(composer.query, "W_slots");
}

}  // namespace

ScoreComponent declare_scores_location() {
    ScoreComponent component;
    component.meaning =
        "q W_slots: a score for each place from the query alone, whatever stands there (Luong "
        "et al. 2015, equation 8)";
    component.compares_widths = false;
    component.known_parameters = {{"W_slots", "[d_q, m] per head, shared by the heads",
                                   "turns a query into a score for each place that a key can have"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_slots", {plan.head_query_width(), plan.keys});
    };
    component.steps = [](const Plan&, auto& pipeline) { add_location_steps(pipeline); };
    component.define = define_location_scores;
    return component;
}

}  // namespace headlight
