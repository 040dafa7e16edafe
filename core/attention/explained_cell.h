#pragma once

#include "core/attention/declared_stage.h"
#include "core/attention/explain.h"
#include "core/attention/printed_line.h"
#include "core/attention/stage_list.h"
#include "core/graph/asked_rows.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>
#include <vector>

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

    /// What was written down, with one precision for all lines.
    std::vector<ArithmeticStep> steps() const;

    double asked() const { return asked_; }  ///< the cell's number
    bool is_asked(std::string_view name) const { return stage.name == name; }
    bool is_recorded(std::string_view name) const { return trace.find(name) != nullptr; }
    /// Whether a line is one row of a stage that is recorded: "weights_3".
    bool is_row_of_recorded(const std::string& line) const;

    /// A number of a stage of maps, features or tokens.
    double at(std::string_view name, Index of_head, Index of_row, Index of_column) const;
    /// A whole row of it.
    std::span<const double> row_of(std::string_view name, Index of_head, Index of_row) const;
    double here(std::string_view name) const { return at(name, head, row, column); }
    Arithmetic shown(std::string_view name) const { return written(here(name)); }
    /// The number that a stage has for the whole row: row_sum, draw.
    double of_row(std::string_view name) const { return at(name, 0, head, row); }

    /// Whether a key takes part in the softmax: with a finite mask value all do that the selection keeps.
    bool counts(Index key) const;
    bool nothing_counts() const;
    /// Why the cell's key does not: "the mask forbids this key".
    std::string why_not() const;
    /// The numbers of the row whose keys count.
    std::vector<double> counted(std::string_view name) const;
    /// “river”, or "key 4" where the trace has no labels.
    std::string key_name(Index key) const;

    /// The stages of queries and keys as they meet, after norms and rotations. Keys have Plan::kv_head's.
    std::string compared_query() const;
    std::string compared_key() const;
    /// What the normaliser gives: the weights, unless a component goes on from it to them.
    std::string normalised_stage() const;
    // Arithmetic that several components have, written out.
    /// The first `width` numbers of this row of one stage times those of row `column` of another.
    Arithmetic product(std::string_view left, Index left_head, std::string_view right, Index right_head,
                       Index width) const;
    /// This row of a map times this column of a stage of the keys.
    Arithmetic weighted(std::string_view map, std::string_view vectors, Index vectors_head) const;

    /// What the heads' contexts make of this number of the output: "0.2 × 0.1 + ... + 0.3", times W_o.
    Arithmetic joined_contexts() const;

    void add(std::string_view name, std::string title, const Arithmetic& expression, double value);
    /// The same, with the value that the stage has here.
    void add(std::string_view name, std::string title, const Arithmetic& expression);
    /// A line of the program that no stage records, to be written before the next step.
    void add_before(const std::string& line, const Arithmetic& expression, double value) const;
    void forget_before() const { before_.clear(); }
    /// A number that stands for something, printed as what it stands for: a key's, as files count them.
    void add_named(std::string_view name, std::string title, std::string words, double value,
                   std::string result);

    /// The lines of the plan's program, with the trace's numbers where it has them; null where there is no
    /// such program, or one that nobody would wait for at a cell.
    AskedRows* rows() const;

private:
    std::span<const double> row_of(const Stage& of, Index of_head, Index of_row) const;

    double asked_ = 0;
    /// Rows of lazy stages, by stage, head and row: each is read once for all that is said of the cell.
    mutable std::map<std::array<Index, 3>, std::vector<double>> lazy_rows_;
    /// A row of a tensor of the program that is a stage of the trace.
    std::optional<std::span<const double>> recorded_row(const std::string& name, const Extent& extent,
                                                        Place place) const;

    /// A step whose digits are chosen when all are known.
    struct UnprintedStep {
        std::string stage, name;
        UnprintedLine line;
        std::string result = {};  ///< of a step in words, which has no digits; else empty
    };
    std::vector<UnprintedStep> written_;
    mutable std::vector<UnprintedStep> before_;
    mutable bool has_asked_ = false;
    mutable std::unique_ptr<Program> program_;
    mutable std::unique_ptr<AskedRows> rows_;
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
void explain_position_bias(ExplainedCell& cell);
void explain_biased_scores(ExplainedCell& cell);
void explain_masked_scores(ExplainedCell& cell);
/// The last of the scores, which the softmax gets: its steps, and its name.
std::string_view explain_final_scores(ExplainedCell& cell);
std::string_view final_scores(const AttentionSpec& spec);

void explain_normalized(ExplainedCell& cell);
void explain_mixed_scores(ExplainedCell& cell);
void explain_gate(ExplainedCell& cell);

/// Whether the component records the stage in runs of this plan.
bool records(const auto* component, const Plan& plan, std::string_view stage) {
    if (!component)
        return false;
    if (!has_kernel(*component, plan.spec) &&
        std::ranges::count(*declared_stages_of(*component, plan.spec), stage, &DeclaredStage::name) > 0)
        return true;
    if (!component->stages)
        return false;
    StageList list(plan, std::numeric_limits<std::size_t>::max());
    component->stages(plan, list);
    return list.has(stage);
}

/// What the components of the spec say of a stage that one of them records; false when none does.
bool explain_by_component(ExplainedCell& cell);
/// The line that defines the stage with the numbers of the cell, back to stages that are recorded; empty
/// where the program has none.
Arithmetic defined_arithmetic(const ExplainedCell& cell, std::string_view stage);
/// The arithmetic of a number that a component decides: its definition's; of a stage that no line of the
/// program has, what the component says with numbers, of the stages of its steps, or in words; `otherwise`
/// when none says anything.
Arithmetic text_of(const auto* component, const ExplainedCell& cell, std::string_view stage,
                   const Arithmetic& otherwise) {
    if (!component)
        return otherwise;
    Arithmetic text = defined_arithmetic(cell, stage);
    if (text.empty() && component->explain && steps_know_mask(*component, cell.plan.spec))
        text = component->explain(cell, stage);
    if (!text.empty())
        return text;
    const auto stages = declared_stages_of(*component, cell.plan.spec);
    const auto declared = std::ranges::find(*stages, stage, &DeclaredStage::name);
    const bool has_words = declared != stages->end() && !declared->said.empty();
    return has_words ? Arithmetic(declared->said) : otherwise;
}

}  // namespace headlight
