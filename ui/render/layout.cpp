#include "core/figure/notes.h"
#include "ui/render/label_plan.h"
#include "ui/render/motion_room.h"
#include "ui/render/panel_grid.h"
#include "ui/render/panel_shape.h"
#include "ui/render/strip.h"
#include "ui/render/typeface.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace headlight {

namespace {

/// Everything around the panels, from top to bottom: title, strip of thumbnails, panels, caption.
struct Frame {
    const Figure& figure;
    FigureStyle style;
    double unit;
    bool is_dense = false;  ///< what may stand beside other texts takes no line of its own

    /// Width of the title with what is between it and a subtitle behind it.
    double title_before_subtitle() const {
        const double size = type_size(style.title, unit);
        return TextMeasure(size, Face::bold, style.family).width(QString::fromStdString(figure.title)) +
               0.8 * size;
    }
    bool has_subtitle_beside(double width) const {
        const TextMeasure text(type_size(style.subtitle, unit), Face::regular, style.family);
        return is_dense && !figure.title.empty() && !figure.subtitle.empty() &&
               title_before_subtitle() + text.width(QString::fromStdString(figure.subtitle)) <= width;
    }
    double caption_size() const { return type_size(style.caption, unit); }
    double title_height(double width) const {
        if (figure.title.empty())
            return 0;
        const double size = type_size(style.title, unit);
        const TextMeasure text(size, Face::bold, style.family);
        return 0.5 * size + text.wrapped_height(QString::fromStdString(figure.title), width);
    }
    double subtitle_height(double width) const {
        if (figure.subtitle.empty() || has_subtitle_beside(width))
            return 0;
        const double size = type_size(style.subtitle, unit);
        const TextMeasure text(size, Face::regular, style.family);
        return 0.5 * size + text.wrapped_height(QString::fromStdString(figure.subtitle), width);
    }
    double heading_height(double width) const { return title_height(width) + subtitle_height(width); }
    double strip_height(double width) const { return headlight::strip_height(figure, width, style, unit); }
    /// Above a caption, in its size.
    double caption_gap() const { return is_dense ? 0.5 : 0.9; }
    double caption_height(double width) const {
        if (figure.caption.empty() || !figure.has_caption)
            return 0;
        const TextMeasure text(caption_size(), Face::regular, style.family);
        return caption_gap() * style.caption * unit +
               text.wrapped_height(QString::fromStdString(figure.caption), width);
    }
    /// The same for every moment of a motion, so that nothing jumps.
    double motion_height() const {
        if (!figure.motion)
            return 0;
        const TextMeasure text(caption_size(), Face::regular, style.family);
        return caption_gap() * style.caption * unit + most_motion_lines * text.line();
    }
    double height_without_panels(double width) const {
        return heading_height(width) + strip_height(width) + caption_height(width) + motion_height() +
               2 * style.margin * unit;
    }
};

/// How titles and flows of panels are drawn; nothing where the room alone decides it. Type is rounded to
/// whole units of a device, and titles would break elsewhere in another format, flows at another resolution:
/// units in which that does not show decide.
std::optional<DecidedGrid> decided_everywhere(const Frame& frame, const QRectF& area) {
    const Figure& figure = frame.figure;
    const double unit = fine_units * figure.length_scale;
    const auto is_decided = [](const Panel& panel) {
        return has_labels(panel) || is_lines(panel) || !panel.title.empty() || !panel.subtitle.empty() ||
               panel.kind == Panel::Kind::flow;
    };
    // A window is one device, and draws for each step of a pointer.
    if (figure.uses_height || frame.unit == unit || std::ranges::none_of(figure.panels, is_decided))
        return std::nullopt;
    const Frame fine{figure, frame.style, unit};
    const QSizeF size = unit / frame.unit * area.size();
    const double inner = size.width() - 2 * fine.style.margin * unit;
    PanelGrid grid(figure, fine.style, unit);
    grid.fit(inner, std::max(0.0, size.height() - fine.height_without_panels(inner)));
    return grid.decided();
}

FigureLayout place(const Frame& frame, const QRectF& area) {
    const double margin = frame.style.margin * frame.unit;
    const double above = frame.is_dense ? 0.5 * margin : margin;
    const double motion = frame.motion_height();
    const QRectF inner = area.adjusted(margin, above, -margin, -above - motion);
    const double title = frame.title_height(inner.width()), subtitle = frame.subtitle_height(inner.width()),
                 heading = title + subtitle, strip = frame.strip_height(inner.width()),
                 caption = frame.caption_height(inner.width());
    PanelGrid grid(frame.figure, frame.style, frame.unit, frame.is_dense);
    grid.fit(inner.width(), std::max(0.0, inner.height() - heading - strip - caption),
             decided_everywhere(frame, area));

    FigureLayout layout;
    layout.area = area;
    layout.panels.resize(frame.figure.panels.size());
    const double spare = std::max(0.0, inner.height() - heading - strip - caption - grid.height());
    double y = inner.top() + 0.4 * spare;
    const double left = inner.left() + 0.5 * std::max(0.0, inner.width() - grid.width());
    const double text_left =
        strip > 0 ? std::min(left, strip_left(frame.figure, inner, frame.style, frame.unit)) : left;
    // Text begins where the panels begin, unless that would cost it a line.
    const double beside = inner.right() - text_left;
    const double title_left = frame.heading_height(beside) <= heading ? text_left : inner.left();
    const double caption_left = frame.caption_height(beside) <= caption ? text_left : inner.left();
    if (motion > 0) {
        // Where the caption begins, unless that would cost its lines much of their width.
        constexpr double little = 0.08;
        const double words_left =
            caption_left - inner.left() <= little * inner.width() ? caption_left : inner.left();
        const double gap = frame.caption_gap() * frame.caption_size();
        layout.motion = QRectF(words_left, inner.bottom() + gap, inner.right() - words_left, motion - gap);
    }
    layout.title = QRectF(title_left, y, inner.right() - title_left, title);
    y += title;
    layout.subtitle = QRectF(title_left, y, inner.right() - title_left, subtitle);
    if (frame.has_subtitle_beside(inner.right() - title_left)) {
        const TextMeasure large(type_size(frame.style.title, frame.unit), Face::bold, frame.style.family),
            small(type_size(frame.style.subtitle, frame.unit), Face::regular, frame.style.family);
        const QPointF start(title_left + frame.title_before_subtitle(),
                            layout.title.top() + large.ascent() - small.ascent());
        layout.title.setRight(start.x());
        layout.subtitle = QRectF(start, QPointF(inner.right() + 1, start.y() + small.line()));
    }
    y += subtitle;
    place_strip(frame.figure, QRectF(inner.left(), y, inner.width(), strip), frame.style, frame.unit, layout);
    y += strip;
    grid.place(QPointF(left, y), layout);
    for (std::size_t at = 1; at < layout.panels.size(); ++at)
        if (frame.figure.panels[at].lies_over)
            layout.panels[at] = layout.panels[at - 1];
    y += grid.height();
    if (caption > 0)
        layout.caption =
            QRectF(caption_left, y + frame.caption_gap() * frame.caption_size(), inner.right() - caption_left,
                   caption - frame.caption_gap() * frame.caption_size());
    return layout;
}

bool has_marked_label(const AxisLabels& axis, Index extent, int stride, std::optional<Index> apart,
                      std::span<const std::optional<Index>> always) {
    for (Index at = 0; at < extent; ++at)
        if (is_marked(axis, at) && !is_hidden(axis, at) &&
            label_shows(axis, at, extent, stride, always, apart))
            return true;
    return false;
}

/// Whether the label of some word that the word vectors do not know is drawn. Lines and texts choose theirs
/// while they are painted: of these any may be.
bool has_marked_label(const Figure& figure, const Panel& panel, const PanelLayout& place) {
    if (panel.thumbnail || panel.blank)
        return false;
    const bool has_rows = !place.rows_by_place && (place.row_labels || panel.kind != Panel::Kind::heatmap),
               has_columns =
                   !place.columns_by_place && (place.column_labels || panel.kind != Panel::Kind::heatmap);
    const bool is_plain = panel.kind == Panel::Kind::heatmap;
    const auto has = [&](const AxisLabels& axis, Index extent, int stride, std::optional<Index> apart,
                         std::span<const std::optional<Index>> always) {
        return has_marked_label(axis, extent, is_plain ? stride : 1, is_plain ? apart : std::nullopt, always);
    };
    const std::optional<Index> column[] = {panel.selected_column};
    return (has_rows &&
            has(panel.row_axis, panel.rows, place.row_stride, place.row_apart, named_rows(figure, panel))) ||
           (has_columns &&
            has(panel.column_axis, panel.columns, place.column_stride, place.column_apart, column));
}

/// How far the matrices of a screen's row are from naming each row and column: 0 where they do, or where the
/// words are too many for that.
int missing_words(const Figure& figure, const FigureLayout& layout) {
    constexpr Index most_words = 20;
    int missing = 0;
    const auto count = [&missing](bool is_drawn, const AxisLabels& axis, Index extent, int stride) {
        missing += is_drawn && !axis.labels.empty() && extent <= most_words ? stride - 1 : 0;
    };
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const Panel& panel = figure.panels[i];
        const PanelLayout& place = layout.panels[i];
        if (panel.thumbnail || panel.blank || panel.kind != Panel::Kind::heatmap)
            continue;
        count(place.row_labels, panel.row_axis, panel.rows, place.row_stride);
        count(place.column_labels, panel.column_axis, panel.columns, place.column_stride);
    }
    return missing;
}

}  // namespace

