#include "ui/render/export.h"

#include "core/figure/notes.h"
#include "core/io/files.h"
#include "core/io/named_widths.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"
#include "core/tensor/memory.h"
#include "core/tensor/words.h"
#include "ui/render/figure_in_width.h"
#include "ui/render/paint_context.h"
#include "ui/render/panel_shape.h"
#include "ui/render/side_file.h"
#include "ui/render/smallest_text.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

namespace {

constexpr double points_per_css_pixel = 72.0 / 96;

/// Returns the width that the options ask for, when one of their pixels is `points_per_pixel` large.
double width_in_points(const ExportOptions& options, double points_per_pixel) {
    return options.width_mm ? *options.width_mm * points_per_mm : *options.width_px * points_per_pixel;
}

QSizeF size_in_points(const Figure& figure, const ExportOptions& options, double points_per_pixel) {
    if (!options.width_mm && !options.width_px)
        return natural_size(figure);
    const double width = width_in_points(options, points_per_pixel);
    return {width, natural_height(figure, width)};
}

/// The figure as it is drawn in the width that the options ask for.
Figure drawn(const Figure& figure, const ExportOptions& options, double points_per_pixel) {
    if (!options.width_mm && !options.width_px)
        return figure;
    return drawn_in_width(figure, width_in_points(options, points_per_pixel));
}

std::string width_text(double number, const ExportOptions& options) {
    return QString::number(number, 'g', 6).toStdString() + (options.width_mm ? "mm" : "px");
}

/// A width that is enough, in the unit of the one that is not; empty where that is enough.
std::string missing_room(const Figure& figure, const ExportOptions& options, double points_per_pixel) {
    const bool in_mm = options.width_mm.has_value();
    if (!in_mm && !options.width_px)
        return {};
    const double width = width_in_points(options, points_per_pixel);
    if (figure_in_width(figure, width))
        return {};
    const double unit = in_mm ? points_per_mm : points_per_pixel;
    const double step = in_mm ? 1 : 10;
    double enough = std::ceil(width / unit / step) * step;
    const auto is_enough = [&] {
        return !figure.is_composed && enough * unit >= narrowest_certain_mm * points_per_mm;
    };
    const double most = in_mm ? largest_width_mm : largest_width_px;
    while (enough < most && !is_enough() && !figure_in_width(figure, enough * unit))
        enough += std::ceil(enough / (50 * step)) * step;  // a try of many panels takes its time
    std::string text = "at least ";
    text += width_text(std::min(enough, most), options);
    text += figure.is_composed ? " or fewer panels in a row" : "";
    text += ", so that its matrices and labels have room";
    return text;
}

double points_per_pixel_of(const Exporter& exporter, const ExportOptions& options) {
    return exporter.is_of_pixels ? 72 / options.dpi : points_per_css_pixel;
}

/// In pixels, of a figure that is drawn() in its width.
QSize drawn_size(const Figure& figure, const ExportOptions& options) {
    const double unit = options.dpi / 72;
    const QSizeF points = size_in_points(figure, options, 1 / unit);
    return {options.width_px ? *options.width_px : static_cast<int>(std::lround(points.width() * unit)),
            static_cast<int>(std::lround(points.height() * unit))};
}

/// Returns the size of what render_image() draws.
QSize picture_size(const Figure& figure, const ExportOptions& options) {
    return drawn_size(drawn(figure, options, 72 / options.dpi), options);
}

/// "150 million"
std::string millions(double count) { return std::to_string(std::lround(count / 1e6)) + " million"; }

}  // namespace

