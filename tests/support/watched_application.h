#pragma once

#include "tests/support/test_file.h"

#include <QApplication>

#include <memory>

namespace headlight {

/// The application of every test of the window: fails the test in whose time the event loop was blocked.
///
/// A turn is the handling of one event that is no part of handling another. What counts is the processor time
/// that the UI thread spends on it, and the limit grows with how slow the processor is at that moment: a
/// machine with much else to do fails no test. A thread of the watch looks at the clock of the UI thread;
/// when a turn has used up its 100 ms, a signal makes the UI thread note where it is. Half a second in which
/// it waits for a lock, a disk or another thread is as bad where a test asks for that: others wait for quick
/// work on purpose. To flush a file to the disk is, for any test and however quick the disk is.
class WatchedApplication : public QApplication {
public:
    WatchedApplication(int& argc, char** argv);
    ~WatchedApplication() override;

    bool notify(QObject* receiver, QEvent* event) override;

    /// From now on. Time in which the thread would run but for others is no such time; where the system does
    /// not tell it, waiting does not count.
    void count_waiting();

private:
    struct Watch;
    std::unique_ptr<Watch> watch_;
};

}  // namespace headlight

// Tests of the window are watched.
#undef QTEST_MAIN
#define QTEST_MAIN(Test) HEADLIGHT_TEST_FILE(headlight::WatchedApplication, Test)
