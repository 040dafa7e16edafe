#pragma once

#include "core/io/lesson_place.h"
#include "core/lesson/lesson.h"

#include <span>
#include <string_view>

namespace headlight {

/// A lesson inside the program: the files of a folder of resources/lessons (lesson_file.h).
struct LessonFiles {
    std::string_view id;
    std::string_view document, text;  ///< lesson.json, lesson.md
};

/// In no particular order; written by CMake from what is in resources/lessons.
std::span<const LessonFiles> lesson_files();

/// In the order in which they stand on one another.
const std::vector<Lesson>& shipped_lessons();

/// The lesson of that name inside the program, or the one of a folder. Throws Error naming those when it is
/// neither.
Lesson open_lesson(const std::string& id_or_folder);

/// The lesson of that place. Throws Error as well where it has no such step or part (any more).
Lesson open_lesson_at(const LessonPlace& place);

}  // namespace headlight
