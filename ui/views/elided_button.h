#pragma once

#include <QToolButton>

namespace headlight {

/// A button in a line that has little room: its text ends in "…" where it does not fit, and never makes a
/// window wider.
class ElidedButton : public QToolButton {
    Q_OBJECT
public:
    explicit ElidedButton(QWidget* parent = nullptr);

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// What the button takes beside its text.
    int frame_width() const;
};

}  // namespace headlight