FigureLayout layout_figure(const Figure& figure, const QRectF& area, double unit) {
    Frame frame{figure, figure_style(figure), unit * figure.length_scale};
    FigureLayout layout = place(frame, area);
    if (const int missing = figure.uses_height ? missing_words(figure, layout) : 0; missing > 0) {
        // Texts are closer to each other where that names more of the words.
        frame.is_dense = true;
        if (FigureLayout dense = place(frame, area); missing_words(figure, dense) < missing)
            layout = std::move(dense);
    }
    layout.has_marked_labels = false;
    for (std::size_t at = 0; at < figure.panels.size() && !layout.has_marked_labels; ++at)
        layout.has_marked_labels = has_marked_label(figure, figure.panels[at], layout.panels[at]);
    return layout;
}

std::string drawn_caption(const Figure& figure, const FigureLayout& layout) {
    return layout.has_marked_labels ? figure.caption : without_unknown_words(figure.caption);
}

QRectF area_of_cells(const Panel& panel, const QRectF& cells, Index row, Index column, Index rows,
                     Index columns) {
    const double width = cells.width() / static_cast<double>(panel.columns),
                 height = cells.height() / static_cast<double>(panel.rows);
    return {cells.left() + width * static_cast<double>(column),
            cells.top() + height * static_cast<double>(row), width * static_cast<double>(columns),
            height * static_cast<double>(rows)};
}

