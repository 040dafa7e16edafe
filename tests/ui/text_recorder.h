#pragma once

#include <QFont>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPolygonF>
#include <QString>
#include <QTransform>

#include <cmath>
#include <vector>

namespace headlight {

/// A text that was painted: what, how large in pixels of the device, and where.
struct PaintedText {
    QString text;
    double pixels = 0;
    QPointF baseline;
    QPolygonF area;  ///< around its letters, slanted as they are
};

/// A device of 96 dots per inch that draws nothing and writes down every text.
class TextRecorder : public QPaintDevice {
public:
    explicit TextRecorder(QSize size) : size_(size), engine_(*this) {}

    const std::vector<PaintedText>& texts() const { return texts_; }
    QPaintEngine* paintEngine() const override { return &engine_; }

protected:
    int metric(PaintDeviceMetric metric) const override {
        constexpr int dots_per_inch = 96;
        constexpr double millimetres_per_inch = 25.4;
        switch (metric) {
        case PdmWidth:
            return size_.width();
        case PdmHeight:
            return size_.height();
        case PdmWidthMM:
            return static_cast<int>(size_.width() * millimetres_per_inch / dots_per_inch);
        case PdmHeightMM:
            return static_cast<int>(size_.height() * millimetres_per_inch / dots_per_inch);
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return dots_per_inch;
        case PdmDepth:
            return 32;
        case PdmNumColors:
            return 1 << 24;
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        default:
            return QPaintDevice::metric(metric);
        }
    }

private:
    class Engine : public QPaintEngine {
    public:
        explicit Engine(TextRecorder& device) : QPaintEngine(AllFeatures), device_(device) {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        Type type() const override { return User; }
        void updateState(const QPaintEngineState& changed) override {
            if (changed.state() & DirtyTransform)
                transform_ = changed.transform();
        }
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
        void drawPath(const QPainterPath&) override {}
        void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
        void drawTextItem(const QPointF& at, const QTextItem& item) override {
            const double scale = std::sqrt(std::abs(transform_.determinant()));
            QRectF letters = QFontMetricsF(item.font()).tightBoundingRect(item.text()).translated(at);
            if (letters.width() > 4)  // pixels; the letters of neighbours in one word may touch
                letters.adjust(1, 0, -1, 0);
            device_.texts_.push_back({item.text(), QFontInfo(item.font()).pixelSize() * scale, transform_.map(at),
                                      transform_.map(QPolygonF(letters))});
        }

    private:
        TextRecorder& device_;
        QTransform transform_;
    };

    QSize size_;
    std::vector<PaintedText> texts_;
    mutable Engine engine_;
};

}  // namespace headlight
