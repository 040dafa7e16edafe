#pragma once

#include "ui/models/weight_movement.h"

#include <QFrame>

class QDoubleSpinBox;
class QSlider;

namespace headlight {

/// Asks for one weight of a model beside its cell: a slider and a number. The model decodes on from every
/// value that is passed; all of it is one step to undo. Enter, Escape and a click elsewhere close it.
class WeightPopup : public QFrame {
    Q_OBJECT
public:
    /// `title`: which weight. Deletes itself when it is closed.
    WeightPopup(Document& document, const Intervention& at, const QString& title, QWidget* parent);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    WeightMovement movement_;
    QSlider* slider_;
    QDoubleSpinBox* field_;
};

}  // namespace headlight
