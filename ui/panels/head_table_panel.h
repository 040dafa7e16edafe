#pragma once

#include <QWidget>

#include <memory>
#include <vector>

class QLabel;
class QSortFilterProxyModel;
class QTableView;
class QToolButton;

namespace headlight {

class ContextMenu;
class DistanceBars;
class Document;
class HeadTableModel;
class HistogramHeader;

/// The view of the heads in numbers: a table that is sorted by any column, above each its histogram. The row
/// of the selected head is chosen, and choosing a row selects its head; a double click shows its map. Under
/// the table: how far the selected head looks.
class HeadTablePanel : public QWidget {
    Q_OBJECT
public:
    explicit HeadTablePanel(Document& document, QWidget* parent = nullptr);

    QTableView& table() const { return *table_; }
    /// What can be done with the table and the head that is chosen in it; null where it has none.
    std::unique_ptr<ContextMenu> menu_here();
    /// The table as it is sorted, separated by tabs, with all digits.
    QString text() const;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void set_table();
    /// Shows what changes, here and elsewhere.
    void follow();
    /// Sorts by the column of the current cell, as a click on its title does, which the keys do not reach.
    void sort_by_column();
    void show_selected();
    void show_distances();
    void select_row(const QModelIndex& row);
    void show_map(const QModelIndex& row);
    QWidget* build_note();
    void show_note();
    void fit();
    /// As wide as their cells and their titles.
    void size_columns();
    /// A column of places and titles on one line where everything has room, else the names beside the rows,
    /// which stay in sight however far columns are scrolled, and titles on two lines.
    void name_heads_once();
    /// Returns the first column that is shown.
    int first_column() const;
    /// Brings the row of the selected head into sight, and leaves the columns where they are.
    void scroll_to_selected();

    Document& document_;
    HeadTableModel* model_;
    QSortFilterProxyModel* sorted_;
    QTableView* table_;
    HistogramHeader* titles_;
    DistanceBars* distances_;
    QLabel* note_;
    QToolButton* cancel_;
    std::vector<int> cell_widths_;  ///< [column], what its numbers need
    int whole_width_ = 0;           ///< of all columns with their titles on one line
    bool is_following_ = false;     ///< the chosen row follows the selection, and not the other way
};

}  // namespace headlight
