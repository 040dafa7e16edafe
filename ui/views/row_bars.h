#pragma once

#include "ui/views/cell_report.h"

#include <QWidget>

namespace headlight {

/// One query's weights as horizontal bars with the keys' names and the numbers, in the order of the keys or
/// sorted. Bars of negative weights go to the left of the line at zero.
class RowBars : public QWidget {
    Q_OBJECT
public:
    explicit RowBars(QWidget* parent = nullptr);

    void set_row(const RowReport& row, const TokenLabels& tokens, std::optional<Index> marked_key);
    void clear();
    void set_sorted(bool sorted);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// A key's bar was clicked.
    void key_chosen(headlight::Index key);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    struct Bar {
        Index key;
        QString name;
        double weight;
        bool forbidden;
    };
    /// What stands right of the bar: "0.1234", "−0.0756", or a dash for a pair that may not meet.
    static QString number_of(const Bar& bar);
    void arrange();
    int bar_height() const;
    const Bar* bar_at(QPoint point) const;

    std::vector<Bar> by_key_;
    std::vector<Index> by_weight_;
    std::vector<const Bar*> shown_;
    std::optional<Index> marked_key_;
    bool sorted_ = false;
};

}  // namespace headlight
