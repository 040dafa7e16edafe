#pragma once

#include <QLabel>

namespace headlight {

/// Wrapped, selectable text that is laid out once for its width. A QLabel lays such text out afresh for every
/// question that a layout asks about its height, in a panel a dozen times a frame: dragging a slider waited
/// for it.
class WrappedLabel : public QLabel {
    Q_OBJECT
public:
    explicit WrappedLabel(QWidget* parent = nullptr);

    void show_text(const QString& text);

    bool hasHeightForWidth() const override { return false; }
    QSize sizeHint() const override { return minimumSizeHint(); }
    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();
};

}  // namespace headlight
