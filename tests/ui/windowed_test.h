#pragma once

#include "tests/ui/window_support.h"
#include "ui/panels/theme.h"

namespace headlight {

/// The window of a test, made when the test first asks for it: many rows need none.
class WindowWhenAsked {
public:
    WindowUnderTest* operator->() const { return &made(); }
    WindowUnderTest& operator*() const { return made(); }

    /// Closes it, where it was made; who asks again gets another.
    void reset(WindowUnderTest::Beginning beginning = WindowUnderTest::Beginning::panels) {
        window_.reset();
        beginning_ = beginning;
    }

private:
    WindowUnderTest& made() const {
        if (!window_)
            window_ = std::make_unique<WindowUnderTest>(beginning_);
        return *window_;
    }

    mutable std::unique_ptr<WindowUnderTest> window_;
    WindowUnderTest::Beginning beginning_ = WindowUnderTest::Beginning::panels;
};

/// Tests that begin each with a window of their own.
class WindowedTest : public QObject {
    Q_OBJECT
protected slots:
    void init() { begin(WindowUnderTest::Beginning::panels); }
    void cleanup() { test_.reset(); }

protected:
    /// In place of init(), for those that begin with a first start.
    void init_first_start() { begin(WindowUnderTest::Beginning::first_start); }

    WindowWhenAsked test_;

private:
    void begin(WindowUnderTest::Beginning beginning) {
        fail_on_warnings();
        apply_theme(FigureTheme::light);  // as a window does that is made: a row without one has the same
        test_.reset(beginning);
    }
};

}  // namespace headlight
