#pragma once

#include "core/figure/figure.h"

#include <QWidget>

class QDoubleSpinBox;
class QSpinBox;

namespace headlight {

class ElidedLabel;

/// The line under a picture of lines: the weakest line that is drawn, how many of each query are, what is
/// hidden, and whose lines are held.
class LinesBar : public QWidget {
    Q_OBJECT
public:
    explicit LinesBar(QWidget* parent = nullptr);

    void show_choice(const LineChoice& choice);
    void show_hidden(const HiddenLines& hidden);
    /// In words, whose lines are held; empty when none are.
    void show_held(const QString& held);

signals:
    void chosen(const LineChoice& choice);
    /// Somebody wants all lines again.
    void release_asked();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// How lines are kept, in as many words as have room.
    void show_hint();

    LineChoice choice_;
    bool is_held_ = false;
    QDoubleSpinBox* least_;
    QSpinBox* most_;
    ElidedLabel *hidden_, *held_;
    QWidget* release_;
};

}  // namespace headlight
