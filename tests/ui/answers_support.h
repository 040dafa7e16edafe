#pragma once

#include "tests/ui/patience.h"
#include "ui/lesson/class_answers.h"

#include <QTest>

#include <optional>
#include <utility>
#include <vector>

namespace headlight {

/// What a class has answered by now; fails the test where it cannot be read.
inline std::vector<GivenAnswer> answers_of(ClassAnswers& book) {
    std::optional<std::vector<GivenAnswer>> read;
    book.read(
        &book, [&](std::vector<GivenAnswer> given) { read = std::move(given); },
        [&](const Error& error) {
            QTest::qFail(error.what(), __FILE__, __LINE__);
            read.emplace();
        });
    if (!QTest::qWaitFor([&] { return read.has_value(); }, patience))
        qFatal("the answers were not read");
    return *std::move(read);
}

}  // namespace headlight
