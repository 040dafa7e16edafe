#pragma once

#include "core/attention/explain.h"

namespace headlight {

/// One cell on the way back to where it came from, with the steps written down so far. Values are always the
/// trace's; only the factors beside them are looked up in the plan or, where the engine keeps none (token
/// plus position, q W), computed again.
class ExplainedCell {
public:
    /// `row` and `column` are those of the stage's matrix, as in explain_cell().
    ExplainedCell(const Plan& plan, const Trace& trace, const Stage& stage, Index head, Index row,
                  Index column);

    const Plan& plan;
    const Trace& trace;
    const Stage& stage;  ///< the one that was asked for
    Index head;
    Index row;          ///< the query, or a key of the stages of keys
    Index column;       ///< the key, or a feature of the stages that have features
    Index feature = 0;  ///< of the energy
    std::vector<ArithmeticStep> steps;

    bool is_asked(std::string_view name) const { return stage.name == name; }
    bool is_recorded(std::string_view name) const { return trace.find(name) != nullptr; }

    /// A number of a stage of maps, features or tokens.
    double at(std::string_view name, Index of_head, Index of_row, Index of_column) const;
    /// A whole row of it.
    std::span<const double> row_of(std::string_view name, Index of_head, Index of_row) const;
    double here(std::string_view name) const { return at(name, head, row, column); }
    std::string shown(std::string_view name) const { return format_number(here(name)); }
    /// The number that a stage has for the whole row: row_sum, draw.
    double of_row(std::string_view name) const { return at(name, 0, head, row); }

    /// Whether a key takes part in the softmax: with a finite mask value all do.
    bool counts(Index key) const { return plan.spec.mask_value || plan.allowed.allowed(row, key); }
    bool nothing_counts() const { return !plan.spec.mask_value && plan.allowed.end(row) == 0; }
    /// The numbers of the row whose keys count.
    std::vector<double> counted(std::string_view name) const;
    /// “river”, or "key 4" where the trace has no labels.
    std::string key_name(Index key) const;

    void add(std::string_view name, std::string title, std::string expression, double value);
    /// The same, with the value that the stage has here.
    void add(std::string_view name, std::string title, std::string expression);
};

// Each writes the steps that its stage follows from, then its own.

void explain_tokens(ExplainedCell& cell);
void explain_position(ExplainedCell& cell);
void explain_query(ExplainedCell& cell);
void explain_key(ExplainedCell& cell);
void explain_value(ExplainedCell& cell);

void explain_energy(ExplainedCell& cell);
void explain_scores(ExplainedCell& cell);
void explain_scaled_scores(ExplainedCell& cell);
void explain_biased_scores(ExplainedCell& cell);
void explain_masked_scores(ExplainedCell& cell);
/// The last of the scores, which the softmax gets: its steps, and its name.
std::string_view explain_final_scores(ExplainedCell& cell);
std::string_view final_scores(const AttentionSpec& spec);

}  // namespace headlight
