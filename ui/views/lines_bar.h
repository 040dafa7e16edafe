#pragma once

#include "ui/views/line_filter.h"

#include <QWidget>

class QDoubleSpinBox;

namespace headlight {

class ElidedLabel;

/// The line under a picture of lines: the weakest line that is drawn, what is hidden, and whose lines are
/// held.
class LinesBar : public QWidget {
    Q_OBJECT
public:
    explicit LinesBar(QWidget* parent = nullptr);

    /// Lines of smaller numbers are hidden.
    double least() const;
    void show_hidden(const HiddenLines& hidden);
    /// In words, whose lines are held; empty when none are.
    void show_held(const QString& held);

signals:
    void least_changed();
    /// Somebody wants all lines again.
    void release_asked();

private:
    QDoubleSpinBox* least_;
    ElidedLabel *hidden_, *held_;
    QWidget* release_;
};

}  // namespace headlight
