#pragma once

#include "tests/cli/program.h"

#include <algorithm>
#include <regex>

namespace headlight::test {

/// The program says no in one line on standard error that matches `message`, a regular expression, ends with
/// this status, and leaves nothing behind.
inline void expect_refused(const Workplace& place, std::vector<std::string> arguments, int status,
                           const std::string& message) {
    const auto before = place.folder().size();
    const Outcome outcome = place.run(std::move(arguments));
    EXPECT_EQ(outcome.status, status) << outcome.error;
    EXPECT_EQ(outcome.output, "");
    EXPECT_TRUE(std::regex_search(outcome.error, std::regex(message))) << outcome.error;
    EXPECT_EQ(std::ranges::count(outcome.error, '\n'), 1) << outcome.error;
    EXPECT_TRUE(outcome.error.starts_with("headlight: ")) << outcome.error;
    EXPECT_TRUE(outcome.error.ends_with('\n')) << outcome.error;
    EXPECT_EQ(place.folder().size(), before) << "something was left behind";
}

}  // namespace headlight::test
