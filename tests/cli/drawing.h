#pragma once

#include "tests/cli/program.h"

#include <string>
#include <vector>

namespace headlight::test {

using Words = std::vector<std::string>;

inline bool has(const std::string& bytes, const std::string& part) {
    return bytes.find(part) != std::string::npos;
}

/// Tests of `headlight render`, each in a folder of its own.
class DrawingTest : public testing::Test {
protected:
    /// The bytes of `output`, drawn from the file `from` without a word on standard error.
    std::string draw_from(const std::string& from, const Words& arguments, const std::string& output) {
        Words all{"render", from, "-o", output};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const Outcome outcome = place_.run(all);
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        EXPECT_EQ(outcome.error, "");
        return place_.has(output) ? place_.read(output) : std::string();
    }

    Workplace place_;
};

}  // namespace headlight::test
