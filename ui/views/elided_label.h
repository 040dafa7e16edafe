#pragma once

#include <QLabel>

namespace headlight {

/// One line of plain text that takes what room there is and ends in "…" where that is too little.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    /// What can be read at the present width.
    QString shown_text() const;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace headlight
