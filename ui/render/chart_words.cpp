#include "ui/render/chart.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <iterator>

namespace headlight {
namespace {

struct ChartWords {
    Q_DECLARE_TR_FUNCTIONS(ChartWords)
};

}  // namespace

std::optional<double> value_at(const ChartLine& line, double x) {
    const auto after = std::ranges::lower_bound(line.points, x, {}, &QPointF::x);
    if (after == line.points.end())
        return std::nullopt;
    if (after->x() == x || after == line.points.begin())
        return after->x() == x ? std::optional(after->y()) : std::nullopt;
    const QPointF before = *std::prev(after);
    return before.y() + (after->y() - before.y()) * (x - before.x()) / (after->x() - before.x());
}

QString point_in_words(const Chart& chart, const ChartLine& line, const QPointF& point) {
    const QString place =
        ChartWords::tr("%1 %2: %3 %4")
            .arg(chart.x.title, chart.x.text(point.x()), chart.y.title, chart.y.text(point.y()));
    return line.name.isEmpty() ? place : ChartWords::tr("%1, %2").arg(line.name, place);
}

QString description_of(const Chart& chart) {
    QStringList sentences{
        ChartWords::tr("%1: %2 against %3.").arg(chart.title, chart.y.title, chart.x.title)};
    for (const ChartLine& line : chart.lines) {
        if (line.points.empty())
            continue;
        const QPointF& end = line.points.back();
        QString sentence =
            ChartWords::tr("%1: %2 at %3").arg(line.name, chart.y.text(end.y()), chart.x.text(end.x()));
        if (!line.note.isEmpty())
            sentence += QStringLiteral(", ") + line.note;
        sentences += sentence + QChar('.');
    }
    return sentences.join(QLatin1Char(' '));
}

}  // namespace headlight
