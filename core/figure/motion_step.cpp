#include "core/figure/motion_step.h"

#include "core/kernels/power_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace headlight {
namespace {

/// Numbers of a run in floats differ from sums of doubles by as much of their terms, and by what is nothing
/// beside numbers around 1.
constexpr double rounding_of_a_run = 1e-5, nothing_of_a_run = 1e-12;

bool comes_to(double number, double expected, double size) {
    if (std::isnan(number) || std::isnan(expected))
        return std::isnan(number) && std::isnan(expected);
    if (std::isinf(number) || std::isinf(expected))
        return number == expected;
    return std::abs(number - expected) <=
           rounding_of_a_run * std::max(size, std::abs(expected)) + nothing_of_a_run;
}

bool can_move(const Panel& panel) {
    return panel.kind == Panel::Kind::heatmap && !panel.blank && !panel.overlay && !panel.large &&
           panel.rows > 0 && panel.columns > 0 && panel.values.size() <= most_moving_cells &&
           panel.values.size() == static_cast<std::size_t>(panel.rows * panel.columns);
}

bool have_one_shape(const Panel& one, const Panel& other) {
    return one.rows == other.rows && one.columns == other.columns;
}

/// Whether `expected(row, column)`, with the size of what it was computed from, is what each cell has.
template <class Expected>
bool gives_all(const Panel& result, const Expected& expected) {
    for (Index row = 0; row < result.rows; ++row)
        for (Index column = 0; column < result.columns; ++column) {
            const auto [number, size] = expected(row, column);
            if (!comes_to(drawn_number(result, row, column), number, size))
                return false;
        }
    return true;
}

struct Sized {
    double number, size;
};

bool is_product(const Panel& left, const Panel& right, const Panel& result) {
    if (left.columns != right.rows || left.rows != result.rows || right.columns != result.columns)
        return false;
    return gives_all(result, [&](Index row, Index column) {
        Sized sum{0, 0};
        for (Index at = 0; at < left.columns; ++at) {
            const double term = drawn_number(left, row, at) * drawn_number(right, at, column);
            sum.number += term;
            sum.size += std::abs(term);
        }
        return sum;
    });
}

bool is_sum(const Panel& left, const Panel& right, const Panel& result) {
    return have_one_shape(left, result) && have_one_shape(right, result) &&
           gives_all(result, [&](Index row, Index column) {
               const double one = drawn_number(left, row, column), other = drawn_number(right, row, column);
               return Sized{one + other, std::abs(one) + std::abs(other)};
           });
}

/// What every number of `from` is multiplied by; NaN where there is no such number.
double factor_between(const Panel& from, const Panel& result) {
    double largest = 0, factor = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t at = 0; at < from.values.size(); ++at)
        if (const double size = std::abs(from.values[at]); std::isfinite(size) && size > largest) {
            largest = size;
            factor = result.values[at] / from.values[at];
        }
    return factor;
}

bool is_scaling(const Panel& from, const Panel& result, double factor) {
    return std::isfinite(factor) && factor != 0 && gives_all(result, [&](Index row, Index column) {
               const double number = factor * drawn_number(from, row, column);
               return Sized{number, 0};
           });
}

bool is_unchanged(const Panel& from, const Panel& result) { return is_scaling(from, result, 1); }

bool is_mask(const Panel& from, const Panel& result) {
    return gives_all(result, [&](Index row, Index column) {
        const double now = drawn_number(result, row, column);
        const bool is_forbidden = std::isinf(now) && now < 0;
        return Sized{is_forbidden ? now : drawn_number(from, row, column), 0};
    });
}

/// A number for each row, worked out once.
std::vector<double> numbers_of_rows(const Panel& panel, double (*number)(const Panel&, Index)) {
    std::vector<double> numbers;
    for (Index row = 0; row < panel.rows; ++row)
        numbers.push_back(number(panel, row));
    return numbers;
}

/// Each number over what stands for its row; 0 where that is 0.
bool is_over(const Panel& from, const Panel& result, const std::vector<double>& sums,
             const std::vector<double>& largest) {
    return gives_all(result, [&](Index row, Index column) {
        const auto at = static_cast<std::size_t>(row);
        const double own = drawn_number(from, row, column);
        const double part = largest.empty() ? own : exponential_below(own, largest[at]);
        return Sized{sums[at] == 0 ? 0 : part / sums[at], 0};
    });
}

/// Only numbers that are never negative are shared out, as exponentials are.
bool is_share_of_row(const Panel& from, const Panel& result) {
    const auto numbers = from.values.span();
    const bool can_be_shared = std::ranges::all_of(numbers, [](double number) { return number >= 0; }) &&
                               std::ranges::any_of(numbers, [](double number) { return number > 0; });
    return can_be_shared && is_over(from, result, numbers_of_rows(from, sum_of_row), {});
}

bool is_exponential(const Panel& from, const Panel& result) {
    return is_over(from, result, std::vector<double>(static_cast<std::size_t>(from.rows), 1),
                   numbers_of_rows(from, largest_of_row));
}

