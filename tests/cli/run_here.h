#pragma once

// The command line inside the test's own process: for tests that ask thousands of times, where starting a
// program would take ten times as long as its answer.

#include "app/cli/cli.h"
#include "tests/cli/program.h"

namespace headlight::test {

inline Outcome run_here(const std::vector<std::string>& arguments) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Outcome outcome;
    outcome.status = run_command_line(arguments);
    outcome.output = testing::internal::GetCapturedStdout();
    outcome.error = testing::internal::GetCapturedStderr();
    return outcome;
}

}  // namespace headlight::test
