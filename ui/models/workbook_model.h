#pragma once

#include "core/program/workbook.h"

#include <QAbstractTableModel>

#include <memory>

namespace headlight {

/// The cells of one sheet of a workbook: numbers, of a formula its result, with the formula in the tooltip
/// and in the role `formula_role`. Rows and columns are named as spreadsheets name them.
class WorkbookModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;
    static constexpr int formula_role = Qt::UserRole;

    /// Null: no cells.
    void show(std::shared_ptr<const Workbook> book, std::size_t sheet);
    const std::shared_ptr<const Workbook>& book() const { return book_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const WorkbookSheet* sheet() const;
    /// Null where the sheet has nothing.
    const WorkbookCell* cell(const QModelIndex& index) const;

    std::shared_ptr<const Workbook> book_;
    std::size_t number_ = 0;
    int columns_ = 0;
};

}  // namespace headlight
