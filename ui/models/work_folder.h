#pragma once

#include "core/io/lesson_place.h"
#include "core/io/session.h"
#include "ui/models/process_lock.h"

#include <QString>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

// The folder in which windows keep their work (see Autosave):
// - window-N.json, window-N.lock: the work of a window, and who holds it
// - unsaved-TIME.json: sessions that were put aside, not for ever
// - unreadable-TIME.json: what stood in the place of a window and could not be parsed

/// A session that is open, and the file that it belongs to.
struct OpenWork {
    Session session;
    QString file;        ///< where it was last saved or opened; empty for never
    bool saved = false;  ///< nothing had changed since
};

/// The lesson that a window was in: its own session and file, apart from the person's.
struct LastLesson : OpenWork {
    LessonPlace place;
};

/// What a window had open when it ended.
struct LastWork : OpenWork {  ///< the person's own, inside a lesson too
    bool was_closed = false;  ///< the window was closed; otherwise it was killed
    std::optional<LastLesson> lesson{};
    std::shared_ptr<const MatrixMask> drawing{};  ///< of the mask editor that was open; null where none was
};

inline constexpr int most_windows = 32;

/// "window-3", without an extension.
std::filesystem::path window_place(const std::filesystem::path& folder, int number);
/// The lock of a place; null when a running window holds it, and where no lock can be made.
std::unique_ptr<ProcessLock> locked_place(const std::filesystem::path& place);

std::string write_last_work(const LastWork& work);
/// Throws Error for anything else.
LastWork parse_last_work(const std::string& bytes);

/// A name in the folder that is not taken: "unsaved-2024-05-01-120000-000.json".
std::filesystem::path aside_name(const std::filesystem::path& folder, const char* prefix);
inline constexpr const char* unsaved = "unsaved-";
inline constexpr const char* unreadable = "unreadable-";
/// Work put aside is for the day on which somebody misses it, not for ever: all but the newest go. Returns
/// those that went, so that a person can be told.
inline constexpr std::size_t most_unsaved = 100;
std::vector<std::filesystem::path> remove_oldest_unsaved(const std::filesystem::path& folder);

}  // namespace headlight
