#include "ui/models/level_text.h"

#include "core/attention/explain.h"
#include "core/figure/words.h"
#include "core/tensor/error.h"
#include "core/workbench/mask_parts.h"
#include "core/workbench/run_session.h"
#include "core/workbench/spec_axes.h"
#include "ui/jobs/job.h"
#include "ui/models/counted_text.h"

#include <QCoreApplication>

#include <algorithm>

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

/// Where the selection stands in the rows and columns of a stage.
struct StagePlace {
    Index head = 0, row = 0, column = 0;
};

StagePlace selected_place(const Stage& stage, const Selection& selection) {
    const auto at = [&](Axis axis, Index extent) {
        const Index number = axis == Axis::head    ? selection.head
                             : axis == Axis::query ? selection.query
                             : axis == Axis::key   ? selection.key
                                                   : selection.feature;
        return std::clamp<Index>(number, 0, extent - 1);
    };
    StagePlace place;
    const std::size_t rank = stage.shape.size();
    place.column = at(stage.axes[rank - 1], stage.shape[rank - 1]);
    place.row = at(stage.axes[rank - 2], stage.shape[rank - 2]);
    if (rank > 2)
        place.head = at(stage.axes[rank - 3], stage.shape[rank - 3]);
    return place;
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
        names << QString::fromStdString(parameter.name).toHtmlEscaped();
    }
    if (!names.isEmpty())
        in << level_words("%1 learned numbers: %2")
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
    const Trace& trace = *run.trace;
    const Stage* stage = trace.find(view.selection.stage, view.selection.site);
    if (!stage || !stage->site.empty() || stage->shape.size() < 2 || stage->shape.size() > 3)
        stage = trace.find("weights");
    if (!stage)
        return level_words("This run has no weights.").toHtmlEscaped();
    const StagePlace place = selected_place(*stage, view.selection);
    QString rows;
    try {
        for (const ArithmeticStep& step :
             explain_cell(*run.plan, trace, stage->name, place.head, place.row, place.column))
            rows += level_row(
                escaped(step.name),
                QStringLiteral("%1 = <b>%2</b>").arg(escaped(step.expression), escaped(step.result)));
    } catch (...) {
        return current_problem("explain a cell").toHtmlEscaped();
    }
    return QStringLiteral("<p>%1</p>")
               .arg(level_words("%1: row %2, column %3, head %4")
                        .arg(escaped(stage->name))
                        .arg(place.row + 1)
                        .arg(place.column + 1)
                        .arg(place.head + 1)) +
           level_table(rows);
}

}  // namespace headlight
