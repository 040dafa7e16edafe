#include "core/attention/explained_cell.h"

#include "core/attention/arithmetic_text.h"
#include "core/attention/component.h"
#include "core/attention/line_in_symbols.h"
#include "core/attention/pipeline_stages.h"
#include "core/attention/trace_program.h"
#include "core/attention/widths.h"
#include "core/tensor/error.h"
#include "core/tensor/visible_text.h"

#include <charconv>
#include <cmath>
#include <iterator>

namespace headlight {
namespace {

/// What a line is a row of, where each row is scored by those before: "weights_3".
struct OrderedLine {
    std::string stage;
    Index row;
};

std::optional<OrderedLine> ordered_line(const Plan& plan, const std::string& name) {
    const ScoreComponent* score = component_of(plan.spec.score.type);
    const std::size_t end = name.rfind('_');
    if (!score || !score->is_ordered || end == std::string::npos)
        return {};
    Index number = 0;
    const char* last = name.data() + name.size();
    const auto read = std::from_chars(name.data() + end + 1, last, number);
    if (read.ec != std::errc() || read.ptr != last || number < 1 || number > plan.queries)
        return {};
    return OrderedLine{name.substr(0, end), number - 1};
}

}  // namespace

ExplainedCell::ExplainedCell(const Plan& the_plan, const Trace& the_trace, const Stage& the_stage,
                             Index of_head, Index of_row, Index of_column)
    : plan(the_plan), trace(the_trace), stage(the_stage), head(of_head), row(of_row), column(of_column) {
    asked_ = row_of(stage, of_head, of_row)[static_cast<std::size_t>(of_column)];
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

bool ExplainedCell::is_row_of_recorded(const std::string& line) const {
    const std::optional<OrderedLine> of_row = ordered_line(plan, line);
    return of_row && is_recorded(of_row->stage);
}

std::span<const double> ExplainedCell::row_of(const Stage& of, Index of_head, Index of_row) const {
    const auto width = static_cast<std::size_t>(of.shape.back());
    if (!of.is_lazy)
        return trace.matrix(of, of_head).subspan(static_cast<std::size_t>(of_row) * width, width);
    std::vector<double>& numbers = lazy_rows_[{of.offset, of_head, of_row}];
    if (numbers.empty()) {
        numbers.resize(width);
        trace.read_rows(of, of_head, of_row, 1, numbers);
    }
    return numbers;
}

std::span<const double> ExplainedCell::row_of(std::string_view name, Index of_head, Index of_row) const {
    const Stage* of = trace.find(name);
    if (!of)
        throw Error({"explain a cell", std::string(name), "a stage of the trace", "none"});
    return row_of(*of, of_head, of_row);
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
    return index < labels.size() ? in_quotes(labels[index]) : "key " + std::to_string(key + 1);
}

void ExplainedCell::add(std::string_view name, std::string title, const Arithmetic& expression,
                        double value) {
    std::ranges::move(before_, std::back_inserter(written_));
    before_.clear();
    written_.push_back({std::string(name), std::move(title), {expression, value}});
}
void ExplainedCell::add(std::string_view name, std::string title, const Arithmetic& expression) {
    add(name, std::move(title), expression, here(name));
}

void ExplainedCell::add_before(const std::string& line, const Arithmetic& expression, double value) const {
    if (std::ranges::any_of(before_, [&](const UnprintedStep& step) {
            return step.stage == line && step.line.value == value;
        }))
        return;  // read twice
    before_.push_back({line, in_words(line), {expression, value}});
}

void ExplainedCell::add_named(std::string_view name, std::string title, std::string words, double value,
                              std::string result) {
    written_.push_back({std::string(name), std::move(title), {std::move(words), value}, std::move(result)});
}

std::vector<ArithmeticStep> ExplainedCell::steps() const {
    std::vector<UnprintedLine> lines;
    for (const UnprintedStep& step : written_)
        lines.push_back(step.line);
    std::vector<PrintedLine> printed = printed_lines(lines);
    std::vector<ArithmeticStep> steps;
    for (std::size_t i = 0; i < written_.size(); ++i) {
        const UnprintedStep& step = written_[i];
        steps.push_back({step.stage, step.name, std::move(printed[i].expression), step.line.value,
                         step.result.empty() ? std::move(printed[i].result) : step.result});
    }
    return steps;
}

bool ExplainedCell::counts(Index key) const {
    if (!plan.spec.mask_value && !plan.allowed.allowed(row, key))
        return false;
    if (plan.spec.selection.type == SelectionType::none)
        return true;
    if (plan.spec.mask_order == MaskOrder::after_scale || !is_composed(plan.spec))
        return !std::isinf(at("masked_scores", head, row, key));
    return at("weights", head, row, key) != 0;
}

std::string ExplainedCell::why_not() const {
    if (is_dropped(plan, row, column))
        return "the cache has dropped this key";
    return plan.allowed.allowed(row, column) ? "the selection leaves this key out"
                                             : "the mask forbids this key";
}

bool ExplainedCell::nothing_counts() const {
    for (Index key = 0; key < plan.keys; ++key)
        if (counts(key))
            return false;
    return true;
}

std::optional<std::span<const double>> ExplainedCell::recorded_row(const std::string& name,
                                                                   const Extent& extent, Place place) const {
    const Stage* found = trace.find(name);
    if (!found) {
        const std::optional<OrderedLine> line = ordered_line(plan, name);
        const Stage* rows = line ? trace.find(line->stage) : nullptr;
        if (!rows || rows->axes.size() != 3 || extent.rows != 1 || extent.columns != rows->shape.back())
            return {};
        return row_of(*rows, place.head, line->row);
    }
    const bool has_heads = found->axes.front() == Axis::head;
    const Index heads = has_heads ? found->shape.front() : 1, columns = found->shape.back();
    if (found->axes.size() == 2 && has_heads) {  // one number for each head and query
        if (extent.rows != columns || extent.columns != 1 || extent.matrices() != heads)
            return {};
        return row_of(*found, 0, place.head).subspan(static_cast<std::size_t>(place.row), 1);
    }
    if (extent.columns != columns || extent.matrices() != heads || extent.size() != found->size())
        return {};
    return row_of(*found, place.head, place.row);
}

AskedRows* ExplainedCell::rows() const {
    // Definitions of algorithms are given numbers of all pairs, those that go row by row a line for each.
    constexpr Index most_pairs = 1 << 20;
    constexpr std::size_t most_lines = 4000;
    const bool is_large = plan.queries * plan.keys > most_pairs;
    if (has_asked_ || (is_large && !is_composed(plan.spec) && !runs_by_program(plan.spec)))
        return rows_.get();
    has_asked_ = true;
    try {
        program_ = std::make_unique<Program>(program_without_given_rows(plan, most_lines));
        rows_ = std::make_unique<AskedRows>(
            *program_, [this](const std::string& name, const Extent& extent, Place place) {
                return recorded_row(name, extent, place);
            });
    } catch (const TooMuch&) {
    } catch (const Error&) {  // parts that a program cannot write side by side
    }
    return rows_.get();
}

std::string ExplainedCell::compared_query() const { return last_form(trace, "query"); }
std::string ExplainedCell::compared_key() const { return last_form(trace, "key"); }
std::string ExplainedCell::normalised_stage() const { return last_form(trace, "weights"); }

Arithmetic ExplainedCell::product(std::string_view left, Index left_head, std::string_view right,
                                  Index right_head, Index width) const {
    return sum_of_products(row_of(left, left_head, row).first(static_cast<std::size_t>(width)),
                           row_of(right, right_head, column));
}

Arithmetic ExplainedCell::joined_contexts() const {
    const char* contexts = is_recorded("gated_context") ? "gated_context" : "context";
    if (!projects_output(plan.spec)) {
        const Index width = plan.head_value_width();
        return written(at(contexts, column / width, row, column % width));
    }
    const Tensor& matrix = plan.parameter("W_o");
    const bool is_joined =
        is_recorded("concatenation");  // else the contexts lie beside each other in the heads
    const Index width = plan.head_value_width();
    std::vector<Factors> terms;
    for (Index c = 0; c < matrix.rows(); ++c)
        terms.push_back({is_joined ? at("concatenation", 0, row, c) : at(contexts, c / width, row, c % width),
                         matrix(c, column)});
    const Arithmetic text = sum_of_products(terms);
    return plan.spec.projections.bias ? plus(text, plan.parameter("b_o")[column]) : text;
}

Arithmetic ExplainedCell::weighted(std::string_view map, std::string_view vectors, Index vectors_head) const {
    if (!is_recorded(vectors))
        return {};
    std::vector<Factors> terms;
    for (Index key = 0; key < plan.keys; ++key)
        if (at(map, head, row, key) != 0)
            terms.push_back({at(map, head, row, key), at(vectors, vectors_head, key, column)});
    return terms.empty() ? "0, for the mask forbids every key" : sum_of_products(terms);
}

}  // namespace headlight
