#include "core/attention/explain.h"

#include "core/attention/arithmetic_text.h"
#include "core/attention/explained_cell.h"
#include "core/attention/widths.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr const char* nothing_allowed = "0, for the mask forbids every key";

void explain_row_maximum(ExplainedCell& cell) {
    const std::string text = cell.nothing_counts() ? "−∞, for the mask forbids every key"
                                                   : maximum_of(cell.counted(final_scores(cell.plan.spec)));
    cell.add("row_maximum", "largest score of the row", text, cell.of_row("row_maximum"));
}

void explain_exponentials(ExplainedCell& cell) {
    const double score = cell.here(explain_final_scores(cell));
    explain_row_maximum(cell);
    const double temperature = cell.plan.spec.normalizer.temperature;
    std::string text = "−∞";
    if (cell.counts(cell.column))
        text = minus(score, cell.of_row("row_maximum"));
    if (cell.counts(cell.column) && temperature != 1)
        text = "(" + text + ") / " + format_number(temperature);
    cell.add("exponentials", "exponential", "exp(" + text + ")");
}

void explain_row_sum(ExplainedCell& cell) {
    cell.add("row_sum", "sum of the row",
             cell.nothing_counts() ? nothing_allowed : sum_of(cell.counted("exponentials")),
             cell.of_row("row_sum"));
}

std::string share_of_row(const ExplainedCell& cell) {
    if (cell.nothing_counts())
        return nothing_allowed;
    return cell.shown("exponentials") + " / " + format_number(cell.of_row("row_sum"));
}

void explain_soft_weights(ExplainedCell& cell) {
    explain_exponentials(cell);
    explain_row_sum(cell);
    cell.add("soft_weights", "softmax", share_of_row(cell));
}

void explain_draw(ExplainedCell& cell) {
    const double drawn = cell.of_row("draw");
    std::string text = nothing_allowed;
    if (drawn >= 0) {
        const auto key = static_cast<Index>(drawn);
        text = cell.key_name(key) + ", drawn with probability " +
               format_number(cell.at("soft_weights", cell.head, cell.row, key)) + "; keys count from 0";
    } else {
        text = "no key, for the mask forbids every one";
    }
    cell.add("draw", "drawn key", text, drawn);
}

void explain_frequencies(ExplainedCell& cell) {
    explain_soft_weights(cell);
    const auto draws = static_cast<double>(cell.plan.spec.normalizer.draws);
    cell.add("frequencies", "share of the draws",
             cell.nothing_counts() ? nothing_allowed
                                   : format_number(std::round(cell.here("frequencies") * draws)) + " / " +
                                         format_number(draws));
}

std::string chosen_text(const ExplainedCell& cell, Index chosen, const char* why) {
    return chosen == cell.column ? std::string("1, for this key ") + why
                                 : "0, for " + cell.key_name(chosen) + " " + why;
}

void explain_weights(ExplainedCell& cell) {
    const Normalizer& normalizer = cell.plan.spec.normalizer;
    if (normalizer.type == NormalizerType::softmax) {
        explain_exponentials(cell);
        explain_row_sum(cell);
        cell.add("weights", "weight", share_of_row(cell));
        return;
    }
    explain_soft_weights(cell);
    std::string text = nothing_allowed;
    if (!cell.nothing_counts()) {
        const auto row = cell.row_of("weights", cell.head, cell.row);
        const auto chosen = std::ranges::max_element(row) - row.begin();
        const bool is_drawn = normalizer.mode == HardMode::sample;
        text = chosen_text(cell, chosen, is_drawn ? "was drawn" : "has the largest score");
    }
    cell.add("weights", "weight", text);
}

/// Weights of one query times one feature of the values, without the keys that the mask forbids.
std::string mixed_values(const ExplainedCell& cell, Index head, Index feature) {
    std::vector<Factors> terms;
    for (Index key = 0; key < cell.plan.keys; ++key)
        if (cell.counts(key))
            terms.push_back({cell.at("weights", head, cell.row, key), cell.at("value", head, key, feature)});
    return cell.nothing_counts() ? nothing_allowed : "weights · values = " + sum_of_products(terms);
}

void add_context(ExplainedCell& cell, Index head, Index feature) {
    cell.add("context", "context", mixed_values(cell, head, feature),
             cell.at("context", head, cell.row, feature));
}

void explain_context(ExplainedCell& cell) { add_context(cell, cell.head, cell.column); }

std::string place_in_heads(const ExplainedCell& cell) {
    const Index width = cell.plan.head_value_width();
    return "number " + std::to_string(cell.column % width + 1) + " of head " +
           std::to_string(cell.column / width + 1) + "’s context";
}

void explain_concatenation(ExplainedCell& cell) {
    const Index width = cell.plan.head_value_width();
    add_context(cell, cell.column / width, cell.column % width);
    cell.add("concatenation", "concatenation", place_in_heads(cell));
}

