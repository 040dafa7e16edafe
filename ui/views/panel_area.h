#pragma once

#include <QScrollArea>

namespace headlight {

/// A panel as tall as its controls need, scrolled where the window is not so tall; never narrower than its
/// controls.
class PanelArea : public QScrollArea {
    Q_OBJECT
public:
    explicit PanelArea(QWidget* panel, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

public slots:
    void show_top();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace headlight
