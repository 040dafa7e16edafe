#include "ui/views/distance_bars.h"

#include "ui/render/fixed_text.h"

#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

constexpr int bars_margin = 12, bars_gap = 4;

QString percent_of(double share) { return fixed_text(100 * share, share < 0.0995 ? 1 : 0); }

}  // namespace

DistanceBars::DistanceBars(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("distance_bars"));
    setAccessibleName(tr("Distances"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void DistanceBars::show_bars(const QString& head, std::vector<Bar> bars) {
    head_ = head;
    bars_ = std::move(bars);
    QStringList spoken;
    for (const Bar& bar : bars_)
        if (bar.share >= 0.0005)
            spoken += sentence(bar);
    setAccessibleDescription(
        tr("How far %1 looks, in tokens. %2.").arg(head_, spoken.join(QStringLiteral("; "))));
    update();
}

QString DistanceBars::text() const {
    QStringList lines{tr("Distance") + QLatin1Char('\t') + tr("Share")};
    for (const Bar& bar : bars_)
        lines += bar.distance + QLatin1Char('\t') +
                 QLocale::c().toString(bar.share, 'g', QLocale::FloatingPointShortest);
    return lines.join(QLatin1Char('\n'));
}

QString DistanceBars::sentence(const Bar& bar) const {
    return tr("distance %1: %2 %").arg(bar.distance, percent_of(bar.share));
}

QSize DistanceBars::sizeHint() const { return {360, 7 * fontMetrics().height() + 3 * bars_gap}; }

QRectF DistanceBars::plot() const {
    const double line = fontMetrics().height() + bars_gap;
    // Under the title there is room for the numbers above the bars, under the bars for the distances.
    return QRectF(rect()).adjusted(bars_margin, 2 * line, -bars_margin, -line);
}

QRectF DistanceBars::column(std::size_t bar) const {
    const QRectF area = plot();
    constexpr double widest = 64;
    const double width = std::min(widest, area.width() / static_cast<double>(bars_.size()));
    return {area.left() + width * static_cast<double>(bar), area.top(), width, area.height()};
}

bool DistanceBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (std::size_t bar = 0; bar < bars_.size(); ++bar) {
        const QRectF place = column(bar);
        if (help->pos().x() >= place.left() && help->pos().x() < place.right())
            QToolTip::showText(help->globalPos(), sentence(bars_[bar]), this);
    }
    return true;
}

void DistanceBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QFontMetrics metrics = fontMetrics();
    const QColor text = palette().color(QPalette::WindowText),
                 quiet = palette().color(QPalette::PlaceholderText);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(0, 0, width(), 0);
    painter.setPen(text);
    const QRect title(bars_margin, bars_gap, width() - 2 * bars_margin, metrics.height());
    painter.drawText(
        title, Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(tr("%1: how far it looks, % of the weights by distance |i − j|").arg(head_),
                           Qt::ElideRight, title.width()));
    double largest = 0;
    for (const Bar& bar : bars_)
        largest = std::max(largest, bar.share);
    if (!(largest > 0))
        return;
    double free_label = 0, free_number = 0;  // from where on there is room for the next
    for (std::size_t at = 0; at < bars_.size(); ++at) {
        const Bar& bar = bars_[at];
        const QRectF place = column(at);
        const double height = place.height() * bar.share / largest;
        painter.fillRect(
            QRectF(place.left() + 1, place.bottom() - height, std::max(1.0, place.width() - 2), height),
            palette().color(QPalette::Highlight));
        const auto write = [&](const QString& words, double top, double& free, const QColor& colour) {
            const double wide = metrics.horizontalAdvance(words);
            const double left = std::max(0.0, place.center().x() - wide / 2);
            if (left < free || left + wide > width())
                return;
            painter.setPen(colour);
            painter.drawText(QRectF(left, top, wide + 1, metrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
                             words);
            free = left + wide + 2 * bars_gap;
        };
        if (bar.share >= 0.0005)
            write(percent_of(bar.share), place.bottom() - height - metrics.height(), free_number, text);
        write(bar.distance, place.bottom() + bars_gap / 2.0, free_label, quiet);
    }
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(QPointF(plot().left(), plot().bottom()),
                     QPointF(column(bars_.size() - 1).right(), plot().bottom()));
}

}  // namespace headlight