ExportOptions parse_width(const QString& text, ExportOptions options) {
    static const QRegularExpression pattern(QStringLiteral("^\\s*(\\d+(?:\\.\\d+)?)\\s*(mm|cm|in|px)\\s*$"));
    const auto match = pattern.match(text);
    const double number = match.captured(1).toDouble();
    const QString unit = match.captured(2);
    if (const NamedWidth* named = find_named_width(text.trimmed().toStdString())) {
        options.width_mm = named->mm;
        options.width_px.reset();
        return options;
    }
    const auto refuse = [&] {
        std::vector<std::string> names;
        for (const NamedWidth& each : named_widths())
            names.emplace_back(each.name);
        static const QRegularExpression digits(QStringLiteral("^\\d+(\\.\\d+)?$"));
        const double millimetres = text.toDouble();
        const bool lacks_unit = digits.match(text).hasMatch() && millimetres >= smallest_width_mm &&
                                millimetres <= largest_width_mm;
        const std::string typed = text.toStdString();
        // All names are too many to be read in a refusal.
        throw Error({"width of a figure", "",
                     "10mm to 2000mm, 50px to 20000px, as in 85mm, 8.5cm, 3.3in, 1200px, or a name that "
                     "headlight render --help lists",
                     lacks_unit ? '"' + excerpt(typed) + '"' + did_you_mean(typed + "mm")
                                : quoted_with_hint(typed, names)});
    };
    if (!match.hasMatch())
        refuse();
    if (unit == QLatin1String("px")) {
        if (number < smallest_width_px || number > largest_width_px)
            refuse();
        options.width_px = static_cast<int>(std::lround(number));
        options.width_mm.reset();
        return options;
    }
    const double mm = number * (unit == QLatin1String("mm") ? 1 : unit == QLatin1String("cm") ? 10 : 25.4);
    if (mm < smallest_width_mm || mm > largest_width_mm)
        refuse();
    options.width_mm = mm;
    options.width_px.reset();
    return options;
}

std::string missing_room(const Figure& figure, ExportFormat format, const ExportOptions& options) {
    const Exporter& wanted = exporter(format);
    return wanted.is_picture ? missing_room(figure, options, points_per_pixel_of(wanted, options))
                             : std::string();
}

namespace {

/// "Not every label has room: rows show one in 2"; empty where each is drawn.
std::string thinned_labels(const Figure& figure, const FigureLayout& layout) {
    int rows = 1, columns = 1;
    for (std::size_t at = 0; at < figure.panels.size(); ++at) {
        const PanelLayout& place = layout.panels[at];
        // Who counts features does not miss a number.
        if (place.row_labels && !figure.panels[at].row_axis.labels.empty())
            rows = std::max(rows, place.row_stride);
        if (place.column_labels && !figure.panels[at].column_axis.labels.empty())
            columns = std::max(columns, place.column_stride);
    }
    const auto one_in = [](int stride) { return "one in " + std::to_string(stride); };
    if (rows == 1 && columns == 1)
        return {};
    std::string shown;
    if (rows == columns)
        shown = "rows and columns show " + one_in(rows);
    else if (columns == 1)
        shown = "rows show " + one_in(rows);
    else if (rows == 1)
        shown = "columns show " + one_in(columns);
    else
        shown = "rows show " + one_in(rows) + ", columns " + one_in(columns);
    return "Not every label has room: " + shown;
}

}  // namespace

namespace {

/// "A text is parted: page 1 of 2 is drawn"; empty where each is drawn whole, as texts that stand alone are.
std::string parted_text(const FigureLayout& layout) {
    for (const PanelLayout& place : layout.panels)
        if (place.text_pages > 1)
            return "A text is parted: page " + std::to_string(place.text_page) + " of " +
                   std::to_string(place.text_pages) + " is drawn";
    return {};
}

/// "No room for the whole titles “Window”, “Scores”"; empty without texts.
std::string no_room(const std::string& what, const std::vector<std::string>& texts) {
    std::string said;
    for (const std::string& text : texts) {
        said += said.empty() ? "No room for " + what + (texts.size() == 1 ? " " : "s ") : ", ";
        said += '"' + text + '"';
    }
    return said;
}

/// "No room for the whole title “Window”"; empty where those of all panels that a person chose are whole.
std::string cut_titles(const Figure& figure, const FigureLayout& layout, double unit) {
    if (!figure.is_composed)
        return {};
    const FigureStyle style = figure_style(figure);
    const double scaled = unit * figure.length_scale;
    const TextMeasure over(type_size(style.panel_title, scaled), Face::bold, style.family);
    std::vector<std::string> titles;
    for (const TitleOver& each : layout.titles_over)
        if (over.width(QString::fromStdString(each.text)) > each.area.width())
            titles.push_back(each.text);
    for (std::size_t at = 0; figure.has_panel_titles && at < figure.panels.size(); ++at) {
        const Panel& panel = figure.panels[at];
        if (!panel.blank && !panel.thumbnail && !panel.lies_over &&
            is_cut(panel.title, layout.panels[at].title_lines))
            titles.push_back(panel.title);
    }
    return no_room("the whole title", titles);
}

/// "No room for the subtitle “softmax of each row”"; empty where each is drawn.
std::string left_out_subtitles(const Figure& figure, const FigureLayout& layout) {
    std::vector<std::string> subtitles;
    for (std::size_t at = 0; at < figure.panels.size(); ++at) {
        const Panel& panel = figure.panels[at];
        if (leaves_out_subtitle(panel, layout.panels[at]) &&
            std::ranges::find(subtitles, panel.subtitle) == subtitles.end())
            subtitles.push_back(panel.subtitle);
    }
    return no_room("the subtitle", subtitles);
}

}  // namespace

