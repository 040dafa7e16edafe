#include "ui/models/workbook_model.h"

#include "core/attention/arithmetic_text.h"
#include "core/program/evaluate.h"

#include <QFont>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

void WorkbookModel::show(std::shared_ptr<const Workbook> book, std::size_t sheet) {
    beginResetModel();
    book_ = std::move(book);
    number_ = sheet;
    columns_ = 0;
    if (const WorkbookSheet* shown = this->sheet())
        for (const auto& row : shown->rows)
            columns_ = std::max(columns_, static_cast<int>(row.size()));
    endResetModel();
}

const WorkbookSheet* WorkbookModel::sheet() const {
    return book_ && number_ < book_->sheets.size() ? &book_->sheets[number_] : nullptr;
}

const WorkbookCell* WorkbookModel::cell(const QModelIndex& index) const {
    const WorkbookSheet* shown = sheet();
    const auto row = static_cast<std::size_t>(index.row()), column = static_cast<std::size_t>(index.column());
    if (!shown || !index.isValid() || row >= shown->rows.size() || column >= shown->rows[row].size())
        return nullptr;
    return &shown->rows[row][column];
}

int WorkbookModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !sheet() ? 0 : static_cast<int>(sheet()->rows.size());
}

int WorkbookModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns_; }

QVariant WorkbookModel::data(const QModelIndex& index, int role) const {
    const WorkbookCell* shown = cell(index);
    if (!shown)
        return {};
    using Kind = WorkbookCell::Kind;
    if (role == Qt::FontRole && shown->kind == Kind::title) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    if (role == Qt::TextAlignmentRole && shown->kind != Kind::text && shown->kind != Kind::title)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == formula_role || (role == Qt::ToolTipRole && shown->kind == Kind::formula))
        return shown->kind == Kind::formula ? QString::fromStdString(shown_formula(*shown)) : QString();
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    switch (shown->kind) {
    case Kind::empty:
        return {};
    case Kind::text:
    case Kind::title:
        return QString::fromStdString(shown->text);
    case Kind::number:
    case Kind::input:
    case Kind::formula:
        return QString::fromStdString(format_number(std::abs(shown->number) < cell_infinity / 10
                                                        ? shown->number
                                                        : std::copysign(infinity, shown->number)));
    }
    return {};
}

QVariant WorkbookModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole)
        return {};
    if (orientation == Qt::Vertical)
        return section + 1;
    QString name = QString::fromStdString(cell_name(0, section));
    name.chop(1);  // the row
    return name;
}

}  // namespace headlight
