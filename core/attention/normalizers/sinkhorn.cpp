#include "core/attention/component.h"
#include "core/attention/normalizers/column_sums.h"

namespace headlight {
namespace {

/// One head: alternately rows and columns of exp(S) are brought to their sums, ending with rows. Held as
/// logarithms, exp(s_ij + r_i + c_j), so that no size of the scores overflows (Cuturi 2013; Sander et al.
/// 2022).
template <class Real>
class Balancing {
public:
    Balancing(const Plan& plan, Index head, Real* scores, const Recorder& recorder,
              const kernels::Table<Real>& kernels)
        : plan_(plan), head_(head), scores_(scores), recorder_(recorder), kernels_(kernels),
          of_row_(scratch<Real>(plan.queries)), of_column_(scratch<Real, 1>(plan.keys)),
          row_(scratch<Real, 2>(plan.keys)) {}

    void run(Index iterations) {
        const Index queries = plan_.queries, keys = plan_.keys;
        std::fill(of_column_, of_column_ + keys, Real(0));
        balance_rows();
        if (recorder_)
            for (Index query = 0; query < queries; ++query) {
                weigh(query);
                RowRecord<Real>(recorder_, plan_, head_, query).row("soft_weights", row_, keys);
            }
        const Real target = std::log(column_target());
        for (Index iteration = 1; iteration < iterations; ++iteration) {
            column_log_sums<Real>(scores_, queries, keys, of_row_, of_column_, kernels_);
            for (Index key = 0; key < keys; ++key)
                of_column_[key] = target - of_column_[key];
            balance_rows();
        }
        for (Index query = 0; query < queries; ++query) {
            weigh(query);
            std::copy(row_, row_ + keys, scores_ + query * keys);
        }
    }

private:
    void add_columns(Index query) {
        for (Index key = 0; key < plan_.keys; ++key)
            row_[key] = scores_[query * plan_.keys + key] + of_column_[key];
    }

    void balance_rows() {
        for (Index query = 0; query < plan_.queries; ++query) {
            add_columns(query);
            const Real largest = kernels_.maximum(row_, plan_.keys);
            of_row_[query] = Real(0);
            if (largest != forbidden<Real>)
                of_row_[query] =
                    -largest - std::log(kernels_.exponentials(row_, plan_.keys, largest, Real(1)));
        }
    }

    /// exp(s + r + c) as its row's softmax, which is the same without the rounding of r.
    void weigh(Index query) {
        add_columns(query);
        soften(row_, plan_.keys, kernels_, RowRecord<Real>(Recorder(), plan_, head_, query), Real(1));
    }

    /// Rows sum to 1, so the columns share the number of rows; empty ones do not count.
    Real column_target() const {
        const Index queries = plan_.queries, keys = plan_.keys;
        Index rows = 0, columns = 0;
        Real* seen = scratch<Real, 3>(keys);
        std::fill(seen, seen + keys, Real(0));
        for (Index query = 0; query < queries; ++query) {
            const Real* row = scores_ + query * keys;
            rows += count_allowed(row, keys) > 0;
            for (Index key = 0; key < keys; ++key)
                seen[key] = row[key] == forbidden<Real> ? seen[key] : Real(1);
        }
        for (Index key = 0; key < keys; ++key)
            columns += seen[key] != 0;
        return columns == 0 ? Real(1) : static_cast<Real>(rows) / static_cast<Real>(columns);
    }

    const Plan& plan_;
    Index head_;
    Real* scores_;
    const Recorder& recorder_;
    const kernels::Table<Real>& kernels_;
    Real* of_row_;     ///< [n]
    Real* of_column_;  ///< [m]
    Real* row_;        ///< [m]
};

template <class Real>
void add_steps(const Plan& plan, Journey<Real>& journey) {
    const Index iterations = option<Index>(plan.spec.normalizer.options, "iterations");
    journey.normalize_head = [=, &plan, kernels = &kernels_of(journey)](Index head, Real* scores,
                                                                        const Recorder& record) {
        divide(scores, plan.queries * plan.keys, static_cast<Real>(plan.spec.normalizer.temperature));
        Balancing<Real>(plan, head, scores, record, *kernels).run(iterations);
    };
}

}  // namespace

NormalizerComponent declare_normalizers_sinkhorn() {
    NormalizerComponent component;
    component.type = NormalizerType::sinkhorn;
    component.word = "sinkhorn";
    component.meaning = "exp(S) with its rows and columns brought to equal sums in turn: no query and no key "
                        "gets more than its share (Sander et al. 2022)";
    component.options = {{.name = "iterations",
                          .label = "Iterations",
                          .standard = Index(10),
                          .minimum = 1,
                          .maximum = 1000,
                          .logarithmic = true,
                          .help =
                              "How often the rows are normalised, with the columns in between; once is the "
                              "softmax."}};
    component.stages = [](const Plan&, StageList& list) { list.add_map("soft_weights"); };
    component.steps = [](const Plan& plan, auto& journey) { add_steps(plan, journey); };
    component.explain = [](const ExplainedCell& cell, std::string_view stage) -> std::string {
        if (!cell.counts(cell.column))
            return forbidden_key;
        if (stage == "soft_weights")
            return "the softmax of the row, where the iterations begin";
        return "exp(" + score_over_temperature(cell) + ") times a factor of the query and one of the key";
    };
    return component;
}

}  // namespace headlight
