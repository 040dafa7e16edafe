#include "core/io/session_place.h"

#include <algorithm>

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// Further up, two folders have nothing to do with each other.
constexpr auto most_steps_up = 2;

fs::path folder_of(const fs::path& file) { return fs::absolute(file).lexically_normal().parent_path(); }

/// `path` as it is called in a file of that folder.
std::string called_from(const fs::path& folder, const std::string& path) {
    if (!fs::path(path).is_absolute())
        return path;
    const fs::path way = fs::path(path).lexically_normal().lexically_relative(folder);
    if (way.empty() || std::ranges::count(way, fs::path("..")) > most_steps_up)
        return path;
    return (*way.begin() == ".." ? way : "." / way).generic_string();
}

/// The way back.
std::string found_from(const fs::path& folder, const std::string& name) {
    const fs::path way = name;
    const bool is_called_from = !way.empty() && (*way.begin() == "." || *way.begin() == "..");
    return is_called_from ? (folder / way).lexically_normal().string() : name;
}

}  // namespace

Session stored_in(Session session, const fs::path& file) {
    if (session.model)
        session.model->name = called_from(folder_of(file), session.model->name);
    if (session.capture) {
        session.capture->file = called_from(folder_of(file), session.capture->file);
        if (session.capture->other)
            session.capture->other = called_from(folder_of(file), *session.capture->other);
    }
    return session;
}

Session found_in(Session session, const fs::path& file) {
    if (session.model)
        session.model->name = found_from(folder_of(file), session.model->name);
    if (session.capture) {
        session.capture->file = found_from(folder_of(file), session.capture->file);
        if (session.capture->other)
            session.capture->other = found_from(folder_of(file), *session.capture->other);
    }
    return session;
}

}  // namespace headlight
