#include "ui/panels/describe.h"

#include <QWidget>

namespace headlight {

void describe(QWidget* control, const QString& id, const QString& name, const QString& effect) {
    control->setObjectName(id);
    control->setAccessibleName(name);
    control->setAccessibleDescription(effect);
    control->setToolTip(effect);
}

}  // namespace headlight
