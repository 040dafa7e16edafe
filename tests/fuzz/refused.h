#pragma once

// What every reader of tests/fuzz/readers.h holds to.

#include "core/tensor/error.h"

#include <cstdio>
#include <cstdlib>

namespace headlight::test {

/// Ends the process like a failed assertion, in every build: libFuzzer keeps the input that led here.
inline void require(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "broken: %s\n", what);
    std::abort();
}

/// Whether `use` ended without refusing.
template <class Use>
bool unless_refused(Use use) {
    try {
        use();
        return true;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace headlight::test
