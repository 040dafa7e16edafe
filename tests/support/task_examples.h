#pragma once

#include "core/model/tasks/task.h"
#include "core/tensor/sanitizers.h"
#include "tests/support/long_tests.h"

#include <string>

namespace headlight::test {

/// So many examples of a task show what holds for all of them, and what share is of which kind.
inline const Index task_draws = is_sanitized || !is_long() ? 4'000 : 20'000;

/// The tokens with a space between two of them.
inline std::string joined(const Tokens& tokens) {
    std::string text;
    for (const std::string& token : tokens)
        text += (text.empty() ? "" : " ") + token;
    return text;
}

}  // namespace headlight::test
