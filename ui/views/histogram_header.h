#pragma once

#include <QHeaderView>

namespace headlight {

class HeadTableModel;

/// Titles of columns, and under each how many heads have which number: from the least on the left to the
/// largest on the right.
class HistogramHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit HistogramHeader(const HeadTableModel& model, QWidget* parent = nullptr);

    /// Titles on two lines, and room for the arrow in the column alone that is sorted by: where columns are
    /// many for their view. Who folds it sizes the sections anew, and again when another column is sorted by.
    void fold(bool folded);
    bool is_folded() const { return is_folded_; }
    QSize sizeHint() const override;

protected:
    QSize sectionSizeFromContents(int section) const override;
    void paintSection(QPainter* painter, const QRect& place, int section) const override;

private:
    int histogram_height() const;
    /// Below the titles; 0 where there is nothing to draw: one head, or heads that are all alike, have no
    /// distribution.
    int band_height() const;
    void look_for_bars();

    const HeadTableModel& model_;
    bool has_bars_ = false;
    bool is_folded_ = false;
};

}  // namespace headlight
