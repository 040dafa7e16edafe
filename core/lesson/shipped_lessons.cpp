#include "core/lesson/shipped_lessons.h"

#include "core/lesson/lesson_file.h"
#include "core/tensor/error.h"
#include "core/tensor/words.h"

#include <algorithm>

namespace headlight {

const std::vector<Lesson>& shipped_lessons() {
    static const std::vector<Lesson> lessons = [] {
        std::vector<Lesson> read;
        for (const LessonFiles& files : lesson_files()) {
            read.push_back(parse_lesson(std::string(files.id), files.document, files.text));
            read.back().source = files.id;
        }
        std::ranges::sort(read, {}, &Lesson::order);
        return read;
    }();
    return lessons;
}

Lesson open_lesson(const std::string& id_or_folder) {
    const std::vector<Lesson>& lessons = shipped_lessons();
    if (const auto found = std::ranges::find(lessons, id_or_folder, &Lesson::id); found != lessons.end())
        return *found;
    std::error_code ignored;
    if (std::filesystem::is_directory(id_or_folder, ignored))
        return read_lesson(id_or_folder);
    std::vector<std::string> ids;
    ids.reserve(lessons.size());
    for (const Lesson& each : lessons)
        ids.push_back(each.id);
    throw Error(
        {"open a lesson", "", "a folder, or one of " + list_of(ids), quoted_with_hint(id_or_folder, ids)});
}

Lesson open_lesson_at(const LessonPlace& place) {
    Lesson lesson = open_lesson(place.lesson);
    const auto require = [&](const char* what, std::size_t at, std::size_t count) {
        if (at >= count)
            throw Error({"open a lesson", place.lesson, what + (' ' + std::to_string(at + 1)),
                         "one of " + std::to_string(count)});
    };
    require("step", place.step, lesson.steps.size());
    require("part", place.state, lesson.steps[place.step].states.size());
    return lesson;
}

}  // namespace headlight
