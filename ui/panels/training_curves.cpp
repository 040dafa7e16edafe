#include "ui/panels/training_curves.h"

#include "ui/models/counted_text.h"
#include "ui/views/chart_plot.h"
#include "ui/views/describe.h"

#include <QHBoxLayout>

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

QString steps_text(double steps) { return grouped_text(std::lround(steps)); }

QString axis_percent(double percent) { return QStringLiteral("%1 %").arg(percent, 0, 'f', 0); }

ChartAxis steps_axis(const ShownRuns& shown) {
    constexpr Index usual = 1000;
    Index last = shown.runs.empty() ? usual : 1;
    for (const TrainingRun* run : shown.runs)
        last = std::max(last, run->summary().of);
    return linear_axis(TrainingCurves::tr("step"), static_cast<double>(last), steps_text);
}

/// Up to a round number above what is there.
double highest(const std::vector<ChartLine>& lines) {
    double high = 0;
    for (const ChartLine& line : lines)
        for (const QPointF& point : line.points)
            high = std::max(high, point.y());
    return high == 0 ? 1 : high * 1.05;
}

template <class Points>
std::vector<ChartLine> lines_of(const ShownRuns& shown, const Points& points) {
    std::vector<ChartLine> lines;
    const std::vector<std::string> names = shown.names();
    for (std::size_t i = 0; i < names.size(); ++i) {
        ChartLine line{QString::fromStdString(names[i]), {}, points(*shown.runs[i]->record())};
        if (names.size() == 1)
            line.name.clear();  // there is nothing to tell it from
        if (!line.points.empty())
            lines.push_back(std::move(line));
    }
    return lines;
}

Chart chart_of(const QString& title, const ShownRuns& shown, std::vector<ChartLine> lines) {
    Chart chart;
    chart.title = title;
    chart.x = steps_axis(shown);
    chart.lines = std::move(lines);
    if (!chart.lines.empty())
        chart.cursor = static_cast<double>(std::max<Index>(shown.step(), 0));
    return chart;
}

}  // namespace

TrainingCurves::TrainingCurves(QWidget* parent)
    : QWidget(parent), loss_(new ChartPlot), exact_match_(new ChartPlot) {
    describe(loss_, QStringLiteral("train_loss"), tr("Loss against steps"),
             tr("Cross-entropy per token of the batches it learns from, with the coverage loss of those that "
                "have one. Click to see the film at a step. Keys: arrows, Return"));
    describe(exact_match_, QStringLiteral("train_exact_match"), tr("Exact match against steps"),
             tr("The share of examples it never learns from that it gets all right. Click to see the film at "
                "a step. Keys: arrows, Return"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    for (ChartPlot* plot : {loss_, exact_match_}) {
        plot->setMinimumWidth(170);  // both, beside the form, in a window of 800 pixels
        row->addWidget(plot, 1);
        connect(plot, &ChartPlot::cursor_asked, this,
                [this](double x) { emit step_asked(static_cast<Index>(std::lround(x))); });
    }
    show_runs({});
}

void TrainingCurves::show_runs(const ShownRuns& shown) {
    Chart loss = chart_of(tr("Loss"), shown, lines_of(shown, [](const TrainingRecord& record) {
                              std::vector<QPointF> points;
                              for (const LossCurve::Point& each : record.loss.points())
                                  points.emplace_back(static_cast<double>(each.step), each.loss);
                              return points;
                          }));
    loss.y = linear_axis(shown.has_coverage_loss() ? tr("with coverage loss") : tr("cross-entropy"),
                         highest(loss.lines));
    loss.notice = tr("The loss of every batch appears here as the model learns.");
    Chart right = chart_of(tr("Exact match of %1 held-out examples").arg(WatchedTraining::measured_examples),
                           shown, lines_of(shown, [](const TrainingRecord& record) {
                               std::vector<QPointF> points;
                               for (const Measurement& each : record.exact_match)
                                   points.emplace_back(static_cast<double>(each.step), 100 * each.share);
                               return points;
                           }));
    constexpr double all = 100;
    right.y = linear_axis(tr("all right"), all, axis_percent);
    right.notice = tr("Measured now and then on examples that it never learns from.");
    loss_->set_chart(std::move(loss));
    exact_match_->set_chart(std::move(right));
}

}  // namespace headlight