bool is_softmax(const Panel& from, const Panel& result) {
    return is_over(from, result, numbers_of_rows(from, sum_of_exponentials),
                   numbers_of_rows(from, largest_of_row));
}

/// "÷ √8" of "÷ √8\n=".
std::string without_sign_of_equality(std::string operation) {
    std::ranges::replace(operation, '\n', ' ');
    for (const char* sign : {"=", "→"})
        if (operation.ends_with(sign))
            operation.erase(operation.size() - std::string_view(sign).size());
    while (operation.ends_with(' '))
        operation.pop_back();
    return operation;
}

/// × W_q, × Wₒ + b and × I take one row after another, whatever the matrix is.
bool is_projected(const MotionStep& step, const std::vector<Panel>& panels) {
    const bool multiplies =
        step.operation.find("× W") != std::string::npos || step.operation.find("× I") != std::string::npos;
    const auto is_added = [&](Index operand) {
        const Panel& panel = panels[static_cast<std::size_t>(operand)];
        return (operand == step.operands.front() || panel.operator_before == "+") &&
               panel.rows == panels[static_cast<std::size_t>(step.result)].rows;
    };
    return multiplies && std::ranges::all_of(step.operands, is_added);
}

MotionWork work_of_two(const Panel& left, const Panel& right, const Panel& result) {
    if (right.operator_before == "×" && is_product(left, right, result))
        return right.transposed ? MotionWork::product : MotionWork::mixture;
    if (right.operator_before == "+" && is_sum(left, right, result))
        return MotionWork::sum;
    return MotionWork::none;
}

MotionWork work_of_one(const Panel& from, const Panel& result, const MotionStep& step) {
    if (!have_one_shape(from, result))
        return MotionWork::none;
    if (is_unchanged(from, result))  // of rows that sum to 1 it would be a share, too
        return MotionWork::unchanged;
    if (is_share_of_row(from, result))  // of a single row it would be a scaling, too
        return MotionWork::share;
    if (is_scaling(from, result, step.factor))
        return MotionWork::scaling;
    if (is_mask(from, result))
        return MotionWork::mask;
    if (is_exponential(from, result))
        return MotionWork::exponential;
    return is_softmax(from, result) ? MotionWork::softmax : MotionWork::none;
}

std::span<const double> numbers_of_row(const Panel& panel, Index row, Index count) {
    return panel.values.span().subspan(static_cast<std::size_t>(row * panel.columns),
                                       static_cast<std::size_t>(count));
}

}  // namespace

double exponential_below(double number, double largest) {
    return std::isinf(number) && number < 0 ? 0 : std::exp(number - largest);
}

double sum_of_row(const Panel& panel, Index row) {
    double sum = 0;
    for (Index column = 0; column < panel.columns; ++column)
        sum += drawn_number(panel, row, column);
    return sum;
}

double largest_of_row(const Panel& panel, Index row) {
    double largest = -std::numeric_limits<double>::infinity();
    for (Index column = 0; column < panel.columns; ++column)
        largest = std::max(largest, drawn_number(panel, row, column));
    return largest;
}

double sum_of_exponentials(const Panel& panel, Index row) {
    return kernels::sum_of_powers(numbers_of_row(panel, row, panel.columns)).sum;
}

std::vector<double> parts_of_sum(const Panel& panel, MotionWork work, Index row, Index count) {
    const std::span<const double> numbers = numbers_of_row(panel, row, count);
    std::vector<double> parts(numbers.begin(), numbers.end());
    if (work == MotionWork::softmax)
        std::ranges::transform(parts, parts.begin(), [largest = largest_of_row(panel, row)](double number) {
            return exponential_below(number, largest);
        });
    return parts;
}

MotionStep motion_step(const Figure& figure) {
    MotionStep step;
    for (std::size_t at = 0; at < figure.panels.size(); ++at) {
        const Panel& panel = figure.panels[at];
        if (panel.thumbnail)
            continue;
        if (!can_move(panel))
            return {};
        step.operands.push_back(static_cast<Index>(at));
    }
    if (step.operands.size() < 2)
        return {};
    step.result = step.operands.back();
    step.operands.pop_back();
    const auto panel = [&](Index at) -> const Panel& { return figure.panels[static_cast<std::size_t>(at)]; };
    const Panel& result = panel(step.result);
    if (!result.in_focus || result.rows > most_moving_rows)
        return {};
    step.operation = without_sign_of_equality(result.operator_before);
    if (is_projected(step, figure.panels)) {
        step.work = MotionWork::projection;
    } else if (step.operands.size() == 1) {
        const Panel& from = panel(step.operands.front());
        step.factor = have_one_shape(from, result) ? factor_between(from, result) : 1;
        step.work = work_of_one(from, result, step);
    } else if (step.operands.size() == 2) {
        step.work = work_of_two(panel(step.operands[0]), panel(step.operands[1]), result);
    }
    return step;
}

}  // namespace headlight
