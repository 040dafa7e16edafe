#pragma once

#include <QString>

class QWidget;

namespace headlight {

/// Tells a screen reader what `control` is and everybody what it does to the formula; `id` finds it in tests.
void describe(QWidget* control, const QString& id, const QString& name, const QString& effect);

}  // namespace headlight
