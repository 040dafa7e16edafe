#pragma once

#include <QFrame>

class QLabel;
class QLineEdit;
class QModelIndex;
class QTreeView;

namespace headlight {

/// Rows to pick one from, with a search line above them. The keys go to the search line; the arrows, page
/// keys and Return that it has no use for are those of the rows.
class SearchPopup : public QFrame {
    Q_OBJECT
public:
    explicit SearchPopup(QWidget* parent);

    /// Shows what the text of the search line finds.
    virtual void filter() = 0;

protected:
    QLineEdit& search() const { return *search_; }
    QTreeView& rows() const { return *rows_; }
    /// What stands in place of the rows when there are none.
    QLabel& nothing() const { return *nothing_; }
    void put_below_search(QWidget* part);
    /// Shows the popup below `anchor`, at least as wide as that and as `width` where the screen is, and above
    /// the bars at the bottom of its window.
    void show_below(const QWidget& anchor, int width);
    /// Shows the popup over the upper middle of `window`.
    void show_over(const QWidget& window, int width);
    void show_whether_found(bool found_any);
    /// No heading, and nothing that cannot stand here.
    static bool can_be_picked(const QModelIndex& index);
    /// Makes the row current that is `by` rows further, without those that cannot be picked; the first one
    /// where none was.
    void move_current(int by);
    /// That row of rows() was picked, and the popup is gone.
    virtual void accept(const QModelIndex& index) = 0;
    /// That row was to be picked and cannot be; an invalid one where Return was pressed and none is current.
    virtual void refuse(const QModelIndex&) {}
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Shows it there, as far as there is room.
    void show_at(QRect place, const QRect& room);
    void pick(const QModelIndex& index);

    QLineEdit* search_;
    QTreeView* rows_;
    QLabel* nothing_;
};

}  // namespace headlight
