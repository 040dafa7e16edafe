#pragma once

#include <QString>

namespace headlight {

/// Works in a window like a person in a hurry until the program is killed: types, saves, exports, trains a
/// model, goes through lessons and presents them, writes a lesson, draws a mask, has no room on the disk for
/// a while, closes the window and opens it again. What has happened is written to "log.txt" in the folder, a
/// line each: the monotonic clock in nanoseconds, a word, and a number or a text.
int work_until_killed(int argc, char** argv, const QString& folder, unsigned seed);

}  // namespace headlight
