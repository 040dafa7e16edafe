#include "ui/panels/parameter_table.h"

#include "ui/models/parameter_table_model.h"
#include "ui/views/describe.h"

#include <QEvent>
#include <QHeaderView>

namespace headlight {

ParameterTable::ParameterTable(ParameterTableModel& model, const QString& id, QWidget* parent)
    : QTableView(parent) {
    describe(this, id, tr("Numbers of the parameter"),
             tr("Row i, column j is the weight from number i of the vector to number j of the result. "
                "Type to change one"));
    setModel(&model);
    setAlternatingRowColors(true);
    fit_cells();
}

void ParameterTable::fit_cells() {
    const QFontMetrics text = fontMetrics();
    horizontalHeader()->setDefaultSectionSize(text.horizontalAdvance(QStringLiteral("−0.00000")) + 12);
    verticalHeader()->setDefaultSectionSize(text.height() + 8);
}

void ParameterTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit_cells();
}

}  // namespace headlight
