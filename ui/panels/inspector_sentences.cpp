#include "ui/panels/inspector_sentences.h"

#include "core/text/sign_meaning.h"
#include "core/workbench/intervention_edits.h"
#include "ui/panels/inspector_panel.h"
#include "ui/render/fixed_text.h"
#include "ui/views/cell_text.h"
#include "ui/views/changed_cells.h"

#include <algorithm>
#include <cmath>

namespace headlight {

QStringList changes_of(const Run& run, const std::string& site, const CellReport& report) {
    if (!report.row)
        return {};
    const auto all = changes_of_row(run, site, report.place.head, report.row->query);
    if (all.empty())
        return {};
    QStringList changes;
    for (const Intervention& each : all)
        changes += QString::fromStdString(intervention_text(each, *run.transcript));
    QStringList notes{
        InspectorPanel::tr("You changed this row: %1.").arg(changes.join(QStringLiteral("; ")))};
    if (std::ranges::any_of(all, shares_the_rest))
        notes += InspectorPanel::tr("The others share what is left, in their proportions.");
    notes += InspectorPanel::tr("The model goes on with that: what comes behind follows from it.");
    return notes;
}

QString drawn_of(const CellReport& report, const WeightLens& lens, std::optional<double> of_layers) {
    const bool is_known = report.row && (!report.row->drawn.empty() || of_layers);
    if (report.place.stage != "weights" || !is_known || !report.place.is_cell())
        return {};
    const auto key = static_cast<std::size_t>(*report.place.column);
    const double drawn = report.row->drawn.empty() ? *of_layers : report.row->drawn[key];
    if (std::isnan(drawn))
        return InspectorPanel::tr("This key is hidden in the picture; its weight is %1.")
            .arg(readable_number(report.row->weights[key]));
    if (drawn == report.row->weights[key])
        return {};
    return (lens.pooled == PooledHeads::rollout
                ? InspectorPanel::tr("The picture shows the rollout %1; the weight of this head is %2.")
            : lens.pooled_layers
                ? (lens.pooled
                       ? InspectorPanel::tr("The picture shows %1, of all layers and heads; the weight "
                                            "of this head here is %2.")
                       : InspectorPanel::tr("The picture shows %1, of all layers; the weight of this "
                                            "one is %2."))
            : lens.pooled
                ? InspectorPanel::tr("The picture shows %1, of all heads; the weight of this one is %2.")
            : lens.weights == DrawnWeights::value_norms
                ? InspectorPanel::tr("The picture shows the norm %1 for the weight %2.")
                : InspectorPanel::tr("The picture shows %1 for the weight %2."))
        .arg(readable_number(drawn), readable_number(report.row->weights[key]));
}

QStringList signs_of(const CellReport& report) {
    QStringList told;
    const auto add = [&](const std::string& label) {
        if (const std::string_view meaning = sign_meaning(label); !meaning.empty())
            told += InspectorPanel::tr("%1 is the sign for %2.")
                        .arg(quoted_token(label),
                             QString::fromUtf8(meaning.data(), static_cast<qsizetype>(meaning.size())));
    };
    add(report.row_label);
    if (report.column_label != report.row_label)
        add(report.column_label);
    return told;
}

QString as_drawn(const QString& title, const std::vector<double>& drawn) {
    return drawn.empty() ? title : InspectorPanel::tr("%1, as drawn").arg(title);
}

QString hidden_of(const RowReport& row) {
    return row.hidden_mass ? InspectorPanel::tr(" Hidden keys had %1 % of this row.")
                                 .arg(fixed_text(100 * *row.hidden_mass, 1))
                           : QString();
}

QString end_of_bars(const std::vector<double>& weights) {
    double largest = 0;
    for (const double weight : weights)
        largest = std::isnan(weight) ? largest : std::max(largest, std::abs(weight));
    return InspectorPanel::tr(" The longest bar is %1.").arg(readable_number(largest, 3));
}

}  // namespace headlight
