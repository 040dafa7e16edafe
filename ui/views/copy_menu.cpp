#include "ui/views/copy_menu.h"

#include "core/figure/block_sums.h"
#include "core/tensor/number_text.h"
#include "ui/actions/context_menu.h"
#include "ui/models/counted_text.h"
#include "ui/render/label_plan.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QStringList>

#include <cmath>

namespace headlight {
namespace {

constexpr std::size_t most_copied = 250'000;

struct CopyMenuWords {
    Q_DECLARE_TR_FUNCTIONS(CopyMenuWords)
};

QString copied_number(std::optional<double> number) {
    return number ? QString::fromStdString(number_text(*number)) : QString();
}

/// Nothing of a key that is hidden.
QString finite_text(double number) { return std::isfinite(number) ? copied_number(number) : QString(); }

}  // namespace

QString numbers_text(const Trace& trace, const CellPlace& place, const Selection& selection,
                     const WeightLens& lens) {
    const auto drawn = drawn_weights(trace, place, lens);
    if (place.is_cell())
        return drawn ? finite_text(drawn->front()) : copied_number(number_at(trace, place, selection));
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
                 (drawn ? finite_text((*drawn)[static_cast<std::size_t>(i)])
                        : copied_number(number_at(trace, cell, selection)));
    }
    return lines.join(QChar('\n'));
}

namespace {

/// "Copy the number", "Copy the row", "Copy the column": those that there are. `text` gives what is copied.
/// A column of a large map would take a pass over all of it.
template <class Text>
void add_copies(ContextMenu& menu, std::optional<Index> row, std::optional<Index> column,
                bool may_copy_column, const Text& text) {
    const auto add = [&](const char* id, std::optional<Index> part_row, std::optional<Index> part_column) {
        QObject::connect(&menu.offer(QLatin1String(id)), &QAction::triggered, &menu,
                         [text, part_row, part_column] {
                             QGuiApplication::clipboard()->setText(text(part_row, part_column));
                         });
    };
    if (row && column)
        add("copy_number", row, column);
    if (row)
        add("copy_row", row, {});
    if (column && may_copy_column)
        add("copy_column", {}, column);
}

}  // namespace

QAction& add_table_action(ContextMenu& menu, const char* id, std::size_t numbers) {
    QAction& action = menu.offer(QLatin1String(id));
    if (numbers > most_copied) {
        action.setText(
            CopyMenuWords::tr("%1 (at most %2 numbers)").arg(action.text(), grouped_text(most_copied)));
        action.setEnabled(false);
    }
    return action;
}

QAction& add_table_menu(QWidget& table) {
    QAction* copy = make_action(QStringLiteral("copy_table"), &table);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    table.addAction(copy);
    table.setContextMenuPolicy(Qt::ActionsContextMenu);
    return *copy;
}

QString cells_table(const Panel& panel, const MapBlock& block) {
    const std::vector<double> numbers = block_numbers(panel, block);
    QString table;
    for (Index column = 0; column < block.columns; ++column)
        table += QChar('\t') + label_text(panel.column_axis, block.first_column + column);
    for (Index row = 0; row < block.rows; ++row) {
        table += QChar('\n') + label_text(panel.row_axis, block.first_row + row);
        for (Index column = 0; column < block.columns; ++column)
            table +=
                QChar('\t') + finite_text(numbers[static_cast<std::size_t>(row * block.columns + column)]);
    }
    return table;
}

QString panel_numbers_text(const Panel& panel, std::optional<Index> row, std::optional<Index> column) {
    const MapBlock part{row.value_or(0), row ? 1 : panel.rows, column.value_or(0),
                        column ? 1 : panel.columns};
    const std::vector<double> numbers = block_numbers(panel, part);
    if (row && column)
        return finite_text(numbers.front());
    QStringList lines;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        lines += label_text(row ? panel.column_axis : panel.row_axis, static_cast<Index>(i)) + QChar('\t') +
                 finite_text(numbers[i]);
    return lines.join(QChar('\n'));
}

void add_copy_actions(ContextMenu& menu, const Panel& panel, std::optional<Index> row,
                      std::optional<Index> column) {
    add_copies(menu, row, column, !panel.large,
               [panel](std::optional<Index> of_row, std::optional<Index> of_column) {
                   return panel_numbers_text(panel, of_row, of_column);
               });
}

void add_copy_actions(ContextMenu& menu, const std::shared_ptr<const Trace>& trace, const CellPlace& place,
                      const Selection& selection, const WeightLens& lens) {
    const Stage* stage = trace->find(place.stage, place.site);
    const bool is_large = stage && stage->is_large();
    add_copies(menu, place.row, place.column, !is_large,
               [trace, place, selection, lens](std::optional<Index> row, std::optional<Index> column) {
                   CellPlace part = place;
                   part.row = row;
                   part.column = column;
                   return numbers_text(*trace, part, selection, lens);
               });
}

}  // namespace headlight
