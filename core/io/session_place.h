#pragma once

#include "core/io/session.h"

#include <filesystem>
#include <string>

namespace headlight {

// A session and a model of one's own, or a capture, lie in folders that are copied, mailed and moved
// together: in the file they are called from where the file lies ("./models/mine", "../mine"), unless they
// are far apart.

/// As `session` is written to `file`.
Session stored_in(Session session, const std::filesystem::path& file);
/// write_session() of that. The hash of the model is that of the one which lies where `session` says.
std::string write_session_to(const std::filesystem::path& file, const Session& session);
/// As `session` is once it has been read from `file`.
Session found_in(Session session, const std::filesystem::path& file);

}  // namespace headlight
