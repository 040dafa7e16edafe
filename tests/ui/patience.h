#pragma once

#include "core/tensor/sanitizers.h"
#include "tests/support/watched_application.h"

#include <QTest>

#include <algorithm>

namespace headlight {

/// How long a test waits for what will happen, in milliseconds: as long as a machine may need that has much
/// else to do. A test that passes does not wait for it.
inline constexpr int patience = is_sanitized ? 240'000 : 60'000;

/// The passes of one wait, which lets events happen between them: short ones first, since most of what a test
/// waits for is there within a few milliseconds. Counted in milliseconds that were asked for, as Qt's own
/// macros count, so that a machine with much else to do has as many passes.
class Passes {
public:
    explicit Passes(int milliseconds) : most_(milliseconds) {}
    /// False when the time is over, or where the test has failed meanwhile, in a lambda or by a warning.
    bool goes_on() {
        if (waited_ >= most_ || (QTest::runningTest() && QTest::currentTestFailed()))
            return false;
        const int pass = std::min(next_, most_ - waited_);
        QTest::qWait(pass);
        waited_ += pass;
        constexpr int longest_pass = 50;
        next_ = std::clamp(2 * next_, 1, longest_pass);
        return true;
    }

private:
    int most_, waited_ = 0, next_ = 0;
};

}  // namespace headlight

// Qt's own patience is five seconds, it looks every 50 milliseconds, it asks for the condition two to four
// times on its way, and it builds the message of a test that passes.
#define HEADLIGHT_WAIT_FOR(condition, milliseconds)                                                          \
    for (headlight::Passes headlight_passes(milliseconds); !(condition) && headlight_passes.goes_on();) {    \
    }
#undef QTRY_VERIFY_WITH_TIMEOUT
#define QTRY_VERIFY_WITH_TIMEOUT(condition, milliseconds)                                                    \
    do {                                                                                                     \
        HEADLIGHT_WAIT_FOR(condition, milliseconds)                                                          \
        QVERIFY(condition);                                                                                  \
    } while (false)
#undef QTRY_VERIFY
#define QTRY_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, headlight::patience)
#undef QTRY_COMPARE_WITH_TIMEOUT
#define QTRY_COMPARE_WITH_TIMEOUT(actual, expected, milliseconds)                                            \
    do {                                                                                                     \
        HEADLIGHT_WAIT_FOR((actual) == (expected), milliseconds)                                             \
        QCOMPARE(actual, expected);                                                                          \
    } while (false)
#undef QTRY_COMPARE
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, headlight::patience)
#undef QTRY_VERIFY2_WITH_TIMEOUT
#define QTRY_VERIFY2_WITH_TIMEOUT(condition, message, milliseconds)                                          \
    do {                                                                                                     \
        headlight::Passes headlight_passes(milliseconds);                                                    \
        bool headlight_holds = static_cast<bool>(condition);                                                 \
        while (!headlight_holds && headlight_passes.goes_on())                                               \
            headlight_holds = static_cast<bool>(condition);                                                  \
        if (!headlight_holds) {                                                                              \
            QTest::qVerify(false, #condition, static_cast<const char*>(message), __FILE__, __LINE__);        \
            return;                                                                                          \
        }                                                                                                    \
    } while (false)
#undef QTRY_VERIFY2
#define QTRY_VERIFY2(condition, message) QTRY_VERIFY2_WITH_TIMEOUT(condition, message, headlight::patience)