std::string given_way(const Figure& whole, const ExportOptions& options) {
    const double unit = options.dpi / 72;
    const Figure figure = drawn(whole, options, 1 / unit);
    const FigureLayout layout = layout_figure(figure, QRectF(QPointF(), drawn_size(figure, options)), unit);
    std::string text = thinned_labels(figure, layout);
    const auto add = [&](const std::string& sentence) {
        if (!sentence.empty())
            text += (text.empty() ? "" : ". ") + sentence;
    };
    add(left_out_subtitles(figure, layout));
    add(cut_titles(figure, layout, unit));
    add(parted_text(layout));
    if (figure.length_scale < 1)
        add("Everything is drawn at " + std::to_string(std::lround(100 * figure.length_scale)) +
            " % of its size, so that it has room");
    return text;
}

namespace {

/// A figure that is drawn() in its width, in so fine units.
FigureLayout fine_layout(const Figure& figure, const ExportOptions& options, double points_per_pixel) {
    const QRectF area(QPointF(), fine_units * size_in_points(figure, options, points_per_pixel));
    return layout_figure(figure, area, fine_units);
}

}  // namespace

std::string illegible_text(const Figure& whole, ExportFormat format, const ExportOptions& options) {
    const Exporter& wanted = exporter(format);
    if (!wanted.is_picture)
        return {};
    const double points_per_pixel = points_per_pixel_of(wanted, options);
    const Figure figure = drawn(whole, options, points_per_pixel);
    double smallest = smallest_shrunk_text(figure, fine_layout(figure, options, points_per_pixel), fine_units)
                          .value_or(std::numeric_limits<double>::infinity());
    if (figure.length_scale < 1)
        smallest = std::min(smallest, figure.length_scale * figure_style(figure).least_label);
    if (smallest >= legible_points)
        return {};
    return "The smallest text has " + QString::number(smallest, 'f', 1).toStdString() + " points";
}

std::string caption_of(const Figure& whole, ExportFormat format, const ExportOptions& options) {
    const Exporter& wanted = exporter(format);
    if (!wanted.is_picture)
        return without_unknown_words(whole.caption);
    const double points_per_pixel = points_per_pixel_of(wanted, options);
    const Figure figure = drawn(whole, options, points_per_pixel);
    return drawn_caption(figure, fine_layout(figure, options, points_per_pixel));
}

namespace {

/// The figure as a picture of its own, beside which nobody selects a panel.
Figure without_focus(Figure figure) {
    figure.shows_focus = false;
    return figure;
}

/// The picture of a figure that is drawn() in its width.
QImage image_of(const Figure& figure, const ExportOptions& options) {
    const double unit = options.dpi / 72;
    const QSize size = drawn_size(figure, options);
    const int width = size.width(), height = size.height();
    if (const double pixels = double(width) * height; pixels > most_export_pixels)
        throw Error({"draw an image", "", millions(most_export_pixels) + " pixels at most, or SVG or PDF",
                     std::to_string(width) + " × " + std::to_string(height) + ", " + millions(pixels)});
    require_memory("draw an image", "", 4.0 * width * height);
    QImage image(width, height,
                 figure.transparent ? QImage::Format_ARGB32_Premultiplied : QImage::Format_RGB32);
    if (image.isNull())
        throw Error({"draw an image", "", "a size that fits into memory",
                     std::to_string(width) + " x " + std::to_string(height) + " pixels"});
    image.setDotsPerMeterX(static_cast<int>(std::lround(options.dpi / 0.0254)));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    if (figure.transparent)
        image.fill(Qt::transparent);
    QPainter painter(&image);
    paint_figure(painter, figure, layout_figure(figure, QRectF(0, 0, width, height), unit), unit,
                 {.background = !figure.transparent});
    return image;
}

}  // namespace

