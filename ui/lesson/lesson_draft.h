#pragma once

#include "core/lesson/lesson.h"
#include "core/tensor/error.h"
#include "ui/models/process_lock.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// Where one window keeps the lesson that is being written in it: a file that it alone holds, guarded by a
/// lock file beside it ("lesson-draft.json", "lesson-draft-2.json", ...). Older versions kept a folder of two
/// files there ("lesson-draft"), which is read where there is no file yet. What could not be read is never
/// written over.
class LessonDraft {
public:
    /// Takes the newest lesson in `folder` that no other window holds, or a place for a new one.
    explicit LessonDraft(std::filesystem::path folder);

    /// The file of the lesson; empty where there is none to be had.
    std::filesystem::path file() const;
    /// The lesson that was there when it was taken.
    const std::optional<Lesson>& found() const { return found_; }

    struct Other {
        std::filesystem::path place;
        std::string title;
    };
    /// The lessons that were written in windows which are gone, newest first.
    std::vector<Other> others() const;
    /// Holds that one instead; false where another window has taken it meanwhile.
    bool change_to(const std::filesystem::path& other);

    /// Why what lies in a place could not be read, which the refusal names. It stays there as it is.
    const std::vector<Error>& unreadable() const { return unreadable_; }

private:
    /// A place that nobody else holds.
    struct Free {
        std::filesystem::path place;  ///< without an ending
        std::unique_ptr<ProcessLock> lock;
        std::filesystem::file_time_type written{};
        std::optional<Lesson> lesson;
    };
    /// Those with a lesson, newest first, then the first empty one. Why others cannot be read goes to
    /// `refusals`.
    std::vector<Free> free_places(std::vector<Error>* refusals = nullptr) const;
    void hold(Free& free);

    std::filesystem::path folder_, place_;
    std::unique_ptr<ProcessLock> lock_;
    std::optional<Lesson> found_;
    std::vector<Error> unreadable_;
};

}  // namespace headlight
