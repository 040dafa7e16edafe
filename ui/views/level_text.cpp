#include "ui/views/level_text.h"

#include "core/attention/explain.h"
#include "core/figure/words.h"
#include "core/program/own_formula.h"
#include "core/tensor/error.h"
#include "core/workbench/mask_parts.h"
#include "core/workbench/run_session.h"
#include "core/workbench/spec_axes.h"
#include "ui/jobs/job.h"
#include "ui/models/counted_text.h"
#include "ui/render/subscripts.h"
#include "ui/views/cell_report.h"
#include "ui/views/cell_text.h"
#include "ui/views/comparison_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <optional>

namespace headlight {
namespace {

QString level_words(const char* text) { return QCoreApplication::translate("Levels", text); }

QString escaped(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }

QString level_row(const QString& name, const QString& words) {
    return QStringLiteral("<tr><td><b>%1</b></td><td>%2</td></tr>").arg(name, words);
}

QString level_table(const QString& rows) {
    return QStringLiteral("<table cellspacing=\"0\" cellpadding=\"4\">%1</table>").arg(rows);
}

/// "token vectors 8 × 64"
QString tensor_words(const char* name, const Shape& shape) {
    QStringList extents;
    for (const Index extent : shape)
        extents << QString::number(extent);
    return QStringLiteral("%1 <code>%2</code>").arg(level_words(name), extents.join(QStringLiteral(" × ")));
}

QString shape_of(const Trace& trace, const char* stage, const char* name) {
    const Stage* found = trace.find(stage);
    return found ? tensor_words(name, found->shape) : QString();
}

/// "causal and not window"; the words alone of a mask that is composed more deeply.
QString mask_line(const Mask& mask) {
    const auto parts = mask_parts(mask);
    if (!parts)
        return level_words("composed of several");
    QStringList words;
    for (const MaskPart& part : parts->parts)
        words << (part.inverted ? level_words("not %1") : QStringLiteral("%1"))
                     .arg(QString::fromStdString(mask_word(part.leaf)));
    if (words.isEmpty())
        return QStringLiteral("none");
    return words.join(parts->any ? level_words(" or ") : level_words(" and "));
}

/// The cell that is explained: of a stage that is no matrix the weights' one. Nothing without weights.
std::optional<CellPlace> explained_place(const Run& run, const ViewState& view) {
    const Trace& trace = *run.trace;
    Selection selection = shown_selection(trace, view);
    if (run.is_of_mechanism())
        selection.site.clear();  // of a compared one the way to its weights is not in this trace
    if (const Stage* stage = trace.find(selection.stage, selection.site); !stage || stage->shape.size() < 2)
        selection.stage = "weights";
    return selected_place(trace, selection);
}

std::vector<ArithmeticStep> steps_to(const Run& run, const CellPlace& place, Index query) {
    const Run::Explained explained = run.explained_at(place.site);
    if (!explained.plan)
        return {};
    const Stage& stage = *run.trace->find(place.stage, place.site);
    CellReport report;
    report.place = place;
    report.steps = explain_cell(*explained.plan, *explained.trace, place.stage, place.head,
                                recorded_row(stage, *place.row, query), *place.column);
    name_steps_at(report, place.site);
    return report.steps;
}

/// Which cell it is; of a part of a model also which part, and what its tokens are.
QString heading_of(const Run& run, const CellPlace& place, const Selection& selection) {
    const QString cell = level_words("%1: row %2, column %3, head %4")
                             .arg(escaped(place.stage))
                             .arg(*place.row + 1)
                             .arg(*place.column + 1)
                             .arg(place.head + 1);
    if (run.is_of_mechanism())
        return QStringLiteral("<p>%1</p>").arg(cell);
    return QStringLiteral("<p><b>%1</b><br>%2<br>%3</p>")
        .arg(name_at(*run.trace, place.site).toHtmlEscaped(),
             cell_sentence(*run.trace, place, selection).toHtmlEscaped(), cell);
}

}  // namespace

QString box_text(const Run& run) {
    const Plan& plan = *run.plan;
    QStringList in{tensor_words("token vectors", plan.inputs.query.shape())};
    if (plan.inputs.key)
        in << tensor_words("token vectors of the keys", plan.inputs.key->shape());
    if (plan.inputs.value)
        in << tensor_words("token vectors of the values", plan.inputs.value->shape());
    Index learned = 0;
    QStringList names;
    for (const ParameterInfo& parameter : plan.parameters) {
        learned += element_count(parameter.shape);
        names << html_with_subscripts(QString::fromStdString(parameter.name));
    }
    if (!names.isEmpty())
        in << level_words(learned == 1 ? "%1 learned number: %2" : "%1 learned numbers: %2")
                  .arg(grouped_text(learned), names.join(QStringLiteral(", ")));
    QStringList out;
    for (const QString& each :
         {shape_of(*run.trace, "weights", "weights"), shape_of(*run.trace, "output", "output")})
        if (!each.isEmpty())
            out << each;
    return level_table(level_row(level_words("In"), in.join(QStringLiteral("<br>"))) +
                       level_row(level_words("Box"), escaped(trace_title(*run.trace))) +
                       level_row(level_words("Out"), out.join(QStringLiteral("<br>"))));
}

QString parts_text(const Run& run) {
    const AttentionSpec& spec = run.plan->spec;
    QString rows;
    const auto add = [&](const SpecAxis& axis, const std::string& word) {
        const auto meaning = std::ranges::find(axis.words, word, &AxisWord::word);
        QString said = QStringLiteral("<code>%1</code>").arg(escaped(word));
        if (meaning != axis.words.end())
            said += QStringLiteral("<br>") + escaped(meaning->meaning);
        rows += level_row(escaped(axis.label), said);
    };
    for (const SpecAxis& axis : spec_axes()) {
        // Where nothing is projected, nothing is shared by sharing nothing.
        const bool is_empty = axis.id == "sharing" && spec.heads.sharing == Sharing::none &&
                              spec.projections.type == ProjectionType::none;
        if (is_used(axis, spec) && !is_empty)
            add(axis, axis.word(spec));
        if (axis.id == "position" && spec.position.second != PositionType::none)
            add(axis, to_word(spec.position.second));
        if (axis.id == "position")
            rows += level_row(level_words("Mask"),
                              QStringLiteral("<code>%1</code>").arg(mask_line(spec.mask).toHtmlEscaped()));
    }
    return level_table(rows);
}

QString tensors_text(const Run& run) {
    QString rows;
    for (const Stage& stage : run.trace->stages()) {
        if (!stage.site.empty())
            continue;
        const DeclaredStage* declared = any_declaration(stage.name);
        const QString name = escaped(stage.name);
        rows += level_row(QStringLiteral("<a href=\"stage:%1\">%1</a>").arg(name),
                          tensor_words(declared ? declared->title.c_str() : "", stage.shape));
    }
    return level_table(rows);
}

QString arithmetic_text(const Run& run, const ViewState& view) {
    const auto place = explained_place(run, view);
    if (!place)
        return level_words("This run has no weights.").toHtmlEscaped();
    QString rows;
    try {
        for (const ArithmeticStep& step : steps_to(run, *place, view.selection.query))
            rows += level_row(
                escaped(step.name),
                QStringLiteral("%1 = <b>%2</b>").arg(escaped(step.expression), escaped(step.result)));
    } catch (...) {
        return current_problem("explain a cell").toHtmlEscaped();
    }
    if (rows.isEmpty())
        return level_words("How these numbers came about was not recorded.").toHtmlEscaped();
    return heading_of(run, *place, view.selection) + level_table(rows);
}

std::string formula_text(const Run& run, const ViewState& view) {
    if (run.is_of_mechanism())
        return own_formula(*run.plan).text;
    const Run::Explained explained = run.explained_at(view.selection.site);
    if (!explained.plan)
        throw Error({"write a formula", "", "a part that attends, of a mechanism or a model that runs here",
                     "one where nothing attends, or where nobody knows what does"});
    return formula_lines(*explained.plan);
}

std::vector<Level> levels_of(const Run& run) {
    if (run.is_of_mechanism())
        return {Level::box,     Level::parts,       Level::tensors, Level::arithmetic,
                Level::formula, Level::spreadsheet, Level::code};
    if (run.transcript)
        return {Level::box, Level::arithmetic, Level::formula};
    return {Level::box};
}

}  // namespace headlight
