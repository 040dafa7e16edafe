#pragma once

namespace headlight {

/// Around the making of the QApplication: where there is no display, Qt would print several lines and abort.
/// While this lives the program then ends with one line and status 1.
class DisplayCheck {
public:
    DisplayCheck();
    /// The application is there: Qt says again what it says by itself, and first what it said meanwhile.
    ~DisplayCheck();
    DisplayCheck(const DisplayCheck&) = delete;
    DisplayCheck& operator=(const DisplayCheck&) = delete;
};

}  // namespace headlight
