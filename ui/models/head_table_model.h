#pragma once

#include "core/analysis/distance_bins.h"
#include "ui/models/head_overviews.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>
#include <vector>

namespace headlight {

class Document;

/// The heads of a run as a table: a row each, with what it looks at in numbers (head_statistics()). They are
/// counted while somebody wants to see them (HeadOverviews).
class HeadTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { place_column, head_column, first_statistic };
    enum Role {
        NumberRole = Qt::UserRole,  ///< what the cell is sorted by; no number where nothing is known
        ShareRole,                  ///< the number's place between the least and the largest of its column
    };

    explicit HeadTableModel(Document& document, QObject* parent = nullptr);
    ~HeadTableModel() override;

    void set_wanted(bool wanted);
    bool is_counting() const;
    /// Gives up the counting.
    void cancel();
    /// Why there are no rows, or only those of the run before; empty where all is there.
    QString note() const;
    /// The keys that are hidden and what they had, in words; empty where none is.
    QString hidden_note() const;
    /// What the bins of HeadRow::distances stand for; nothing before there are numbers.
    std::optional<DistanceBins> distance_bins(int row) const;
    const HeadRow& at(int row) const { return overview_->heads[static_cast<std::size_t>(row)]; }
    /// The last column is what changes from what the run is compared with.
    bool compares() const;
    std::optional<int> row_of(const std::string& site, Index head) const;
    /// How many heads have a number in each of `bins` equal parts of the column's range, from the least to
    /// the largest; empty where there are not two different numbers.
    std::vector<int> histogram(int column, int bins) const;
    /// The least and the largest of a column; nothing where no head has a number.
    struct Range {
        double low = 0, high = 0;
    };
    std::optional<Range> range(int column) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    /// note() has changed.
    void note_changed();

private:
    void take();
    std::optional<double> number(int row, int column) const;
    /// That a column shows; nothing of the columns before the first one.
    std::optional<std::size_t> statistic_of(int column) const;

    HeadOverviews& overviews_;
    std::shared_ptr<const HeadOverview> overview_;
    std::shared_ptr<const Run> run_;  ///< that it is of
    bool has_layers_ = false;
    std::vector<std::optional<Range>> ranges_;                    ///< [statistic]
    std::vector<std::size_t> statistics_ = known_statistics({});  ///< those that have a column
};

}  // namespace headlight
