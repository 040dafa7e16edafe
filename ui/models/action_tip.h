#pragma once

#include <QString>

class QAction;

namespace headlight {

/// The tip that an action was given; empty where Qt would show its text again.
QString own_tip(const QAction& action);

/// From now on the tip of `action` says what it lacks while it is disabled, and else what it says now.
void tell_lack(QAction& action, const QString& lacks);

}  // namespace headlight
