#include "ui/render/text_flow.h"

#include "core/text/writing.h"
#include "ui/render/fixed_text.h"
#include "ui/render/label_plan.h"
#include "ui/render/typeface.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace headlight {
namespace {

constexpr double line_pitch = 2.0;   // in sizes of the type: a token has a strip below it
constexpr double padding = 0.1;      // on either side of a token
constexpr double between = 0.3;      // words; the pieces of one stand close together
constexpr double least_width = 0.5;  // of a token, so that it can be seen and pointed at

/// By which tokenizers say that a word begins (the first three), or that one goes on.
const QStringList& word_marks() {
    static const QStringList marks{QStringLiteral("\u0120"), QStringLiteral("\u2581"),
                                   QStringLiteral("\u2423"), QStringLiteral("##")};
    return marks;
}

/// Whether the token goes on with the word of the one before it.
std::vector<bool> goes_on(const Panel& panel) {
    const QStringList& marks = word_marks();
    const auto begins_with = [&](Index column, qsizetype mark) {
        return label_text(panel.column_axis, column).startsWith(marks[mark]);
    };
    const qsizetype continued = marks.size() - 1;
    bool marks_beginnings = false;
    for (Index column = 0; column < panel.columns; ++column)
        for (qsizetype mark = 0; mark < continued; ++mark)
            marks_beginnings = marks_beginnings || begins_with(column, mark);
    std::vector<bool> all;
    for (Index column = 0; column < panel.columns; ++column) {
        bool is_begun = false;
        for (qsizetype mark = 0; mark < continued; ++mark)
            is_begun = is_begun || begins_with(column, mark);
        all.push_back(column > 0 && (marks_beginnings ? !is_begun : begins_with(column, continued)));
    }
    return all;
}

/// Returns the widths in type of size 1, from which every size follows.
std::vector<double> widths_of(const Panel& panel, const QString& family) {
    constexpr double measured_at = 64;
    const TextMeasure text(measured_at, Face::regular, family);
    std::vector<double> widths;
    for (Index column = 0; column < panel.columns; ++column)
        widths.push_back(std::max(least_width, text.width(written_token(panel, column)) / measured_at) +
                         2 * padding);
    return widths;
}

/// The line of each token.
std::vector<Index> lines_of(const std::vector<double>& widths, const std::vector<bool>& continued,
                            double room) {
    std::vector<Index> lines;
    Index line = 0;
    double x = 0;
    for (std::size_t token = 0; token < widths.size(); ++token) {
        x += x > 0 && !continued[token] ? between : 0;
        if (x > 0 && x + widths[token] > room) {
            ++line;
            x = 0;
        }
        lines.push_back(line);
        x += widths[token];
    }
    return lines;
}

WritingDirection direction_of(const Panel& panel) {
    std::vector<std::string> words;
    for (Index column = 0; column < panel.columns; ++column)
        words.push_back(written_token(panel, column).toStdString());
    return writing_direction(words);
}

/// Places of the tokens first to last, which are a line: widths and edges in units of the type, the line's
/// own beginning at 0 where it runs from the left, and its end there where it runs from the right.
void place_line(std::size_t first, std::size_t last, const std::vector<double>& widths,
                const std::vector<bool>& continued, const WritingDirection& direction,
                std::vector<double>& lefts) {
    const std::span levels = std::span(direction.levels).subspan(first, last - first);
    double x = 0;
    std::optional<std::size_t> before;
    for (const std::size_t place : order_from_left(levels)) {
        const std::size_t token = first + place;
        if (before) {
            const bool are_neighbours = std::max(*before, token) - std::min(*before, token) == 1;
            x += are_neighbours && continued[std::max(*before, token)] ? 0 : between;
        }
        lefts[token] = x;
        x += widths[token];
        before = token;
    }
    for (std::size_t token = first; direction.from_right && token < last; ++token)
        lefts[token] -= x;
}

}  // namespace

QString written_token(const Panel& panel, Index column) {
    QString text = label_text(panel.column_axis, column);
    for (const QString& mark : word_marks())
        if (text.size() > mark.size() && text.startsWith(mark)) {
            text.remove(0, mark.size());
            break;
        }
    return text;
}

