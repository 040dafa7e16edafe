#include "ui/render/drawn_items.h"

#include "core/figure/cell_codes.h"
#include "core/figure/theme_table.h"
#include "ui/render/crisp_image.h"
#include "ui/render/export_formats.h"
#include "ui/render/paint_context.h"

#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPaintEngine>

#include <cmath>
#include <limits>
#include <numbers>

namespace headlight {
namespace {

/// Fine enough for type, whose size is a whole number.
constexpr double units_per_point = svg_unit;

/// What is translucent in front of white, as it is seen; what has a palette as it is.
QImage opaque_image(const QImage& image) {
    if (!image.hasAlphaChannel())
        return image;
    QImage opaque(image.size(), QImage::Format_RGB32);
    opaque.fill(Qt::white);
    QPainter painter(&opaque);
    painter.drawImage(0, 0, image);
    return opaque;
}

class RecordingEngine : public QPaintEngine {
public:
    RecordingEngine() : QPaintEngine(QPaintEngine::AllFeatures) {}

    std::vector<DrawnItem> items;

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }
    void updateState(const QPaintEngineState&) override {}  // the painter has it when something is drawn

    using QPaintEngine::drawPolygon;
    void drawPath(const QPainterPath& path) override { add(path, true); }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
        QPainterPath path(points[0]);
        for (int i = 1; i < count; ++i)
            path.lineTo(points[i]);
        if (mode != PolylineMode)
            path.closeSubpath();
        add(path, mode != PolylineMode);
    }
    void drawPixmap(const QRectF& area, const QPixmap& pixmap, const QRectF& part) override {
        drawImage(area, pixmap.toImage(), part, Qt::AutoColor);
    }
    void drawImage(const QRectF& area, const QImage& image, const QRectF& part,
                   Qt::ImageConversionFlags) override {
        const QRectF on_page = to_points().mapRect(area);
        const QImage shown = part == QRectF(image.rect()) ? image : image.copy(part.toAlignedRect());
        items.push_back(DrawnImage{on_page, opaque_image(crisp_image(shown, on_page.size()))});
    }

    void add_text(const PlacedText& placed) {
        const QFont font = painter()->font();
        const double width = QFontMetricsF(font).horizontalAdvance(placed.text);
        const QTransform transform = to_points();
        const QLineF along = transform.map(QLineF(0, 0, 1, 0));
        items.push_back(DrawnText{placed.text,
                                  transform.map(placed.baseline + QPointF(placed.share * width, 0)),
                                  placed.share, along.angle(), font.pixelSize() / units_per_point,
                                  font.bold(), font.italic(), painter()->pen().color()});
    }

private:
    QTransform to_points() const {
        return painter()->combinedTransform() *
               QTransform::fromScale(1 / units_per_point, 1 / units_per_point);
    }

    void add(const QPainterPath& path, bool is_area) {
        DrawnPath drawn;
        drawn.path = to_points().map(path);
        if (const QBrush brush = painter()->brush(); is_area && brush.style() != Qt::NoBrush)
            drawn.fill = brush.color();
        if (const QPen pen = painter()->pen(); pen.style() != Qt::NoPen) {
            drawn.stroke = pen.color();
            drawn.width = pen.widthF() / units_per_point;
            drawn.is_round = pen.capStyle() == Qt::RoundCap;
            if (pen.style() != Qt::SolidLine)
                for (const double dash : pen.dashPattern())
                    drawn.dashes.push_back(dash * drawn.width);
        }
        items.push_back(std::move(drawn));
    }
};

class RecordingDevice : public QPaintDevice {
public:
    explicit RecordingDevice(QSizeF points) : size_((points * units_per_point).toSize()) {}

    QPaintEngine* paintEngine() const override { return &engine_; }
    RecordingEngine& engine() { return engine_; }

protected:
    int metric(PaintDeviceMetric metric) const override {
        constexpr int units_per_inch = static_cast<int>(72 * units_per_point);
        switch (metric) {
        case PdmWidth:
            return size_.width();
        case PdmHeight:
            return size_.height();
        case PdmWidthMM:
            return static_cast<int>(size_.width() / units_per_point * 25.4 / 72);
        case PdmHeightMM:
            return static_cast<int>(size_.height() / units_per_point * 25.4 / 72);
        case PdmDevicePixelRatio:
            return 1;
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return units_per_inch;
        case PdmNumColors:
            return std::numeric_limits<int>::max();
        case PdmDepth:
            return 32;
        default:
            return QPaintDevice::metric(metric);
        }
    }

private:
    QSize size_;
    mutable RecordingEngine engine_;
};

}  // namespace

std::vector<DrawnItem> drawn_items(const Figure& figure, QSizeF points, const ExportOptions& options) {
    const CellDrawing cells = drawing_of_cells(options);
    RecordingDevice device(points);
    QPainter painter(&device);
    const auto draw_text = [&device](QPainter&, const PlacedText& placed) {
        device.engine().add_text(placed);
        return true;
    };
    paint_figure(painter, figure,
                 layout_figure(figure, QRectF(QPointF(), points * units_per_point), units_per_point),
                 units_per_point,
                 {.cells = cells,
                  .background = !is_for_paper(figure.theme) && !figure.transparent,
                  .colour_steps = cells == CellDrawing::one_image ? colour_steps(figure) : 256,
                  .draw_text = draw_text,
                  .is_set_elsewhere = true});
    painter.end();
    return std::move(device.engine().items);
}

}  // namespace headlight
