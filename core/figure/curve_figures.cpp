#include "core/figure/curve_figures.h"

#include "core/figure/notes.h"
#include "core/figure/ticks.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace headlight {
namespace {

struct CurveLine {
    std::string name;
    std::vector<std::pair<double, double>> points;  ///< by x
    std::size_t style = 0;                          ///< its place among those that there may be
};

constexpr double everything = std::numeric_limits<double>::infinity();

/// The points of all lines up to the x `last` as one matrix, [x, line]; NaN where a line has none.
Panel panel_of_curves(const std::vector<CurveLine>& lines, Curves curves, double last = everything) {
    std::set<double> all;
    for (const CurveLine& line : lines)
        for (const auto& [x, y] : line.points)
            all.insert(x);
    Panel panel;
    panel.kind = Panel::Kind::curves;
    panel.rows = std::ssize(all);
    panel.columns = std::ssize(lines);
    curves.x.assign(all.begin(), all.end());
    std::vector<double> values(all.size() * lines.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t column = 0; column < lines.size(); ++column) {
        panel.column_axis.labels.push_back(lines[column].name);
        curves.styles.push_back(lines[column].style);
        for (const auto& [x, y] : lines[column].points) {
            const auto row =
                static_cast<std::size_t>(std::ranges::lower_bound(curves.x, x) - curves.x.begin());
            if (std::isfinite(y))
                curves.y_end = std::max(curves.y_end, y);
            if (x <= last)
                values[row * lines.size() + column] = y;
        }
    }
    for (const double x : curves.x)
        panel.row_axis.labels.push_back(format_fixed(x, 0));
    panel.row_axis.title = curves.x_title;
    panel.values = std::move(values);
    panel.curves = std::make_shared<const Curves>(std::move(curves));
    return panel;
}

}  // namespace

Figure learning_figure(std::span<const LearningRun> runs, LearningCurves which, std::optional<Index> last) {
    const double end = last ? static_cast<double>(*last) : everything;
    std::vector<CurveLine> losses, matches;
    for (std::size_t at = 0; at < runs.size(); ++at) {
        const LearningRun& run = runs[at];
        // One alone has nothing to be told from.
        const std::string name = runs.size() > 1 ? run.name : std::string();
        CurveLine loss{name, {}, at}, match{name, {}, at};
        for (const LossCurve::Point& each : run.record->loss.points())
            loss.points.emplace_back(static_cast<double>(each.step), each.loss);
        for (const Measurement& each : run.record->exact_match)
            match.points.emplace_back(static_cast<double>(each.step), 100 * each.share);
        if (!loss.points.empty())
            losses.push_back(std::move(loss));
        if (!match.points.empty())
            matches.push_back(std::move(match));
    }
    Figure figure;
    if (!losses.empty() && which != LearningCurves::exact_match) {
        figure.panels.push_back(
            panel_of_curves(losses, {{}, "steps", "cross-entropy", false, "", {}, {}}, end));
        figure.panels.back().title = "Loss";
    }
    if (!matches.empty() && which != LearningCurves::loss) {
        figure.panels.push_back(
            panel_of_curves(matches, {{}, "steps", "all right", false, "%", {}, {}}, end));
        figure.panels.back().title = "Exact match of held-out examples";
    }
    if (figure.panels.empty())
        throw Error({"draw learning curves", "", "a training that has made a step", "one without"});
    figure.columns = std::ssize(figure.panels);
    figure.wrapped_rows = 1;
    figure.description = figure_description(figure);
    return figure;
}

namespace {

struct CostWords {
    double CostPoint::*member;
    const char *title, *axis, *unit;
    const char* nothing;  ///< what is so where there is no number, which a logarithmic axis has no place for
};

CostWords words_of(CostNumber number) {
    switch (number) {
    case CostNumber::multiply_adds:
        return {&CostPoint::multiply_adds, "Multiply-adds of a run", "multiply-adds", "", "No multiply-adds"};
    case CostNumber::map_bytes:
        return {&CostPoint::map_bytes, "Memory of the weights that are formed", "bytes", "B",
                "No weights are formed"};
    case CostNumber::seconds:
        return {&CostPoint::seconds, "Time of a run", "seconds", "s", "Not measured"};
    case CostNumber::bytes:
        break;
    }
    return {&CostPoint::bytes, "Memory of a run", "bytes", "B", "Not measured"};
}

}  // namespace

Figure cost_figure(std::span<const CostLine> lines, CostNumber number) {
    Curves curves;
    curves.x_title = "tokens";
    curves.doubles = true;
    const CostWords said = words_of(number);
    const auto member = said.member;
    curves.y_title = said.axis;
    curves.unit = said.unit;
    std::vector<CurveLine> drawn;
    std::string without, ends;
    for (std::size_t at = 0; at < lines.size(); ++at) {
        const CostLine& line = lines[at];
        if (!line.refusal.empty() && !line.points.empty())
            ends += "  " + line.name + " ends at " + std::to_string(line.points.back().tokens) +
                    " tokens: " + line.refusal + ".";
        CurveLine points{line.name, {}, at};
        for (const CostPoint& point : line.points)
            if (point.*member > 0)  // what a logarithmic axis has a place for
                points.points.emplace_back(static_cast<double>(point.tokens), point.*member);
        if (points.points.empty()) {
            without += (without.empty() ? "" : ", ") + line.name;
            continue;
        }
        const auto law = fit_power_law(line.points, member);
        curves.notes.push_back(law ? power_text("n", law->exponent) : "");
        drawn.push_back(std::move(points));
    }
    if (drawn.empty())
        throw Error({"draw costs", "", "a mechanism that takes something", "none"});
    Figure figure;
    figure.panels.push_back(panel_of_curves(drawn, std::move(curves)));
    figure.panels.back().title = said.title;
    if (!without.empty())
        figure.caption = std::string(said.nothing) + ": " + without + ".";
    if (!ends.empty())
        figure.caption += figure.caption.empty() ? ends.substr(2) : ends;
    figure.description = figure_description(figure);
    return figure;
}

}  // namespace headlight