QImage render_image(const Figure& figure, const ExportOptions& options) {
    return image_of(without_focus(drawn(figure, options, 72 / options.dpi)), options);
}

MovingPicture still_picture(const Figure& figure, const ExportOptions& options) {
    constexpr int milliseconds = 1000;
    return {1,
            [&figure, options](std::size_t) { return render_image(figure, options); },
            milliseconds,
            figure.title,
            figure.description,
            figure.session};
}

QByteArray export_figure(const Figure& figure, ExportFormat format, const ExportOptions& options) {
    return export_figure(figure, exporter(format), options);
}

QByteArray export_figure(const Figure& whole, const Exporter& wanted, const ExportOptions& options) {
    if (!wanted.is_picture)
        return wanted.write(whole, {}, options);
    const double points_per_pixel = points_per_pixel_of(wanted, options);
    if (const std::string missing = missing_room(whole, options, points_per_pixel); !missing.empty())
        throw Error({"width of a figure", "", missing,
                     width_text(options.width_mm ? *options.width_mm : *options.width_px, options)});
    Figure figure = without_focus(drawn(whole, options, points_per_pixel));
    figure.transparent &= !wanted.is_opaque;
    return wanted.write(figure, size_in_points(figure, options, points_per_pixel), options);
}

void export_moving(const Figure& carrier, const FilmStrip& film, const std::filesystem::path& path,
                   const ExportOptions& options, int milliseconds) {
    const Exporter& wanted = exporter(export_format(path));
    ExportOptions shared = options;
    if (!shared.width_mm && !shared.width_px) {
        double widest = 0;
        for (std::size_t i = 0; i < film.count; ++i)
            widest = std::max(widest, natural_size(film.figure(i)).width());
        shared.width_mm = widest / points_per_mm;
    }
    QSize largest;
    for (std::size_t i = 0; i < film.count; ++i) {
        Interruption::check();
        const Figure figure = film.figure(i);
        if (const std::string missing = missing_room(figure, wanted.format, shared); !missing.empty())
            throw Error({"width of a figure", "frame " + std::to_string(i + 1), missing,
                         width_text(shared.width_mm ? *shared.width_mm : *shared.width_px, shared)});
        largest = largest.expandedTo(picture_size(figure, shared));
    }
    const auto picture = [&](std::size_t number) {
        Interruption::check();
        const Figure figure = film.figure(number);
        QImage whole(largest, QImage::Format_RGB32);
        whole.fill(figure_style(figure.theme).background);
        QPainter(&whole).drawImage(0, 0, image_of(drawn(figure, shared, 72 / shared.dpi), shared));
        return whole;
    };
    const QByteArray bytes = wanted.write_moving(
        {film.count, picture, milliseconds, carrier.title, carrier.description, carrier.session});
    write_file_atomically(path, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

namespace {

void write_exported(const Figure& figure, const std::filesystem::path& path, const ExportOptions& options) {
    const QByteArray bytes = export_figure(figure, export_format(path), options);
    write_file_atomically(path, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

}  // namespace

void export_to_file(const Figure& figure, const std::filesystem::path& path, const ExportOptions& options) {
    write_exported(figure, path, options);
    write_side_file(figure.session, path);
}

void export_stripped(Figure figure, const std::filesystem::path& path, const ExportOptions& options) {
    if (!exporter(export_format(path)).needs_session)
        figure.session.clear();
    write_exported(figure, path, options);
    write_side_file({}, path);
}

}  // namespace headlight
