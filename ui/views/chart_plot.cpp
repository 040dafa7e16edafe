#include "ui/views/chart_plot.h"

#include "core/io/files.h"
#include "core/tensor/error.h"
#include "ui/render/typeface.h"
#include "ui/views/canvas_marks.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr QSize picture_size(960, 600);
constexpr double picture_points = 9;

QByteArray as_png(const Chart& chart, const ChartLook& look) {
    constexpr int sharpness = 2;
    QImage image(picture_size * sharpness, QImage::Format_RGB32);
    image.setDevicePixelRatio(sharpness);
    QPainter painter(&image);
    paint_chart(painter, QRectF(QPointF(), picture_size), chart, look);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray as_svg(const Chart& chart, const ChartLook& look) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(picture_size);
    generator.setViewBox(QRect(QPoint(), picture_size));
    generator.setResolution(96);
    generator.setTitle(chart.title);
    generator.setDescription(description_of(chart));
    QPainter painter(&generator);
    paint_chart(painter, QRectF(QPointF(), picture_size), chart, look);
    painter.end();
    return bytes;
}

struct ChartFormat {
    const char* extension;
    QByteArray (*write)(const Chart& chart, const ChartLook& look);
};
constexpr ChartFormat formats[] = {{"png", as_png}, {"svg", as_svg}};

}  // namespace

QStringList ChartPlot::extensions() {
    QStringList list;
    for (const ChartFormat& format : formats)
        list << QLatin1String(format.extension);
    return list;
}

ChartPlot::ChartPlot(QWidget* parent) : QWidget(parent) {
    make_canvases_accessible();
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void ChartPlot::set_chart(Chart chart) {
    const QString before = description_of(chart_);
    chart_ = std::move(chart);
    if (description_of(chart_) != before)
        announce_figure(*this);
    update();
}

// What the keys and a screen reader do

QString ChartPlot::accessible_description() const {
    return chart_.lines.empty() ? QStringLiteral("%1. %2").arg(chart_.title, chart_.notice)
                                : description_of(chart_);
}

std::optional<AccessibleTable> ChartPlot::table(Index panel) const {
    return panel < table_count() ? std::optional(AccessibleTable{AccessibleTable::Kind::list,
                                                                 std::ssize(line(panel).points), 1})
                                 : std::nullopt;
}

QString ChartPlot::table_name(Index panel) const {
    return line(panel).name.isEmpty() ? chart_.title : line(panel).name;
}

QString ChartPlot::table_description(Index panel) const { return line(panel).note; }

std::optional<double> ChartPlot::current_number() const {
    const auto cell = current_cell();
    return cell ? std::optional(point(*cell).y()) : std::nullopt;
}

std::optional<AccessiblePicture::Cell> ChartPlot::current_cell() const {
    // The next chart may have fewer lines, or shorter ones.
    if (chart_.lines.empty())
        return std::nullopt;
    Cell cell = at_;
    cell.panel = std::min(cell.panel, table_count() - 1);
    cell.row = std::min(cell.row, std::ssize(line(cell.panel).points) - 1);
    return cell.row >= 0 ? std::optional(cell) : std::nullopt;
}

QString ChartPlot::sentence_of(const Cell& cell) const {
    return point_in_words(chart_, line(cell.panel), point(cell));
}

QRectF ChartPlot::area_of(const Cell& cell) const {
    constexpr double around = 6;
    const QPointF centre = place_in_plot(plot_area(QRectF(rect()), chart_, font()), chart_, point(cell));
    return {centre - QPointF(around, around), QSizeF(2 * around, 2 * around)};
}

QRectF ChartPlot::panel_area(Index) const { return plot_area(QRectF(rect()), chart_, font()); }

void ChartPlot::choose_cell(const Cell& cell) {
    at_ = cell;
    announce_cell(*this);
    update();
}

std::optional<AccessiblePicture::Cell> ChartPlot::nearest(Index other, double x) const {
    if (other < 0 || other >= table_count() || line(other).points.empty())
        return std::nullopt;
    const std::vector<QPointF>& points = line(other).points;
    const auto found =
        std::ranges::min_element(points, {}, [x](const QPointF& each) { return std::abs(each.x() - x); });
    return Cell{other, found - points.begin(), 0};
}

std::optional<AccessiblePicture::Cell> ChartPlot::walked_to(int key, const Cell& from) const {
    const Index last = std::ssize(line(from.panel).points) - 1;
    switch (key) {
    case Qt::Key_Left:
        return Cell{from.panel, std::max<Index>(from.row - 1, 0), 0};
    case Qt::Key_Right:
        return Cell{from.panel, std::min(from.row + 1, last), 0};
    case Qt::Key_Home:
        return Cell{from.panel, 0, 0};
    case Qt::Key_End:
        return Cell{from.panel, last, 0};
    case Qt::Key_Up:
        return nearest(from.panel - 1, point(from).x()).value_or(from);
    case Qt::Key_Down:
        return nearest(from.panel + 1, point(from).x()).value_or(from);
    default:
        return std::nullopt;
    }
}

void ChartPlot::keyPressEvent(QKeyEvent* event) {
    const auto here = current_cell();
    if (!here || event->modifiers().testAnyFlags(Qt::AltModifier | Qt::ControlModifier))
        return QWidget::keyPressEvent(event);
    if (chart_.cursor && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
        return emit cursor_asked(point(*here).x());
    const auto next = walked_to(event->key(), *here);
    if (!next)
        return QWidget::keyPressEvent(event);
    choose_cell(*next);
}

void ChartPlot::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    announce_cell(*this);
    update();
}

void ChartPlot::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

void ChartPlot::save(const Chart& chart, const QString& path) {
    QFont font(figure_font(picture_points, Face::regular).family());
    font.setPixelSize(static_cast<int>(picture_points * 96 / 72));
    const ChartLook look = chart_look_for_paper(font);
    const QString extension = QFileInfo(path).suffix().toLower();
    const auto* const format = std::ranges::find_if(
        formats, [&](const ChartFormat& each) { return extension == QLatin1String(each.extension); });
    if (format == std::end(formats))
        throw Error({"save the chart", path.toStdString(),
                     "a name that ends in ." + extensions().join(QStringLiteral(" or .")).toStdString(),
                     extension.isEmpty() ? "one without an ending" : "." + extension.toStdString()});
    write_file_atomically(path.toStdString(), format->write(chart, look).toStdString());
}

QSize ChartPlot::sizeHint() const { return {640, 360}; }

// Two of them stand beside a form on a projector of 1024 x 768.
QSize ChartPlot::minimumSizeHint() const { return {280, 200}; }

void ChartPlot::mousePressEvent(QMouseEvent* event) { ask_cursor(*event); }

void ChartPlot::mouseMoveEvent(QMouseEvent* event) { ask_cursor(*event); }

void ChartPlot::ask_cursor(const QMouseEvent& event) {
    if (!chart_.cursor || !(event.buttons() & Qt::LeftButton))
        return;
    const QRectF plot = plot_area(QRectF(rect()), chart_, font());
    emit cursor_asked(
        chart_.x.value(std::clamp((event.position().x() - plot.left()) / plot.width(), 0.0, 1.0)));
}

void ChartPlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paint_chart(painter, QRectF(rect()), chart_, chart_look(palette(), font()));
    if (!hasFocus())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF ring = current_cell() ? current_rect() : QRectF(rect()).adjusted(2, 2, -2, -2);
    paint_ring(painter, ring, palette());
    if (current_cell())
        paint_block_words(painter, QRectF(rect()), ring, palette(), {current_sentence()});
}

}  // namespace headlight
