#include "core/figure/motion_words.h"

#include "core/attention/printed_line.h"
#include "core/figure/build_figure.h"
#include "core/figure/panel_numbers.h"
#include "core/figure/words.h"
#include "core/tensor/visible_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <vector>

namespace headlight {
namespace {

const Panel& panel_at(const Figure& figure, Index at) { return figure.panels[static_cast<std::size_t>(at)]; }
const Panel& first_operand(const Figure& figure, const MotionStep& step) {
    return panel_at(figure, step.operands.front());
}

/// Its title, also where a person has taken that away.
std::string title_or_stage(const Panel& panel) {
    return own_title(panel).empty() ? stage_title_at(panel.stage, panel.site) : own_title(panel);
}

/// "row 3, “sat”"
std::string place_on(const char* side, const AxisLabels& axis, Index at) {
    const std::string number = side + (" " + std::to_string(label_number(axis, at)));
    return axis.labels.empty() ? number : number + ", " + in_quotes(axis_label(axis, at));
}

/// "row 3, “sat”, of Query"
std::string line_words(const char* side, const Panel& panel, const AxisLabels& axis, Index at) {
    return place_on(side, axis, at) + (axis.labels.empty() ? "" : ",") + " of " + title_or_stage(panel);
}
std::string row_words(const Panel& panel, Index row) { return line_words("row", panel, panel.row_axis, row); }
std::string column_words(const Panel& panel, Index column) {
    return line_words("column", panel, panel.column_axis, column);
}

/// "0.12 × 0.5 = 0.06"
std::string line_with_result(const Arithmetic& expression, double value) {
    const UnprintedLine whole[] = {{expression, value}};
    const PrintedLine line = printed_lines(whole).front();
    return line.expression + " = " + line.result;
}

/// The same of a sum of which not all is there yet.
std::string line_so_far(const Arithmetic& expression, double value, bool is_whole) {
    return is_whole ? line_with_result(expression, value)
                    : expression.text(3) + " …, so far " + format_number(value, 3);
}

/// The digits below the root that a scaling divides by, which are the run's; nothing of √d, which is no
/// number.
std::string digits_below_root(const MotionStep& step) {
    constexpr std::string_view division = "÷ √";
    const std::string below =
        step.operation.starts_with(division) ? step.operation.substr(division.size()) : "";
    return below.find_first_not_of("0123456789") == std::string::npos ? below : std::string();
}

/// "0.5 / √8", else times the factor.
Arithmetic scaled_arithmetic(const MotionStep& step, double number) {
    if (const std::string below = digits_below_root(step); !below.empty())
        return written(number) + (" / √" + below);
    return written(number) + " × " + written(step.factor);
}

/// "÷ √8" or "× 0.5"
std::string scaled_by(const MotionStep& step) {
    const std::string below = digits_below_root(step);
    return below.empty() ? "× " + format_number(step.factor) : "÷ √" + below;
}

/// "exp(0.3 − 0.5)": how far a score lies below its row's largest.
Arithmetic exponential_arithmetic(double number, double largest) {
    if (std::isinf(number))
        return "exp(−∞)";
    return Arithmetic("exp(") + minus(number, largest) + ")";
}

/// "Row 3, “sat”, of Weights, column 2, “cat”: "
std::string cell_place(const Panel& panel, Index row, Index column) {
    return capitalized(row_words(panel, row)) + ", " + place_on("column", panel.column_axis, column) + ": ";
}

std::string mask_words(const Panel& from, Index row, Index column, double now) {
    const std::string place = cell_place(from, row, column);
    const double number = drawn_number(from, row, column);
    const std::string before = format_number(number);
    const bool is_forbidden_here = std::isinf(now) && now != number;
    return place +
           (is_forbidden_here ? before + " becomes −∞, for this pair may not meet" : before + " stays");
}

Arithmetic arithmetic_of_cell(const Figure& figure, const MotionStep& step, Index row, Index column) {
    const Panel& from = first_operand(figure, step);
    const double number = drawn_number(from, row, column);
    switch (step.work) {
    case MotionWork::sum:
        return plus(number, drawn_number(panel_at(figure, step.operands[1]), row, column));
    case MotionWork::scaling:
        return scaled_arithmetic(step, number);
    case MotionWork::exponential:
        return exponential_arithmetic(number, largest_of_row(from, row));
    case MotionWork::share:
        return written(number) + " / " + written(sum_of_row(from, row));
    default:
        return exponential_arithmetic(number, largest_of_row(from, row)) + " / " +
               written(sum_of_exponentials(from, row));
    }
}

}  // namespace

std::string product_words(const Figure& figure, const MotionStep& step, Index row, Index column,
                          Index terms) {
    const Panel &left = first_operand(figure, step), &right = panel_at(figure, step.operands[1]);
    std::vector<Factors> factors;
    double sum = 0;
    for (Index at = 0; at < std::min(terms, left.columns); ++at) {
        factors.push_back({drawn_number(left, row, at), drawn_number(right, at, column)});
        sum += factors.back().left * factors.back().right;
    }
    const bool is_whole = terms >= left.columns;
    const double value = is_whole ? drawn_number(panel_at(figure, step.result), row, column) : sum;
    return capitalized(row_words(left, row)) + " × " + column_words(right, column) + ": " +
           line_so_far(sum_of_products(factors), value, is_whole);
}

std::string mixture_words(const Figure& figure, const MotionStep& step, Index row, Index terms) {
    const Panel &left = first_operand(figure, step), &right = panel_at(figure, step.operands[1]);
    constexpr Index most_named = 3;
    const Index count = std::min(terms, left.columns);
    std::string sum;
    for (Index at = 0; at < count; ++at) {
        if (count > most_named + 1 && at == most_named - 1) {
            sum += " + [" + std::to_string(count - most_named) + " more]";
            at = count - 1;
        }
        sum += (sum.empty() ? "" : " + ") + format_number(drawn_number(left, row, at), 3) + " × " +
               (at + 1 < count ? place_on("row", right.row_axis, at) : row_words(right, at));
    }
    return capitalized(row_words(panel_at(figure, step.result), row)) + ": " + sum +
           (count < left.columns ? " …" : "");
}

std::string largest_words(const Figure& figure, const MotionStep& step, Index row) {
    const Panel& from = first_operand(figure, step);
    return "The largest number in " + row_words(from, row) + ": " + format_number(largest_of_row(from, row));
}

std::string divisor_words(const Figure& figure, const MotionStep& step, Index row, Index terms) {
    const Panel& from = first_operand(figure, step);
    const bool is_softmax = step.work == MotionWork::softmax, is_whole = terms >= from.columns;
    const std::vector<double> added = parts_of_sum(from, step.work, row, std::min(terms, from.columns));
    const double sum = std::accumulate(added.begin(), added.end(), 0.0);
    const std::string what =
        is_softmax ? "exp(score − " + format_number(largest_of_row(from, row)) + ") over " : "";
    return "The sum of " + what + row_words(from, row) + ": " + line_so_far(sum_of(added), sum, is_whole);
}

std::string cell_words(const Figure& figure, const MotionStep& step, Index row, Index column) {
    const Panel& result = panel_at(figure, step.result);
    const double value = drawn_number(result, row, column);
    const Panel& from = first_operand(figure, step);
    if (step.work == MotionWork::mask)
        return mask_words(from, row, column, value);
    const std::string place = cell_place(result, row, column);
    const bool has_nothing = (step.work == MotionWork::share && sum_of_row(from, row) == 0) ||
                             (step.work == MotionWork::softmax && sum_of_exponentials(from, row) == 0);
    if (has_nothing)
        return place + "no key may be looked at, so " + format_number(value);
    return place + line_with_result(arithmetic_of_cell(figure, step, row, column), value);
}

std::string projection_words(const Figure& figure, const MotionStep& step, Index row) {
    return capitalized(row_words(first_operand(figure, step), row)) + " " + step.operation + ": " +
           row_words(panel_at(figure, step.result), row);
}

std::string beginning_words(const Figure& figure, const MotionStep& step) {
    if (step.work == MotionWork::none)
        return "Nothing moves here: these numbers are given, or what they follow from is not drawn";
    const std::string result = title_or_stage(panel_at(figure, step.result)),
                      from = title_or_stage(first_operand(figure, step));
    if (step.work == MotionWork::unchanged && panel_at(figure, step.result).stage == "masked_scores")
        return result + ": nothing is forbidden here, so each number stays as it is in " + from;
    const auto other = [&] { return title_or_stage(panel_at(figure, step.operands[1])); };
    switch (step.work) {
    case MotionWork::none:
    case MotionWork::flow:
        break;
    case MotionWork::unchanged:
        return result + ": each number stays as it is in " + from;
    case MotionWork::product:
        return result + ": each row of " + from + " meets each column of " + other();
    case MotionWork::mixture:
        return result + ": rows of " + other() + ", weighted by a row of " + from + " and added";
    case MotionWork::sum:
        return result + ": " + from + " + " + other() + ", cell by cell";
    case MotionWork::scaling:
        return result + ": each number of " + from + " " + scaled_by(step);
    case MotionWork::mask:
        return result + ": " + from + ", but −∞ where a pair may not meet";
    case MotionWork::exponential:
        return result + ": e to the power of what each number of " + from + " lies below its row’s largest";
    case MotionWork::share:
        return result + ": each row of " + from + " is divided by its sum";
    case MotionWork::softmax:
        return result + ": the exponentials of each row of " + from + " are divided by their sum";
    case MotionWork::projection:
        return result + ": each row of " + from + " " + step.operation;
    }
    return {};
}

std::string ending_words(const Figure& figure, const MotionStep& step) {
    return beginning_words(figure, step) + ". All " +
           std::to_string(panel_at(figure, step.result).values.size()) + " numbers are there";
}

}  // namespace headlight
