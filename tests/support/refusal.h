#pragma once

// What the tests of readers share: a refusal is an Error that says where, what was expected and what was
// found.

#include "core/tensor/error.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace headlight::test {

/// The message of the Error that `read` throws; a failed test when it throws none, or something else.
inline std::string refusal(const std::function<void()>& read) {
    try {
        read();
    } catch (const Error& error) {
        EXPECT_FALSE(error.detail().what.empty());
        EXPECT_FALSE(error.detail().expected.empty()) << error.what();
        EXPECT_FALSE(error.detail().got.empty()) << error.what();
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        return error.what();
    } catch (const std::exception& error) {
        ADD_FAILURE() << "threw something that is not an Error: " << error.what();
        return {};
    }
    ADD_FAILURE() << "was accepted";
    return {};
}

/// What a refusal has to say, in any order of the rows.
inline void expect_refusal(const std::function<void()>& read, const std::vector<std::string>& parts) {
    const std::string message = refusal(read);
    for (const std::string& part : parts)
        EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is not in: " << message;
}

}  // namespace headlight::test
