#include "ui/views/chart_plot.h"

#include "core/io/files.h"
#include "core/tensor/error.h"
#include "ui/render/typeface.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QMouseEvent>
#include <QPainter>
#include <QSvgGenerator>

#include <algorithm>

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
    const char* ending;
    QByteArray (*write)(const Chart& chart, const ChartLook& look);
};
constexpr ChartFormat formats[] = {{"png", as_png}, {"svg", as_svg}};

/// Every ending with `before` before it and `between` between two of them.
QString formats_in_words(const QString& before, const QString& between) {
    QStringList words;
    for (const ChartFormat& format : formats)
        words << before + QLatin1String(format.ending);
    return words.join(between);
}

}  // namespace

QString ChartPlot::name_patterns() { return formats_in_words(QStringLiteral("*."), QStringLiteral(" ")); }

ChartPlot::ChartPlot(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void ChartPlot::set_chart(Chart chart) {
    chart_ = std::move(chart);
    setAccessibleDescription(description_of(chart_));
    update();
}

void ChartPlot::save(const QString& path) const {
    QFont font(figure_font(picture_points, Face::regular).family());
    font.setPixelSize(static_cast<int>(picture_points * 96 / 72));
    const ChartLook look = chart_look_for_paper(font);
    const QString ending = QFileInfo(path).suffix().toLower();
    const auto* const format = std::ranges::find_if(
        formats, [&](const ChartFormat& each) { return ending == QLatin1String(each.ending); });
    if (format == std::end(formats))
        throw Error({"save the chart", path.toStdString(),
                     "a name that ends in " +
                         formats_in_words(QStringLiteral("."), QStringLiteral(" or ")).toStdString(),
                     ending.isEmpty() ? "one without an ending" : "." + ending.toStdString()});
    write_file_atomically(path.toStdString(), format->write(chart_, look).toStdString());
}

QSize ChartPlot::sizeHint() const { return {640, 360}; }

QSize ChartPlot::minimumSizeHint() const { return {320, 200}; }

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
}

}  // namespace headlight
