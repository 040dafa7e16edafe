#include "core/figure/ticks.h"
#include "ui/render/chart.h"

#include <algorithm>
#include <cmath>

namespace headlight {

double ChartAxis::share(double value) const {
    return is_logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

double ChartAxis::value(double share) const {
    return is_logarithmic ? low * std::pow(high / low, share) : low + share * (high - low);
}

ChartAxis linear_axis(const QString& title, double high, std::function<QString(double)> text) {
    constexpr int most_ticks = 6;
    ChartAxis axis{.title = title, .high = high > 0 ? high : 1};
    axis.text = text ? std::move(text) : [](double value) { return QString::number(value, 'g', 3); };
    for (const Tick& tick : nice_ticks({.low = 0, .high = axis.high}, most_ticks))
        axis.ticks.push_back({tick.value, axis.text(tick.value)});
    return axis;
}

ChartAxis doubling_axis(const QString& title, double low, double high, std::function<QString(double)> text) {
    ChartAxis axis{.title = title, .low = low, .high = high, .is_logarithmic = true};
    axis.text = std::move(text);
    double value = high;
    while (value >= low * 0.999) {
        axis.ticks.push_back({value, axis.text(value)});
        value /= 2;
    }
    std::ranges::reverse(axis.ticks);
    return axis;
}

ChartAxis power_axis(const QString& title, const std::vector<ChartLine>& lines, int base,
                     std::function<QString(double)> text) {
    constexpr int most_labels = 8;
    double low = 1e300, high = 0;
    for (const ChartLine& line : lines)
        for (const QPointF& point : line.points) {
            low = std::min(low, point.y());
            high = std::max(high, point.y());
        }
    const double unit = std::log(static_cast<double>(base));
    const int first = high == 0 ? 0 : static_cast<int>(std::floor(std::log(low) / unit + 1e-9));
    const int above = high == 0 ? 1 : static_cast<int>(std::ceil(std::log(high) / unit - 1e-9));
    const int last = std::max(above, first + 1);
    const int labelled = std::max(1, (last - first) / most_labels);
    ChartAxis axis{
        .title = title, .low = std::pow(base, first), .high = std::pow(base, last), .is_logarithmic = true};
    axis.text = std::move(text);
    for (int power = first; power <= last; ++power) {
        const double value = std::pow(base, power);
        axis.ticks.push_back({value, (power - first) % labelled == 0 ? axis.text(value) : QString()});
    }
    return axis;
}

}  // namespace headlight
