#include "ui/views/mask_legend.h"

#include "ui/views/mask_canvas.h"

#include <QPainter>

namespace headlight {
namespace {

constexpr int swatch_gap = 6, between = 18;

}  // namespace

MaskLegend::MaskLegend(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setObjectName(QStringLiteral("mask_legend"));
    show_layers(1);
}

void MaskLegend::show_layers(Index layers) {
    layers_ = layers;
    setAccessibleName(tr("Colours: %1").arg(entries().join(QStringLiteral(", "))));
    update();
}

QStringList MaskLegend::entries() const {
    QStringList entries{tr("allowed: the query may look at the key"), tr("forbidden: weight 0")};
    if (layers_ > 1)
        entries += tr("forbidden, but reached through other tokens within %1 layers").arg(layers_);
    return entries;
}

QSize MaskLegend::sizeHint() const { return {360, fontMetrics().height() + 4}; }

QSize MaskLegend::minimumSizeHint() const { return {80, sizeHint().height()}; }

void MaskLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QColor colours[] = {allowed_colour(palette()), forbidden_colour(palette()),
                              reached_colour(palette(), 2)};
    const int side = fontMetrics().ascent();
    int x = 0;
    for (qsizetype i = 0; i < entries().size(); ++i) {
        const QRect swatch(x, (height() - side) / 2, side, side);
        painter.fillRect(swatch, colours[i]);
        painter.setPen(palette().color(QPalette::Mid));
        painter.drawRect(swatch);
        x += side + swatch_gap;
        painter.setPen(palette().color(QPalette::WindowText));
        const QString text = fontMetrics().elidedText(entries()[i], Qt::ElideRight, std::max(0, width() - x));
        painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += fontMetrics().horizontalAdvance(text) + between;
    }
}

}  // namespace headlight
