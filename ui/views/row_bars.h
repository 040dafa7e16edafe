#pragma once

#include "ui/models/found_tokens.h"
#include "ui/views/cell_report.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// Weights as horizontal bars with the tokens' names and the numbers, in the order of the tokens or sorted:
/// of one query for all keys, or for one key of all queries. Bars of negative weights go to the left of the
/// line at zero.
class RowBars : public QWidget {
    Q_OBJECT
public:
    explicit RowBars(QWidget* parent = nullptr);

    void set_row(const RowReport& row, const TokenLabels& tokens, std::optional<Index> marked_key);
    void set_column(const ColumnReport& column, const TokenLabels& tokens);
    void clear();
    void set_sorted(bool sorted);
    /// The longest bar is as long as there is room; otherwise a bar of that length is a weight of 1.
    void set_fitted(bool fitted);

    /// Tokens that were searched for are marked before their bars.
    void set_found(std::vector<TokenRange> found);

    int bar_height() const;
    /// The marked key's bar; null without one.
    QRect marked_rect() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// A token's bar was clicked.
    void token_chosen(headlight::Index token);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    struct Bar {
        Index token;
        std::string name;
        double weight;
        ForbiddenBy forbidden;
        bool hidden;  ///< no number stands for it in the picture

        /// Made where it is seen: a long text has tens of thousands of bars.
        QString text() const { return QString::fromStdString(name); }
    };
    /// What all bars together take: pixels of the widest name and number, and between which weights they lie.
    struct Extent {
        int name = 0, number = 0;
        double smallest = 0, largest = 0;
    };
    Extent measured() const;
    /// What stands right of the bar: "0.1234", "−0.0756", or a dash for a pair that may not meet.
    static QString number_of(const Bar& bar);
    void set_bars(Axis axis, const std::vector<double>& weights, const std::vector<ForbiddenBy>& forbidden,
                  const std::vector<Index>& by_weight, const TokenLabels& tokens);
    void arrange();
    const Bar* bar_at(QPoint point) const;

    std::vector<Bar> by_token_;
    std::vector<Index> by_weight_;
    std::vector<const Bar*> shown_;
    std::optional<Extent> extent_;  ///< once they have been painted
    std::optional<Index> marked_;
    std::vector<TokenRange> found_;
    bool sorted_ = false, fitted_ = false;
};

}  // namespace headlight
