#include "ui/models/shown_runs.h"

#include <QStringList>

#include <algorithm>
#include <iterator>
#include <set>

namespace headlight {
namespace {

QString counted(Index number, const QString& one, const QString& several) {
    return QStringLiteral("%1 %2").arg(number).arg(number == 1 ? one : several);
}

/// "width 8, seed 2": what tells a run from another one whose name has the same parts; empty where they do
/// not, and until both are known.
QString difference(const TrainingRun& run, const TrainingRun& other) {
    const auto parts = [](const TrainingRun& each) {
        return each.name().section(QStringLiteral(", run "), 0, 0);
    };
    if (!run.settings() || !other.settings() || parts(run) != parts(other))
        return {};
    const auto width = [](const TrainingSettings& settings) { return settings.model.common().width; };
    const TrainingSettings &own = *run.settings(), &others = *other.settings();
    QStringList told;
    if (own.model.coverage_loss() != others.model.coverage_loss())
        told += QStringLiteral("coverage loss %1").arg(own.model.coverage_loss());
    if (width(own) != width(others))
        told += QStringLiteral("width %1").arg(width(own));
    const ModelCounts shape = own.model.counts(), other_shape = others.model.counts();
    if (shape.heads != other_shape.heads)
        told += counted(shape.heads, QStringLiteral("head"), QStringLiteral("heads"));
    if (shape.layers != other_shape.layers)
        told += counted(shape.layers, QStringLiteral("layer"), QStringLiteral("layers"));
    if (shape.turns != other_shape.turns)
        told += counted(shape.turns, QStringLiteral("turn"), QStringLiteral("turns"));
    if (shape.segment != other_shape.segment)
        told += shape.segment == 0 ? QStringLiteral("no segments")
                                   : QStringLiteral("segments of %1").arg(shape.segment);
    if (shape.hops != other_shape.hops)
        told += counted(shape.hops, QStringLiteral("hop"), QStringLiteral("hops"));
    if (own.schedule.peak != others.schedule.peak)
        told += QStringLiteral("learning rate %1").arg(own.schedule.peak);
    if (own.steps != others.steps)
        told += QStringLiteral("%1 steps").arg(own.steps);
    if (own.seed != others.seed)
        told += QStringLiteral("seed %1").arg(own.seed);
    return told.join(QStringLiteral(", "));
}

}  // namespace

Index ShownRuns::newest() const {
    Index newest = 0;
    for (const TrainingRun* run : runs)
        newest = std::max(newest, run->summary().steps);
    return newest;
}

std::vector<std::string> ShownRuns::names() const {
    if (runs.size() == 1)
        return {runs.front()->title().toStdString()};
    if (runs.size() == 2)
        if (const QString first = difference(*runs[0], *runs[1]); !first.isEmpty())
            return {first.toStdString(), difference(*runs[1], *runs[0]).toStdString()};
    std::vector<QStringList> words;
    for (const TrainingRun* run : runs)
        words.push_back(run->name().split(QChar('-')));
    const auto is_everywhere = [&](const QString& word) {
        return std::ranges::all_of(words, [&](const QStringList& each) { return each.contains(word); });
    };
    const auto told_by = [&](const QStringList& all) {
        QStringList told;
        for (const QString& word : all)
            if (!is_everywhere(word))
                told += word;
        return told.join(QChar('-'));
    };
    std::vector<std::string> names;
    for (std::size_t i = 0; i < words.size(); ++i) {
        QString name = told_by(words[i]);
        if (name.isEmpty() && words.size() == 2)
            if (const QString lacked = told_by(words[1 - i]); !lacked.isEmpty())
                name = QStringLiteral("without %1").arg(lacked);
        names.push_back((name.isEmpty() ? words[i].join(QChar('-')) : name).toStdString());
    }
    return names;
}

bool ShownRuns::has_coverage_loss() const {
    return std::ranges::any_of(runs, [](const TrainingRun* run) {
        return run->settings() && run->settings()->model.coverage_loss() > 0;
    });
}

std::vector<LearningRun> ShownRuns::filmed() const {
    std::vector<LearningRun> filmed;
    const std::vector<std::string> names = this->names();
    for (std::size_t i = 0; i < names.size(); ++i)
        filmed.push_back({names[i], runs[i]->record()});
    return filmed;
}

Index step_in_view(const std::vector<FilmShot>& shots, Index step) {
    Index newest = 0;
    for (const FilmShot& shot : shots)
        if (shot.frame)
            newest = std::max(newest, shot.frame->step);
    return newest > 0 ? newest : step;
}

Index snapped_to_frame(const std::vector<Index>& steps, Index step) {
    const auto behind = std::ranges::upper_bound(steps, step);
    return behind == steps.begin() ? step : *std::prev(behind);
}

std::vector<Index> film_steps(const std::vector<LearningRun>& runs) {
    std::set<Index> steps;
    for (const LearningRun& run : runs)
        for (const auto& frame : run.record->film.frames())
            steps.insert(frame->step);
    return {steps.begin(), steps.end()};
}

}  // namespace headlight
