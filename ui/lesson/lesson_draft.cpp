#include "ui/lesson/lesson_draft.h"

#include "core/lesson/lesson_file.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr int most_drafts = 32;

fs::path numbered_place(const fs::path& folder, int number) {
    return folder / (number == 1 ? "lesson-draft" : "lesson-draft-" + std::to_string(number));
}

}  // namespace

LessonDraft::LessonDraft(fs::path folder) : folder_(std::move(folder)) {
    std::error_code failure;
    fs::create_directories(folder_, failure);  // where it fails no place is free
    std::vector<Free> places = free_places();
    if (!places.empty())
        hold(places.front());
}

std::vector<LessonDraft::Free> LessonDraft::free_places() const {
    std::vector<Free> places;
    bool has_empty = false;
    std::error_code missing;
    for (int number = 1; number <= most_drafts; ++number) {
        Free free;
        free.place = numbered_place(folder_, number);
        const bool is_empty = !fs::exists(free.place / "lesson.json", missing) &&
                              !fs::exists(free.place / "lesson.md", missing);
        if (free.place == place_ || (is_empty && has_empty))
            continue;
        free.lock = ProcessLock::take(free.place.string() + ".lock");
        if (!free.lock)
            continue;
        if (!is_empty) {
            try {
                free.lesson = read_lesson(free.place);
            } catch (const Error&) {
                continue;
            }
            for (const auto& file : fs::directory_iterator(free.place, missing))
                free.written = std::max(free.written, file.last_write_time(missing));
        }
        has_empty = has_empty || is_empty;
        places.push_back(std::move(free));
    }
    std::ranges::stable_sort(places, [](const Free& a, const Free& b) {
        return std::pair(a.lesson.has_value(), a.written) > std::pair(b.lesson.has_value(), b.written);
    });
    return places;
}

void LessonDraft::hold(Free& free) {
    place_ = free.place;
    lock_ = std::move(free.lock);
    found_ = std::move(free.lesson);
}

std::vector<LessonDraft::Other> LessonDraft::others() const {
    std::vector<Other> others;
    for (const Free& free : free_places())
        if (free.lesson)
            others.push_back({free.place, free.lesson->title});
    return others;
}

bool LessonDraft::change_to(const fs::path& other) {
    std::vector<Free> places = free_places();
    const auto found = std::ranges::find(places, other, &Free::place);
    if (found == places.end() || !found->lesson)
        return false;
    hold(*found);
    return true;
}

}  // namespace headlight
