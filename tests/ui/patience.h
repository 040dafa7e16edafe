#pragma once

#include "core/tensor/sanitizers.h"
#include "tests/support/watched_application.h"

#include <QTest>

namespace headlight {

/// How long a test waits for what will happen, in milliseconds: as long as a machine may need that has much
/// else to do. A test that passes does not wait for it.
inline constexpr int patience = is_sanitized ? 240'000 : 60'000;

}  // namespace headlight

// Qt's own patience is five seconds.
#undef QTRY_VERIFY
#define QTRY_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, headlight::patience)
#undef QTRY_COMPARE
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, headlight::patience)
