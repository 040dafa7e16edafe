#include "ui/views/copy_menu.h"

#include "core/tensor/number_text.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QMenu>

namespace headlight {
namespace {

struct CopyMenuWords {
    Q_DECLARE_TR_FUNCTIONS(CopyMenuWords)
};

QString copied_number(std::optional<double> number) {
    return number ? QString::fromStdString(number_text(*number)) : QString();
}

}  // namespace

QString numbers_text(const Trace& trace, const CellPlace& place, const Selection& selection) {
    if (place.is_cell())
        return copied_number(number_at(trace, place, selection));
    const Stage* stage = trace.find(place.stage, place.site);
    if (!stage || stage->shape.size() < 2 || (!place.row && !place.column))
        return {};
    const MatrixAxes axes = matrix_axes(*stage, place.rows_are_keys);
    const Axis along = place.row ? axes.columns : axes.rows;
    const Index count = stage->shape[stage->shape.size() - (place.row ? 1 : 2)];
    QStringList lines;
    for (Index i = 0; i < count; ++i) {
        CellPlace cell = place;
        (place.row ? cell.column : cell.row) = i;
        lines += QString::fromStdString(index_label(trace.tokens_at(place.site), along, i)) + QChar('\t') +
                 copied_number(number_at(trace, cell, selection));
    }
    return lines.join(QChar('\n'));
}

void add_copy_actions(QMenu& menu, const std::shared_ptr<const Trace>& trace, const CellPlace& place,
                      const Selection& selection) {
    const auto add = [&](const char* id, const QString& text, std::optional<Index> row,
                         std::optional<Index> column) {
        if (!row && !column)
            return;
        CellPlace part = place;
        part.row = row;
        part.column = column;
        QAction* action = menu.addAction(text);
        action->setObjectName(QLatin1String(id));
        QObject::connect(action, &QAction::triggered, &menu, [trace, part, selection] {
            QGuiApplication::clipboard()->setText(numbers_text(*trace, part, selection));
        });
    };
    if (place.is_cell())
        add("copy_number", CopyMenuWords::tr("Copy the &number"), place.row, place.column);
    if (place.row)
        add("copy_row", CopyMenuWords::tr("Copy the &row"), place.row, {});
    const Stage* stage = trace->find(place.stage, place.site);
    if (place.column && !(stage && stage->is_large()))  // which would take a pass over the whole map
        add("copy_column", CopyMenuWords::tr("Copy the &column"), {}, place.column);
}

}  // namespace headlight
