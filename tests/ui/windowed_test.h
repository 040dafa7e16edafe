#pragma once

#include "tests/ui/window_support.h"

namespace headlight {

/// Tests that begin each with a window of their own.
class WindowedTest : public QObject {
    Q_OBJECT
protected slots:
    void init() {
        fail_on_warnings();
        test_ = std::make_unique<WindowUnderTest>();
    }
    void cleanup() { test_.reset(); }

protected:
    /// In place of init(), for those that begin with a first start.
    void init_first_start() {
        fail_on_warnings();
        test_ = std::make_unique<WindowUnderTest>(WindowUnderTest::Beginning::first_start);
    }

    std::unique_ptr<WindowUnderTest> test_;
};

}  // namespace headlight
