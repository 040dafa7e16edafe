#include "ui/models/action_tip.h"

#include <QAction>

namespace headlight {

QString own_tip(const QAction& action) {
    const QString tip = action.toolTip();
    return tip == QAction(action.text()).toolTip() ? QString() : tip;
}

}  // namespace headlight
