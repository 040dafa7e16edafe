#include "ui/models/action_tip.h"

#include <QAction>

namespace headlight {

QString own_tip(const QAction& action) {
    const QString tip = action.toolTip();
    return tip == QAction(action.text()).toolTip() ? QString() : tip;
}

void tell_lack(QAction& action, const QString& lacks) {
    const auto follow = [&action, effect = own_tip(action), lacks] {
        action.setToolTip(action.isEnabled() ? effect : lacks);
    };
    QObject::connect(&action, &QAction::enabledChanged, &action, follow);
    follow();
}

}  // namespace headlight
