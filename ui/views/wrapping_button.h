#pragma once

#include <QToolButton>

namespace headlight {

/// A button whose text goes on in the next line where its place is too narrow. Its text never makes a panel
/// wider.
class WrappingButton : public QToolButton {
    Q_OBJECT
public:
    explicit WrappingButton(QWidget* parent = nullptr);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// The text with a line break wherever the next word would leave the button's `width`.
    QString wrapped(int width) const;
};

}  // namespace headlight
