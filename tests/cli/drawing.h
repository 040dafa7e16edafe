#pragma once

#include "tests/cli/program.h"

#include <algorithm>
#include <string>
#include <vector>

namespace headlight::test {

using Words = std::vector<std::string>;

inline bool has(const std::string& bytes, const std::string& part) {
    return bytes.find(part) != std::string::npos;
}

/// What was said on standard error beside what the axes of a capture are.
inline std::string without_axes(const std::string& error) {
    std::string rest;
    for (std::size_t begin = 0; begin < error.size();) {
        const std::size_t end = std::min(error.find('\n', begin), error.size() - 1) + 1;
        const std::string line = error.substr(begin, end - begin);
        if (!has(line, " is [") && !has(line, ", each ["))
            rest += line;
        begin = end;
    }
    return rest;
}

/// Tests of `headlight render`, each in a folder of its own.
class DrawingTest : public testing::Test {
protected:
    /// The bytes of `output`, drawn from the file `from` without a word on standard error, but for what the
    /// axes of a capture are.
    std::string draw_from(const std::string& from, const Words& arguments, const std::string& output) {
        Words all{"render", from, "-o", output};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const Outcome outcome = place_.run(all);
        EXPECT_EQ(outcome.status, 0) << outcome.error;
        EXPECT_EQ(without_axes(outcome.error), "");
        return place_.has(output) ? place_.read(output) : std::string();
    }

    Workplace place_;
};

}  // namespace headlight::test
