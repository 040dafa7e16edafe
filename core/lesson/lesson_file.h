#pragma once

#include "core/lesson/lesson.h"

#include <filesystem>
#include <string_view>

namespace headlight {

inline constexpr const char* lesson_format = "headlight-lesson/1";

/// The lesson of the two files of a folder: lesson.json, what the program does in each step, and lesson.md,
/// what it says: a heading of the first level, the lesson's title, then one of the second level for each
/// step; in a step a line of three dashes stands before what each reveal adds. A step begins where the one
/// before it ended. Throws Error for what is neither, and where they have different numbers of steps.
Lesson parse_lesson(std::string id, std::string_view document, std::string_view text);

/// Of a folder, by whose name it is called.
Lesson read_lesson(const std::filesystem::path& folder);

/// The two files of a lesson; parse_lesson() makes the same lesson of them.
struct LessonText {
    std::string document, text;  ///< lesson.json, lesson.md
};
/// A step is written as what changes from the one before it. A line that would begin a step or a part gets a
/// backslash in front, by which Markdown shows it as it is.
LessonText lesson_text(const Lesson& lesson);

/// Into a folder, which is made where there is none.
void write_lesson(const std::filesystem::path& folder, const Lesson& lesson);

}  // namespace headlight
