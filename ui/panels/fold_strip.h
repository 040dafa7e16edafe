#pragma once

#include <QAbstractButton>

namespace headlight {

/// What is left of a folded column of panels: a narrow strip with their name, which brings them back.
class FoldStrip : public QAbstractButton {
    Q_OBJECT
public:
    static constexpr int strip_width = 28;

    explicit FoldStrip(const QString& text, QWidget* parent = nullptr);

    QSize sizeHint() const override { return {strip_width, 160}; }

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace headlight
