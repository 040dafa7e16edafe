#include "core/io/session_place.h"

#include <algorithm>

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// Further up, two folders have nothing to do with each other.
constexpr auto most_steps_up = 2;

fs::path folder_of(const fs::path& file) { return fs::absolute(file).lexically_normal().parent_path(); }

}  // namespace

Session stored_in(Session session, const fs::path& file) {
    if (!session.model || !fs::path(session.model->name).is_absolute())
        return session;
    const fs::path way = fs::path(session.model->name).lexically_normal().lexically_relative(folder_of(file));
    if (!way.empty() && std::ranges::count(way, fs::path("..")) <= most_steps_up)
        session.model->name = (*way.begin() == ".." ? way : "." / way).generic_string();
    return session;
}

Session found_in(Session session, const fs::path& file) {
    if (!session.model)
        return session;
    const fs::path name = session.model->name;
    if (!name.empty() && (*name.begin() == "." || *name.begin() == ".."))
        session.model->name = (folder_of(file) / name).lexically_normal().string();
    return session;
}

}  // namespace headlight
