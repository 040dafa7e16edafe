#pragma once

#include "ui/views/cost_chart.h"

#include <QWidget>

namespace headlight {

/// A chart on screen, in the colours of the window.
class CostPlot : public QWidget {
    Q_OBJECT
public:
    explicit CostPlot(QWidget* parent = nullptr);

    void set_chart(CostChart chart);
    const CostChart& chart() const { return chart_; }

    /// As a picture on white, by the name's ending (.png or .svg), written atomically. Throws Error.
    void save(const QString& path) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    CostChart chart_;
};

}  // namespace headlight
