#include "ui/views/comparison_text.h"

#include "core/figure/comparison.h"
#include "core/figure/site_words.h"
#include "core/figure/words.h"
#include "ui/views/cell_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace headlight {
namespace {

struct ComparisonTextWords {
    Q_DECLARE_TR_FUNCTIONS(ComparisonTextWords)
};

}  // namespace

QString name_at(const Trace& trace, const std::string& site) {
    if (!site.empty())
        return QString::fromStdString(site_title(site, has_layers(trace)));
    return QString::fromStdString(trace_title(trace));
}

QString comparison_sentence(const Trace& trace, const CellPlace& place, const Selection& selection) {
    const QString sentence = cell_sentence(trace, place, selection);
    if (trace.joined_specs.empty() || sentence.isEmpty())
        return sentence;
    QStringList lines{ComparisonTextWords::tr("%1: %2").arg(name_at(trace, place.site), sentence)};
    for (const std::string& site : sites_with_weights(trace)) {
        CellPlace there = place;
        there.site = site;
        there.head = std::min(selection.head, trace.find("weights", site)->heads() - 1);
        if (const auto value = site == place.site ? std::nullopt : number_at(trace, there, selection))
            lines += ComparisonTextWords::tr("%1: %2").arg(name_at(trace, site), readable_number(*value));
    }
    return lines.join(QLatin1Char('\n'));
}

QString both_weights(const Run& run, const CellPlace& place, const Selection& selection,
                     const WeightLens& lens) {
    if (!run.untouched || place.stage != "weights" || !place.is_cell())
        return {};
    const auto shown_in = [&](const Trace& trace) {
        const std::optional<double> drawn = drawn_weight(trace, place, lens);
        return drawn ? drawn : number_at(trace, place, selection);
    };
    const std::optional<double> first = shown_in(*run.trace), second = shown_in(*run.untouched);
    if (!first || !second || std::isnan(*first) || std::isnan(*second))
        return {};
    // A model that was changed inside has one name.
    const bool are_named = run.trace->name != run.untouched->name;
    const double difference = *first - *second;
    return ComparisonTextWords::tr("%1 %2, %3 %4, difference %5")
        .arg(are_named ? QString::fromStdString(run.trace->name) : ComparisonTextWords::tr("changed"),
             readable_number(*first),
             are_named ? QString::fromStdString(run.untouched->name) : ComparisonTextWords::tr("untouched"),
             readable_number(*second),
             (difference > 0 ? QStringLiteral("+") : QString()) + readable_number(difference));
}

}  // namespace headlight
