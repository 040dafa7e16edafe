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

std::optional<WeightInBoth> weight_in_both(const Run& run, const CellPlace& place, const Selection& selection,
                                           const WeightLens& lens) {
    if (!run.untouched || place.stage != "weights" || !place.is_cell())
        return std::nullopt;
    const auto shown_in = [&](const Trace& trace) {
        const std::optional<double> drawn = drawn_weight(trace, place, lens);
        return drawn ? drawn : number_at(trace, place, selection);
    };
    const std::optional<double> first = shown_in(*run.trace), second = shown_in(*run.untouched);
    if (!first || !second || std::isnan(*first) || std::isnan(*second))
        return std::nullopt;
    return WeightInBoth{*first, *second};
}

QString named_weights(const Run& run, const WeightInBoth& weight) {
    // A model that was changed inside has one name.
    const bool are_named = run.trace->name != run.untouched->name;
    return ComparisonTextWords::tr("%1 %2, %3 %4, difference %5")
        .arg(are_named ? QString::fromStdString(run.trace->name) : ComparisonTextWords::tr("changed"),
             readable_number(weight.first),
             are_named ? QString::fromStdString(run.untouched->name) : ComparisonTextWords::tr("untouched"),
             readable_number(weight.second), signed_difference(weight));
}

QString signed_difference(const WeightInBoth& weight) {
    const double difference = weight.first - weight.second;
    return (difference > 0 ? QStringLiteral("+") : QString()) + readable_number(difference);
}

}  // namespace headlight
