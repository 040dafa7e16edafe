#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/column_sums.h"
#include "core/attention/normalizers/row_arithmetic.h"
#include "core/tensor/interruption.h"

namespace headlight {
namespace {

template <class Real>
void add_slot_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    pipeline.normalize_head = [&plan, kernels = &kernels_of(pipeline)](Index head, Real* scores,
                                                                       const Recorder& recorder) {
        const Index queries = plan.queries, keys = plan.keys;
        divide(scores, queries * keys, static_cast<Real>(plan.spec.normalizer.temperature));
        Real *largest = scratch<Real>(keys), *above = scratch<Real, ScratchRow::above>(keys);
        column_log_sums<Real>(scores, queries, keys, nullptr, largest, above, *kernels);
        for (Index query = 0; query < queries; ++query) {
            Interruption::check();
            Real* row = scores + query * keys;
            const RowRecord<Real> record(recorder, plan, head, query);
            for (Index key = 0; key < keys; ++key)  // logarithm of the share: its row's sum cannot be 0 / 0
                row[key] = (row[key] - largest[key]) - above[key];
            if (recorder) {
                Real* shares = scratch<Real, ScratchRow::beside>(keys);
                std::copy(row, row + keys, shares);
                kernels->exponentials(shares, keys, Real(0), Real(1));
                record.row("shares", shares, keys);
            }
            softmax_row(row, keys, *kernels, record, Real(1));
        }
    };
}

Expression define_slot_weights(DefinedRows& rows) {
    const Expression logs = rows.let("scores_over_temperature", rows.open_over_temperature(rows.scores));
    const Expression log_shares = rows.let("log_column_shares", logs - rows.log_sums_of_columns(logs),
                                           "ln of the softmax of each column");
    rows.let("shares", rows.open_only(exp_of(log_shares)), "the softmax of each column");
    // A row's largest share counts as 1: all of them may be too small for a number.
    const Expression largest = rows.finite_largest(maximum_of_columns(log_shares));
    const Expression exponentials = rows.let("exponentials", exp_of(log_shares - largest));
    return rows.divided(exponentials,
                        rows.let("row_sum", sum_of_columns(exponentials), "the sum of each row"));
}

}  // namespace

NormalizerComponent declare_normalizers_slot() {
    NormalizerComponent component;
    component.phrase = "softmax of each column, rows ÷ sums";
    component.meaning = "softmax over the queries of each key, then each row divided by its sum: queries "
                        "compete for keys (Locatello et al. 2020)";
    component.couples_rows = true;
    component.stages = [](const Plan&, StageList& list) { list.add_map("shares"); };
    component.declared_stages = {
        made_stage("shares", "Shares", {}, {.is_share = true, .leaves_out_masked = true})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_slot_steps(plan, pipeline); };
    component.define = define_slot_weights;
    return component;
}

}  // namespace headlight
