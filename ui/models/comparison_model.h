#pragma once

#include "core/io/compared_run.h"

#include <QAbstractTableModel>

namespace headlight {

class Document;

/// The mechanisms of a comparison as a table: a row each, the session's own first, with what their maps are
/// like and what a run costs. Of the selected head.
class ComparisonModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        name,
        entropy,
        effective_keys,
        exact_zeros,
        distance,
        row_sum,
        map_bytes,
        cache_bytes,
        multiply_adds,
        column_count
    };
    enum Role {
        RefusalRole = Qt::UserRole,  ///< of a mechanism that cannot run: why; else empty
    };

    explicit ComparisonModel(Document& document, QObject* parent = nullptr);

    /// The whole table with all digits, separated by tabs, for a spreadsheet.
    QString text() const;

    int rowCount(const QModelIndex& parent = {}) const final;
    int columnCount(const QModelIndex& parent = {}) const final;
    QVariant data(const QModelIndex& index, int role) const final;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const final;

private:
    void take_run();
    void take_head();
    QString cell(const ComparedRun& compared, Column column) const;

    Document& document_;
    Comparison comparison_;
    Index head_ = 0;
};

/// "Cannot run: expected one sequence; got two".
QString refusal_text(const Error& refusal);
/// "1.5 KB": with three digits that count.
QString bytes_text(double bytes);
/// "12.3 k", "1.20 M".
QString count_text(double count);

}  // namespace headlight
