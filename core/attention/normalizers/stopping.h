#pragma once

#include "core/attention/defined_rows.h"
#include "core/attention/normalizers/row_arithmetic.h"
#include "core/attention/normalizers/walk_rows.h"
#include "core/tensor/interruption.h"

namespace headlight {

/// Monotonic attention of one head (Raffel et al. 2017): each query goes on from where the one before it
/// stopped and asks key after key whether to stop there.
template <class Real>
class Stopping {
public:
    Stopping(const Plan& plan, const kernels::Table<Real>& kernels)
        : plan_(plan), kernels_(kernels), bias_(static_cast<Real>(plan.normalizer().number("bias"))),
          is_hard_(plan.normalizer().word("alignment") == "hard"),
          temperature_(static_cast<Real>(plan.spec.normalizer.temperature)),
          stopped_(scratch<double, ScratchRow::stops>(plan.keys)) {
        std::fill(stopped_, stopped_ + plan.keys, 0.0);
        stopped_[0] = 1;  // before the first query
    }

    /// From one query's scores, which become s / t, to where it stops, [m]. Null when it may look at nothing:
    /// then it passes and the next goes on from the same place.
    const double* next(Real* scores, const RowRecord<Real>& record) {
        Interruption::check();
        const Index keys = plan_.keys;
        if (count_allowed(scores, keys) == 0)
            return nullptr;
        divide(scores, keys, temperature_);
        Real* p = scratch<Real, ScratchRow::chances>(keys);
        for (Index key = 0; key < keys; ++key)
            p[key] = scores[key] + bias_;
        kernels_.activate(Activation::sigmoid, p, keys);
        if (is_hard_)
            for (Index key = 0; key < keys; ++key)
                p[key] = scores[key] + bias_ > 0 ? Real(1) : Real(0);
        record.row("stopping_probabilities", p, keys);
        const double total = stop_on_the_way(p, keys, stopped_);
        record.number("unassigned", std::max(1 - total, 0.0));
        return stopped_;
    }

private:
    const Plan& plan_;
    const kernels::Table<Real>& kernels_;
    Real bias_;
    bool is_hard_;
    Real temperature_;
    double* stopped_;
};

/// What Stopping computes as an expression: the chance that each query stops at each key, [h, n, m].
inline Expression define_stopping(DefinedRows& rows) {
    Composer& composer = rows.composer;
    const Plan& plan = composer.plan;
    const Index m = plan.keys;
    Expression stops = rows.open_only(sigmoid_of(rows.open_scores() + rows.number("bias")));
    if (rows.options().word("alignment") == "hard")
        stops = as_number(is_above(rows.let("soft_chances", stops), 0.5));
    const Expression p = rows.let("stopping_probabilities", stops, "the chance of stopping at each key");
    std::vector<Index> before{0};
    for (Index key = 1; key < m; ++key)
        before.push_back(key - 1);
    const Expression is_later = composer.truth_of_places("is_later_key", {0, m, m}, "keys after another",
                                                         [](Place at) { return at.column > at.row; });
    const Expression from_here = rows.between_keys("keys_from_here", "1 for each key from this one on",
                                                   [](Index row, Index column) { return column >= row; });
    Expression stopped =
        composer.constant("start", {composer.heads, 1, m}, "the search begins at the first key",
                          [](Index, Index, Index column) { return column == 0 ? 1.0 : 0.0; });
    std::vector<Expression> stopped_rows;
    for (Index query = 0; query < plan.queries; ++query) {
        const std::string number_of = numbered("_", query + 1);
        const Expression own = rows.let("chances" + number_of, some_rows(p, {query}));
        const bool is_empty = composer.mask_excludes() && plan.allowed.end(query) == 0;
        if (is_empty) {  // passed over
            stopped_rows.push_back(own);
            continue;
        }
        const Expression passes =
            rows.let("passes" + number_of, choose(is_later, 1 - some_columns(own, before), 1),
                     "the chance of passing the key before");
        const Expression arrives = rows.let("arrives" + number_of, cumulative_product(passes) * from_here,
                                            "of coming from one key to another");
        const Expression row =
            rows.let("stops" + number_of, product(stopped, arrives) * own, "where this query stops");
        const Expression has_key =
            is_above(maximum_of_columns(some_rows(rows.scores, {query})), minus_infinity());
        stopped_rows.push_back(row);
        stopped = rows.may_be_empty ? rows.let("stopped" + number_of, choose(has_key, row, stopped)) : row;
    }
    return join_rows(stopped_rows);
}

inline std::vector<Option> stopping_options() {
    return {word_option("alignment", "Alignment", {"expected", "hard"},
                        "expected: the chance of stopping at each key, as in training. hard: stops at the "
                        "first key whose chance is above one half, as in use."),
            number_option("bias", "Energy bias r", 0.0, {-20, 100},
                          "Is added to every score; below 0 makes queries go further before they stop.")};
}

/// Whether a query stops at a key because its score is above 0, however little.
inline bool stops_by_sign(const Plan& plan) { return plan.normalizer().word("alignment") == "hard"; }

inline void add_stopping_stages(StageList& list) {
    list.add_map("stopping_probabilities");
    list.add_column("unassigned");
}

inline std::vector<DeclaredStage> declared_stopping_stages() {
    return {made_stage("stopping_probabilities", "Stopping probabilities", {},
                       {.is_share = true, .leaves_out_masked = true}),
            made_stage("unassigned", "Weight of no key", {},
                       {.said = "the chance of passing the last key without stopping"})};
}

}  // namespace headlight