TextFlow flow_text(const Panel& panel, const QRectF& area, const FigureStyle& style, double unit) {
    constexpr double largest = 1.7, step = 0.94;  // of the labels' size
    const std::vector<double> widths = widths_of(panel, style.family);
    const std::vector<bool> continued = goes_on(panel);
    const double least = type_size(style.least_label, unit);
    TextFlow flow;
    flow.size = type_size(largest * style.label, unit);
    std::vector<Index> lines = lines_of(widths, continued, area.width() / flow.size);
    const auto is_too_long = [&] {
        return !lines.empty() &&
               static_cast<double>(lines.back() + 1) * line_pitch * flow.size > area.height();
    };
    while (is_too_long() && flow.size > least) {
        flow.size = std::max(least, step * flow.size);
        lines = lines_of(widths, continued, area.width() / flow.size);
    }
    const double pitch = line_pitch * flow.size;
    const Index lines_a_page = std::max<Index>(1, static_cast<Index>(area.height() / pitch));
    flow.pages = lines.empty() ? 1 : static_cast<int>(lines.back() / lines_a_page) + 1;
    const Index selected = std::clamp<Index>(panel.selected_column.value_or(panel.selected_row.value_or(0)),
                                             0, std::max<Index>(1, panel.columns) - 1);
    const Index page = lines.empty() ? 0 : lines[static_cast<std::size_t>(selected)] / lines_a_page;
    flow.page = static_cast<int>(page) + 1;
    const WritingDirection direction = direction_of(panel);
    std::vector<double> lefts(lines.size());
    for (std::size_t first = 0, last = 0; first < lines.size(); first = last) {
        while (last < lines.size() && lines[last] == lines[first])
            ++last;
        place_line(first, last, widths, continued, direction, lefts);
    }
    const double edge = direction.from_right ? area.right() : area.left();
    for (std::size_t token = 0; token < lines.size(); ++token) {
        const Index line = lines[token] - page * lines_a_page;
        const QRectF place(edge + lefts[token] * flow.size, area.top() + static_cast<double>(line) * pitch,
                           widths[token] * flow.size, 0.8 * pitch);
        flow.tokens.push_back(line >= 0 && line < lines_a_page
                                  ? place & QRectF(area.left(), place.top(), area.width(), place.height())
                                  : QRectF());
        flow.directions.push_back(direction.levels[token] % 2 ? Qt::RightToLeft : Qt::LeftToRight);
    }
    return flow;
}

double text_height(const Panel& panel, double width, double size, const FigureStyle& style) {
    const std::vector<Index> lines = lines_of(widths_of(panel, style.family), goes_on(panel), width / size);
    return lines.empty() ? 0 : static_cast<double>(lines.back() + 1) * line_pitch * size;
}

double most_of_row(const Panel& panel, Index row) {
    double largest = 0;
    for (Index column = 0; column < panel.columns; ++column) {
        const double weight = panel.values[static_cast<std::size_t>(row * panel.columns + column)];
        largest = std::isfinite(weight) ? std::max(largest, weight) : largest;
    }
    return largest;
}

TextLegend text_legend(const Panel& panel, double width, const FigureStyle& style, double unit) {
    TextLegend legend;
    legend.size = type_size(style.caption, unit);
    const auto entry = [&](const QString& words, Index row) {
        const double* numbers = panel.values.data() + row * panel.columns;
        const bool is_there =
            !std::all_of(numbers, numbers + panel.columns, [](double weight) { return std::isnan(weight); });
        return is_there ? words.arg(fixed_text(most_of_row(panel, row), 2)) : QString();
    };
    legend.looks = entry(QStringLiteral("looks at, up to %1"), 0);
    legend.seen = entry(QStringLiteral("is looked at by, up to %1"), 1);
    const TextMeasure text(legend.size, Face::regular, style.family);
    constexpr double beside = 1.4 + 1.5 + 1.4;  // two samples of the colours, and the gap between
    const bool are_both = !legend.looks.isEmpty() && !legend.seen.isEmpty();
    legend.is_stacked =
        are_both && text.width(legend.looks) + text.width(legend.seen) + beside * legend.size > width;
    legend.height = (legend.is_stacked ? 3.5 : 2.2) * legend.size;
    return legend;
}

}  // namespace headlight
