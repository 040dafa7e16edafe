#pragma once

#include "core/lesson/lesson.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace headlight {

inline constexpr const char* lesson_format = "headlight-lesson/1";
inline constexpr const char* draft_format = "headlight-lesson-draft/1";

/// More are neither read nor offered to be made.
inline constexpr std::size_t most_lesson_steps = 100, most_lesson_reveals = 100;

/// Whether a question may lack its words, its tokens or its answers: whoever writes a lesson may leave it for
/// a while, nobody can be asked it.
enum class Unfinished { refused, allowed };

/// Throws Error where the question cannot be asked. `pointer` is where it stands.
void require_finished(const Question& question, const std::string& pointer = {});

/// The lesson of the two files of a folder: lesson.json, what the program does in each step, and lesson.md,
/// what it says: a heading of the first level, the lesson's title, then one of the second level for each
/// step; in a step a line of three dashes stands before what each reveal adds. A step begins where the one
/// before it ended. Throws Error for what is neither, and where they have different numbers of steps.
Lesson parse_lesson(std::string id, std::string_view document, std::string_view text,
                    Unfinished unfinished = Unfinished::refused);

/// Reads the lesson in a folder, by whose name it is called.
Lesson read_lesson(const std::filesystem::path& folder, Unfinished unfinished = Unfinished::refused);

/// A lesson that is being written, in one document, so that it is whole on the disk or as it was before:
/// lesson.json with titles and texts beside what is shown, and in `source` the folder that it was saved in.
/// Whatever the editor can hold comes back.
std::string write_lesson_draft(const Lesson& lesson);
/// Throws Error for anything else.
Lesson parse_lesson_draft(std::string_view text);
/// Reads the draft in a file, which a refusal names.
Lesson read_lesson_draft(const std::filesystem::path& file);

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
