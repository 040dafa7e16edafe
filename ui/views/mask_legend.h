#pragma once

#include "core/tensor/tensor.h"

#include <QWidget>

namespace headlight {

/// What the colours of a mask that is drawn mean, in one line.
class MaskLegend : public QWidget {
    Q_OBJECT
public:
    explicit MaskLegend(QWidget* parent = nullptr);

    /// With what is reached through so many layers; beyond one there is a colour for that.
    void show_layers(Index layers);
    QStringList entries() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Index layers_ = 1;
};

}  // namespace headlight