void explain_output(ExplainedCell& cell) {
    const Plan& plan = cell.plan;
    if (!projects_output(plan.spec)) {
        const Index width = plan.head_value_width();
        add_context(cell, cell.column / width, cell.column % width);
        cell.add("output", "output", plan.heads == 1 ? "the context" : place_in_heads(cell));
        return;
    }
    const Tensor& matrix = plan.parameter("W_o");
    std::vector<Factors> terms;
    for (Index c = 0; c < matrix.rows(); ++c)
        terms.push_back({cell.at("concatenation", 0, cell.row, c), matrix(c, cell.column)});
    std::string text = sum_of_products(terms);
    if (plan.spec.projections.bias)
        text = plus(text, plan.parameter("b_o")[cell.column]);
    cell.add("output", "output",
             (plan.spec.projections.bias ? "concatenation W_o + b_o = " : "concatenation W_o = ") + text);
}

using Explain = void (*)(ExplainedCell&);

Explain explain_stage(std::string_view name) {
    struct Entry {
        std::string_view stage;
        Explain explain;
    };
    static constexpr Entry entries[] = {
        {"tokens", explain_tokens},
        {"key_tokens", explain_tokens},
        {"value_tokens", explain_tokens},
        {"position", explain_position},
        {"key_position", explain_position},
        {"query", explain_query},
        {"key", explain_key},
        {"value", explain_value},
        {"energy", explain_energy},
        {"scores", explain_scores},
        {"scaled_scores", explain_scaled_scores},
        {"biased_scores", explain_biased_scores},
        {"masked_scores", explain_masked_scores},
        {"row_maximum", explain_row_maximum},
        {"exponentials", explain_exponentials},
        {"row_sum", explain_row_sum},
        {"soft_weights", explain_soft_weights},
        {"draw", explain_draw},
        {"frequencies", explain_frequencies},
        {"weights", explain_weights},
        {"context", explain_context},
        {"concatenation", explain_concatenation},
        {"output", explain_output},
    };
    const auto entry = std::ranges::find(entries, name, &Entry::stage);
    return entry == std::end(entries) ? nullptr : entry->explain;
}

Index rows_of(const Stage& stage, Index columns) {
    const Index heads = stage.shape.size() > 2 && stage.axes.front() == Axis::head ? stage.shape.front() : 1;
    return columns > 0 && heads > 0 ? stage.size() / columns / heads : 0;
}

void require_below(const std::string& stage, const char* what, Index index, Index extent) {
    if (index < 0 || index >= extent)
        throw Error({"explain a cell", stage, std::string(what) + " below " + std::to_string(extent),
                     std::to_string(index)});
}

}  // namespace

ExplainedCell::ExplainedCell(const Plan& the_plan, const Trace& the_trace, const Stage& the_stage,
                             Index of_head, Index of_row, Index of_column)
    : plan(the_plan), trace(the_trace), stage(the_stage), head(of_head), row(of_row), column(of_column) {
    if (stage.axes.size() == 2 && stage.axes.front() == Axis::head) {  // one number for each head and query
        head = of_row;
        row = of_column;
        column = 0;
    } else if (stage.axes.size() <= 2) {
        head = 0;
    } else if (stage.axes.back() == Axis::attention) {  // a row for each pair
        row = of_row / plan.keys;
        column = of_row % plan.keys;
        feature = of_column;
    }
}

std::span<const double> ExplainedCell::row_of(std::string_view name, Index of_head, Index of_row) const {
    const Stage& found = *trace.find(name);
    const auto width = static_cast<std::size_t>(found.shape.back());
    return trace.matrix(found, of_head).subspan(static_cast<std::size_t>(of_row) * width, width);
}

double ExplainedCell::at(std::string_view name, Index of_head, Index of_row, Index of_column) const {
    return row_of(name, of_head, of_row)[static_cast<std::size_t>(of_column)];
}

std::vector<double> ExplainedCell::counted(std::string_view name) const {
    const auto all = row_of(name, head, row);
    std::vector<double> numbers;
    for (std::size_t key = 0; key < all.size(); ++key)
        if (counts(static_cast<Index>(key)))
            numbers.push_back(all[key]);
    return numbers;
}

std::string ExplainedCell::key_name(Index key) const {
    const auto& labels = plan.spec.source.type == SourceType::self ? trace.tokens.query : trace.tokens.key;
    const auto index = static_cast<std::size_t>(key);
    return index < labels.size() ? "“" + labels[index] + "”" : "key " + std::to_string(key + 1);
}

void ExplainedCell::add(std::string_view name, std::string title, std::string expression, double value) {
    steps.push_back({std::string(name), std::move(title), std::move(expression), value});
}
void ExplainedCell::add(std::string_view name, std::string title, std::string expression) {
    add(name, std::move(title), std::move(expression), here(name));
}

std::vector<ArithmeticStep> explain_cell(const Plan& plan, const Trace& trace, std::string_view stage,
                                         Index head, Index row, Index column) {
    const Stage* found = trace.find(stage);
    const Explain explain = explain_stage(stage);
    if (!found || !explain)
        throw Error({"explain a cell", "stage", "a stage of the trace", excerpt(std::string(stage))});
    const Index columns = found->shape.back();
    require_below(found->name, "a row", row, rows_of(*found, columns));
    require_below(found->name, "a column", column, columns);
    if (found->shape.size() > 2 && found->axes.front() == Axis::head)
        require_below(found->name, "a head", head, found->shape.front());

    ExplainedCell cell(plan, trace, *found, head, row, column);
    explain(cell);
    return std::move(cell.steps);
}

}  // namespace headlight