// A picture is as high as its texts are long: pages are for a window, which has no more room.
constexpr double endless = std::numeric_limits<double>::infinity();

QSizeF natural_size(const Figure& figure) {
    const double unit = fine_units * figure.length_scale;
    const Frame frame{figure, figure_style(figure), unit};
    const double margin = 2 * frame.style.margin * unit;
    PanelGrid grid(figure, frame.style, unit);
    grid.take_natural_size();
    grid.give_texts_room(endless);
    grid.fit_texts();
    const double width = std::max(grid.width(), strip_width(figure, frame.style) * unit) + margin;
    return QSizeF(width, grid.height() + frame.height_without_panels(width - margin)) / fine_units;
}

namespace {

/// Whether lines of a text have no room in a picture of that size, in points, whatever its unit.
bool is_parted(const Figure& figure, const QSizeF& size) {
    const auto is_text = [](const Panel& panel) { return panel.kind == Panel::Kind::text; };
    if (std::ranges::none_of(figure.panels, is_text))
        return false;
    return std::ranges::any_of(std::array{1.0, fine_units}, [&](double unit) {
        const FigureLayout layout = layout_figure(figure, QRectF(QPointF(), unit * size), unit);
        return std::ranges::any_of(layout.panels,
                                   [](const PanelLayout& each) { return each.text_pages > 1; });
    });
}

/// The height in points that it needs where there are so many units to a point.
double height_in_units(const Figure& figure, double width, double units) {
    const double unit = units * figure.length_scale;
    const Frame frame{figure, figure_style(figure), unit};
    const double inner = width * units - 2 * frame.style.margin * unit;
    PanelGrid grid(figure, frame.style, unit);
    grid.fit_width(inner);
    grid.give_texts_room(endless);
    grid.fit_texts();
    return (grid.height() + frame.height_without_panels(inner)) / units;
}

}  // namespace

double natural_height(const Figure& figure, double width) {
    double height = height_in_units(figure, width, fine_units);
    // Narrow ones are mostly type, whose rounding to whole units would take the room of small pictures.
    constexpr double narrow = 170;  // points, 60 mm
    if (width < narrow)
        height = std::max(height, height_in_units(figure, width, 1));
    // In the height that there is titles may break otherwise than they were counted, and leave a text less
    // room.
    constexpr double more = 1.04;
    constexpr int most_tries = 12;
    for (int tried = 0; tried < most_tries && is_parted(figure, {width, height}); ++tried)
        height *= more;
    return height;
}

}  // namespace headlight
