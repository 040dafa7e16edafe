#include "ui/panels/parameter_table.h"

#include "ui/models/parameter_table_model.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QEvent>
#include <QHeaderView>
#include <QRegularExpression>

#include <algorithm>

namespace headlight {

ParameterTable::ParameterTable(ParameterTableModel& model, const QString& id, QWidget* parent)
    : QTableView(parent), model_(model), problem_(new WrappedLabel(this)) {
    describe(this, id, tr("Numbers of the parameter"),
             tr("Row i, column j is the weight from number i of the vector to number j of the result. "
                "Type to change one"));
    setModel(&model);
    describe(problem_, id + QStringLiteral("_problem"), tr("What the cell needs"), {});
    give_role(*problem_, Role::problem);
    problem_->setTextFormat(Qt::PlainText);
    const auto show_problem = [this] {
        problem_->show_text(model_.problem());
        problem_->setVisible(!model_.problem().isEmpty());
    };
    connect(&model, &ParameterTableModel::problem_changed, this, show_problem);
    show_problem();
    setAlternatingRowColors(true);
    fit_cells();
    connect(&model, &QAbstractItemModel::modelReset, this, &ParameterTable::fit_cells);
    // A slider that is dragged changes numbers many times a second: columns grow with them, and do not jump.
    connect(&model, &QAbstractItemModel::dataChanged, this, [this] {
        if (isVisible())
            widen_cells();
    });
}

void ParameterTable::widen_cells() {
    if (const int needed = needed_width(); needed > horizontalHeader()->defaultSectionSize())
        horizontalHeader()->setDefaultSectionSize(needed);
}

int ParameterTable::needed_width() const {
    static const QRegularExpression digit(QStringLiteral("[0-9]"));
    constexpr int around = 12;
    int width = fontMetrics().horizontalAdvance(QStringLiteral("−0.0000"));
    for (const QString& text : model_.telling_texts())
        width = std::max(width,
                         fontMetrics().horizontalAdvance(QString(text).replace(digit, QStringLiteral("0"))));
    return width + around;
}

void ParameterTable::fit_cells() {
    horizontalHeader()->setDefaultSectionSize(needed_width());
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
}

void ParameterTable::showEvent(QShowEvent* event) {
    widen_cells();
    QTableView::showEvent(event);
}

void ParameterTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit_cells();
}

}  // namespace headlight
