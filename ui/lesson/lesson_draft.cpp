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

fs::path file_of(const fs::path& place) { return place.string() + ".json"; }

/// The newest of what stands for a lesson there; nothing where none of it does.
std::optional<fs::file_time_type> last_written(const fs::path& place) {
    std::optional<fs::file_time_type> newest;
    for (const fs::path& file : {file_of(place), place / "lesson.json", place / "lesson.md"}) {
        std::error_code missing;
        const fs::file_time_type written = fs::last_write_time(file, missing);
        if (!missing)
            newest = std::max(newest.value_or(written), written);
    }
    return newest;
}

Lesson read_place(const fs::path& place) {
    std::error_code missing;
    return fs::exists(fs::symlink_status(file_of(place), missing)) ? read_lesson_draft(file_of(place))
                                                                   : read_lesson(place, Unfinished::allowed);
}

}  // namespace

LessonDraft::LessonDraft(fs::path folder) : folder_(std::move(folder)) {
    std::error_code failure;
    fs::create_directories(folder_, failure);  // where it fails no place is free
    std::vector<Free> places = free_places(&unreadable_);
    if (!places.empty())
        hold(places.front());
}

fs::path LessonDraft::file() const { return place_.empty() ? fs::path() : file_of(place_); }

std::vector<LessonDraft::Free> LessonDraft::free_places(std::vector<Error>* refusals) const {
    std::vector<Free> places;
    bool has_empty = false;
    for (int number = 1; number <= most_drafts; ++number) {
        Free free;
        free.place = numbered_place(folder_, number);
        const auto written = last_written(free.place);
        const bool is_empty = !written;
        if (free.place == place_ || (is_empty && has_empty))
            continue;
        free.lock = ProcessLock::take(free.place.string() + ".lock");
        if (!free.lock)
            continue;
        if (!is_empty) {
            try {
                free.lesson = read_place(free.place);
            } catch (const Error& error) {
                if (refusals)
                    refusals->push_back(error);
                continue;
            }
            free.written = *written;
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
