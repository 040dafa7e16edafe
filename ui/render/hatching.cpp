#include "ui/render/hatching.h"

#include "core/figure/allowed_cells.h"
#include "ui/render/painter.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

namespace headlight {

namespace {

/// Where the line x + y = sum (y downwards, from the top left of the cells) leaves one cell for the next, as
/// x.
struct Walk {
    double sum, cell_width, cell_height;

    double next(double x) const {
        const double column_edge = (std::floor(x / cell_width + 1e-9) + 1) * cell_width;
        const double y = sum - x;
        const double row_edge = (std::ceil(y / cell_height - 1e-9) - 1) * cell_height;
        return std::min(column_edge, sum - row_edge);
    }
};

bool any_forbidden(const Panel& panel) {
    return std::ranges::find(panel.forbidden, 1) != panel.forbidden.end() ||
           std::ranges::any_of(panel.values, [](double value) { return std::isinf(value) && value < 0; });
}

/// The place from `from` to `to` where a condition begins to hold, which then goes on to; `to` where it never
/// does. Near enough for a line.
double beginning_of(const std::function<bool(double)>& holds, double from, double to, double near) {
    if (holds(from))
        return from;
    if (!holds(to))
        return to;
    while (to - from > near) {
        const double middle = 0.5 * (from + to);
        (holds(middle) ? to : from) = middle;
    }
    return to;
}

/// Returns the lines over a large map. Neither end of what a query may look at falls from one query to the
/// next, so that on its way up to the right a line leaves what is forbidden on the left once, and enters what
/// is on the right once.
QList<QLineF> hatch_of_large(const Panel& panel, const QRectF& cells, double spacing) {
    QList<QLineF> lines;
    if (allowed_cells(*panel.large, panel.rows, panel.columns, std::min<Index>(panel.rows, 64),
                      std::min<Index>(panel.columns, 64))
            .empty())
        return lines;
    const double width = cells.width(), height = cells.height();
    const auto at = [](double along, double length, Index count) {
        return std::clamp<Index>(static_cast<Index>(along / length * static_cast<double>(count)), 0,
                                 count - 1);
    };
    const int most = static_cast<int>(std::ceil((width + height) / spacing - 0.5));
    for (int line = 0; line < most; ++line) {
        const double sum = (line + 0.5) * spacing, first = std::max(0.0, sum - height),
                     last = std::min(width, sum);
        const auto allowed = [&](double x) {
            return allowed_columns(*panel.large, at(sum - x, height, panel.rows), panel.columns);
        };
        const auto is_right = [&](double x) { return at(x, width, panel.columns) >= allowed(x).end; };
        const auto is_past_left = [&](double x) { return at(x, width, panel.columns) >= allowed(x).begin; };
        const double near = 0.02 * spacing, left_ends = beginning_of(is_past_left, first, last, near),
                     right_begins = beginning_of(is_right, first, last, near);
        const auto add = [&](double from, double to) {
            if (to > from)
                lines.append(QLineF(cells.left() + from, cells.top() + sum - from, cells.left() + to,
                                    cells.top() + sum - to));
        };
        add(first, std::min(left_ends, right_begins));
        add(right_begins, last);
    }
    return lines;
}

}  // namespace

QList<QLineF> hatch_lines(const Panel& panel, const QRectF& cells, double spacing) {
    if (panel.large)
        return hatch_of_large(panel, cells, spacing);
    QList<QLineF> lines;
    const Index rows = drawn_rows(panel);
    if (rows == 0 || panel.columns == 0 || !any_forbidden(panel))
        return lines;
    const QSizeF cell = area_of_cells(panel, cells, 0, 0).size();
    const double width = cells.width(), height = cell.height() * static_cast<double>(rows);
    const auto add = [&](double from, double to, double sum) {
        lines.append(
            QLineF(cells.left() + from, cells.top() + sum - from, cells.left() + to, cells.top() + sum - to));
    };
    const int most = static_cast<int>(std::ceil((width + height) / spacing - 0.5));
    for (int line = 0; line < most; ++line) {
        const double sum = (line + 0.5) * spacing;
        const Walk walk{sum, cell.width(), cell.height()};
        std::optional<double> start;
        const double last = std::min(width, sum);
        double x = std::max(0.0, sum - height);
        while (x < last - 1e-9) {
            const double next = std::min(last, std::max(walk.next(x), x + 1e-6 * spacing));
            const double middle = 0.5 * (x + next);
            const auto column =
                std::clamp<Index>(static_cast<Index>(middle / cell.width()), 0, panel.columns - 1);
            const auto row =
                std::clamp<Index>(static_cast<Index>((sum - middle) / cell.height()), 0, rows - 1);
            if (is_forbidden(panel, row, column)) {
                start = start.value_or(x);
            } else if (start) {
                add(*start, x, sum);
                start.reset();
            }
            x = next;
        }
        if (start)
            add(*start, last, sum);
    }
    return lines;
}

void hatch_pixels(CellCodes& cells, double spacing, Index width) {
    // Where each line is in the first row; in the next one it is a pixel to the left.
    std::vector<Index> lines;
    const auto count =
        static_cast<int>(std::ceil(static_cast<double>(cells.rows + cells.columns) / spacing - 0.5));
    for (int line = 0; line < count; ++line)
        lines.push_back(static_cast<Index>((line + 0.5) * spacing) - width / 2);
    auto first = lines.begin();
    for (Index row = 0; row < cells.rows; ++row) {
        std::uint16_t* codes = cells.codes.data() + row * cells.columns;
        while (first != lines.end() && *first + width <= row)
            ++first;
        for (auto line = first; line != lines.end() && *line - row < cells.columns; ++line)
            for (Index column = std::max<Index>(*line - row, 0);
                 column < std::min(*line - row + width, cells.columns); ++column)
                if (codes[column] == CellCodes::forbidden)
                    codes[column] = CellCodes::hatched;
    }
}

}  // namespace headlight
