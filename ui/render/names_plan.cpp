#include "ui/render/names_plan.h"

#include "ui/render/figure_style.h"
#include "ui/render/typeface.h"

#include <algorithm>
#include <numeric>

namespace headlight {
namespace {

constexpr double pitch_of_lines = 1.26;  // ems
constexpr double around_a_row = 0.9, head_of_table = 2.1, beside_a_name = 1.1;

/// Ems that a line of a name stands further right: where the next name begins is seen without a gap.
double indent_of_line(std::size_t line) { return line > 0 ? 0.8 : 0; }

}  // namespace

double NamesPlan::sum(const std::vector<double>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

double NamesPlan::header_height() const { return head_of_table * size_; }
double NamesPlan::pitch() const { return pitch_of_lines * size_; }

NamesPlan::NamesPlan(const NameTable& table, double size, const QString& family) : size_(size) {
    const TextMeasure bold(size, Face::bold, family), regular(size, Face::regular, family);
    const double gap = beside_a_name * size;
    for (const std::string& title : table.row_titles)
        title_width_ = std::max(title_width_, bold.width(QString::fromStdString(title)) + gap);
    for (const std::string& title : table.column_titles)
        column_widths_.push_back(bold.width(QString::fromStdString(title)) + gap);
    for (const NameTable::Name& name : table.names)
        for (std::size_t line = 0; line < name.lines.size(); ++line) {
            double& width = column_widths_[static_cast<std::size_t>(name.column)];
            width = std::max(width, indent_of_line(line) * size +
                                        regular.width(QString::fromStdString(name.lines[line])) + gap);
        }
    for (const Index lines : table.lines)
        row_heights_.push_back(static_cast<double>(std::max<Index>(1, lines)) * pitch() +
                               around_a_row * size);
}

double NamesPlan::between_columns(const QRectF& area) const {
    return std::max(0.0, area.width() - width()) /
           static_cast<double>(std::max<std::size_t>(1, column_widths_.size()));
}

double NamesPlan::between_rows(const QRectF& area) const {
    const double spare = std::max(0.0, area.height() - height()) /
                         static_cast<double>(std::max<std::size_t>(1, row_heights_.size()));
    return std::min(spare, size_);  // families further apart than that are no table
}

double NamesPlan::left_of_column(Index column, const QRectF& area) const {
    double left = area.left() + title_width_;
    for (Index before = 0; before < column; ++before)
        left += column_widths_[static_cast<std::size_t>(before)] + between_columns(area);
    return left;
}

double NamesPlan::top_of_row(Index row, const QRectF& area) const {
    double top = area.top() + header_height();
    for (Index before = 0; before < row; ++before)
        top += row_heights_[static_cast<std::size_t>(before)] + between_rows(area);
    return top;
}

QRectF NamesPlan::row_title(Index row, const QRectF& area) const {
    return {area.left(), top_of_row(row, area) + 0.5 * around_a_row * size_, title_width_, pitch()};
}

QRectF NamesPlan::column_title(Index column, const QRectF& area) const {
    return {left_of_column(column, area), area.top(), column_widths_[static_cast<std::size_t>(column)],
            header_height()};
}

QRectF NamesPlan::line(const NameTable::Name& name, std::size_t line, const QRectF& area) const {
    const double lines = static_cast<double>(name.first_line) + static_cast<double>(line);
    const double indent = indent_of_line(line) * size_;
    return {left_of_column(name.column, area) + indent,
            top_of_row(name.row, area) + 0.5 * around_a_row * size_ + lines * pitch(),
            column_widths_[static_cast<std::size_t>(name.column)] - indent, pitch()};
}

NamesPlan names_in_room(const NameTable& table, const QSizeF& room, const FigureStyle& style, double unit) {
    constexpr double step = 0.98;
    const double most = type_size(style.label, unit);
    NamesPlan plan(table, most, style.family);
    const double share = std::min(room.width() / plan.width(), room.height() / plan.height());
    if (share >= 1)
        return plan;
    // What rounding type to whole units leaves of it.
    constexpr double rounding = 1.1;
    double size = std::min(most, rounding * share * most);
    do
        plan = NamesPlan(table, std::max(1.0, size), style.family);
    while (!plan.fits(room) && (size *= step) >= 1);
    return plan;
}

double names_height(const NameTable& table) {
    double lines = head_of_table;
    for (const Index each : table.lines)
        lines += pitch_of_lines * static_cast<double>(std::max<Index>(1, each)) + around_a_row;
    return lines;
}

double names_shape(const NameTable& table) {
    constexpr double letter = 0.55, digit_of_title = 0.65;  // ems, about
    const auto width_of = [](const std::string& text, double each) {
        const auto letters = std::ranges::count_if(
            text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
        return each * static_cast<double>(letters) + beside_a_name;
    };
    double titles = 0;
    for (const std::string& title : table.row_titles)
        titles = std::max(titles, width_of(title, letter));
    std::vector<double> columns;
    for (const std::string& title : table.column_titles)
        columns.push_back(width_of(title, digit_of_title));
    for (const NameTable::Name& name : table.names)
        for (std::size_t line = 0; line < name.lines.size(); ++line) {
            double& width = columns[static_cast<std::size_t>(name.column)];
            width = std::max(width, indent_of_line(line) + width_of(name.lines[line], letter));
        }
    return std::accumulate(columns.begin(), columns.end(), titles) / names_height(table);
}

}  // namespace headlight
