#pragma once

#include "core/io/lesson_place.h"
#include "core/io/session.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace headlight {

// A session and a model of one's own, or a capture, lie in folders that are copied, mailed and moved
// together: in the file they are called from where the file lies ("./models/mine", "../mine"), unless they
// are far apart.

/// As `session` is written to `file`.
Session stored_in(Session session, const std::filesystem::path& file);
/// write_session() of that. The hash of the model is that of the one which lies where `session` says. A
/// session that is saved inside a lesson says where in it, so that opening the file comes back to the step.
std::string write_session_to(const std::filesystem::path& file, const Session& session,
                             const std::optional<LessonPlace>& lesson = {});
/// As `session` is once it has been read from `file`.
Session found_in(Session session, const std::filesystem::path& file);

/// What the file of a session holds.
struct SessionFile {
    Session session;
    std::optional<LessonPlace> lesson;  ///< nothing where it was not saved inside a lesson
};
/// What write_session_to() has written to `file`, with everything found from there.
SessionFile read_session_of(const std::filesystem::path& file, std::string_view text);

}  // namespace headlight
