#pragma once

#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

namespace headlight {

/// How far a head looks: a bar for each distance between a query and what it looks at, or for some together.
class DistanceBars : public QWidget {
    Q_OBJECT
public:
    explicit DistanceBars(QWidget* parent = nullptr);

    struct Bar {
        QString distance;  ///< "3", "24–31"
        double share = 0;  ///< of the weights
    };
    void show_bars(const QString& head, std::vector<Bar> bars);
    const std::vector<Bar>& bars() const { return bars_; }
    /// A line for each bar, distance and share separated by a tab, with all digits.
    QString text() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    /// Between the title and the labels.
    QRectF plot() const;
    QRectF column(std::size_t bar) const;
    QString sentence(const Bar& bar) const;

    QString head_;
    std::vector<Bar> bars_;
};

}  // namespace headlight
