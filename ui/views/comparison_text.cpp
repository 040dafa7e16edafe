#include "ui/views/comparison_text.h"

#include "core/figure/comparison.h"
#include "core/figure/site_words.h"
#include "core/figure/words.h"
#include "ui/views/cell_text.h"

#include <QCoreApplication>
#include <QStringList>

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

}  // namespace headlight
