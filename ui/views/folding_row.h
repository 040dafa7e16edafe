#pragma once

#include <QWidget>

class QBoxLayout;

namespace headlight {

/// Two parts beside each other, the first as wide as there is room for; below each other where a narrow
/// window has no room for both. They never make a window wider than the wider of them needs.
class FoldingRow : public QWidget {
    Q_OBJECT
public:
    FoldingRow(QWidget* first, QWidget* second, QWidget* parent = nullptr);

    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;

private:
    void fold();

    QWidget *first_, *second_;
    QBoxLayout* line_;
};

}  // namespace headlight
