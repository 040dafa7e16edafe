#pragma once

#include <QString>

class QAction;

namespace headlight {

/// The tip that an action was given; empty where Qt would show its text again.
QString own_tip(const QAction& action);

}  // namespace headlight
