#include "ui/render/head_lines.h"

#include "ui/render/typeface.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

namespace {

// Colours of which no two are alike for people of usual colour vision or without one kind of cones, and the
// first few are furthest apart: found by a search for the largest of the least distances in OKLab and by
// CIEDE2000, with a contrast of 3 to 1 against the background. A chart's colours have markers beside them and
// may be closer.
constexpr std::array<const char*, head_colours> heads_on_light{"#0072b2", "#d55e00", "#1c2128", "#2800d3",
                                                               "#973161", "#1a4809", "#24a77a"};
constexpr std::array<const char*, head_colours> heads_on_dark{"#56b4e9", "#f08a4b", "#8540de", "#c32f25",
                                                              "#e6e8ec", "#1d8474", "#97ff93"};

constexpr double bend = 0.4;  // how far a line leaves its tokens level, in widths of the place

/// How far along a line is that share of the width: all lines have the same.
double time_at(double share) {
    double low = 0, high = 1;
    for (int round = 0; round < 40; ++round) {
        const double t = 0.5 * (low + high), rest = 1 - t;
        const double reached = 3 * rest * rest * t * bend + 3 * rest * t * t * (1 - bend) + t * t * t;
        (reached < share ? low : high) = t;
    }
    return low;
}

}  // namespace

std::span<const Panel> panels_in_place(const Figure& figure, const Panel& first) {
    const Panel* const end = figure.panels.data() + figure.panels.size();
    const Panel* last = &first + 1;
    while (last != end && last->lies_over)
        ++last;
    return {&first, last};
}

std::vector<HeadLook> head_looks(std::size_t heads, const QColor& background) {
    const auto& colours = background.lightness() < 128 ? heads_on_dark : heads_on_light;
    std::vector<HeadLook> looks;
    for (std::size_t head = 0; head < heads; ++head)
        looks.push_back({QColor(colours[head % head_colours]), head / head_colours % dash_kinds});
    return looks;
}

QPen line_pen(const HeadLook& look, double width, double least_dash) {
    // In widths of the line; the longest fits into a swatch.
    static const std::array<QList<qreal>, dash_kinds> patterns{
        QList<qreal>(), {2, 1}, {3, 1, 1, 1}, {3, 1, 1, 1, 1, 1}, {6, 2}};
    QPen pen(look.colour, width, Qt::SolidLine, Qt::FlatCap);
    QList<qreal> pattern = patterns[look.dashes];
    if (look.is_below_zero)
        pattern = {1, 2 + 2 * static_cast<qreal>(look.dashes)};
    if (pattern.isEmpty())
        return pen;
    for (qreal& part : pattern)
        part *= std::max(1.0, least_dash / width);
    pen.setDashPattern(pattern);
    return pen;
}

std::vector<HeadLine> lines_in_place(std::span<const Panel> heads) {
    std::vector<HeadLine> lines;
    for (std::size_t head = 0; head < heads.size(); ++head)
        for (const DrawnLine& line : select_lines(heads[head]).lines)
            lines.push_back({head, line});
    std::ranges::stable_sort(lines, {}, [](const HeadLine& line) { return line.cell.strength; });
    return lines;
}

double token_height(const QRectF& cells, Index at, Index count) {
    return cells.top() + cells.height() * (static_cast<double>(at) + 0.5) / static_cast<double>(count);
}

double LinePlaces::height_of(const HeadLine& line, Index at, Index count) const {
    const double pitch = place_.cells.height() / static_cast<double>(count);
    const double part =
        (static_cast<double>(line.head) + 0.5) / static_cast<double>(heads_.size()) - 0.5;  // 0 of one head
    return token_height(place_.cells, at, count) + part * std::min(place_.label_size, 0.7 * pitch);
}

QPointF LinePlaces::from(const HeadLine& line) const {
    return {place_.cells.left(), height_of(line, line.cell.row, heads_[line.head].rows)};
}

QPointF LinePlaces::to(const HeadLine& line) const {
    return {place_.cells.right(), height_of(line, line.cell.column, heads_[line.head].columns)};
}

QPainterPath LinePlaces::path(const HeadLine& line) const {
    const QPointF begin = from(line), end = to(line), level(bend * place_.cells.width(), 0);
    QPainterPath path(begin);
    path.cubicTo(begin + level, end - level, end);
    return path;
}

std::optional<HeadLine> LinePlaces::nearest(QPointF point) const {
    constexpr Index most_cells = 250'000;  // of which lines can be found as often as a pointer moves
    constexpr double near = 5;             // pixels, or points
    const QRectF& cells = place_.cells;
    if (heads_.front().rows * heads_.front().columns > most_cells)
        return std::nullopt;
    const double t = time_at((point.x() - cells.left()) / cells.width()), rest = 1 - t;
    const double fallen = t * t * (3 - 2 * t);
    const double across = cells.width() * 3 * (bend * (rest * rest + t * t) + 2 * (1 - 2 * bend) * rest * t);
    std::optional<HeadLine> found;
    double least = near;
    for (const HeadLine& line : lines_in_place(heads_)) {
        const double top = from(line).y(), fall = to(line).y() - top;
        const double down = 6 * fall * rest * t;
        const double distance = std::abs(point.y() - top - fall * fallen) * across / std::hypot(across, down);
        if (distance <= least) {
            least = distance;
            found = line;
        }
    }
    return found;
}

HeadLegend::HeadLegend(std::span<const Panel> heads, double width, const FigureStyle& style, double unit)
    : size_(type_size(style.subtitle, unit)) {
    if (heads.size() < 2)
        return;
    const TextMeasure text(size_, Face::regular, style.family);
    const double swatch = (heads.size() > head_colours ? 2.4 : 1.6) * size_, gap = 0.4 * size_,
                 between = 1.2 * size_, pitch = 1.4 * size_;
    double x = 0, y = 0;
    for (const Panel& head : heads) {
        const QString name = QStringLiteral("head %1").arg(head.head + 1);
        const double needed = swatch + gap + text.width(name);
        if (x > 0 && x + needed > 1.001 * width) {
            x = 0;
            y += pitch;
        }
        const double middle = y + 0.5 * pitch;
        entries_.push_back({QRectF(x, middle - 0.15 * size_, swatch, 0.3 * size_),
                            QPointF(x + swatch + gap, middle + text.middle_to_baseline()), name});
        x += needed + between;
    }
    height_ = y + 1.5 * pitch;
}

}  // namespace headlight
