#include "core/io/session_place.h"

#include "core/io/figure_source.h"
#include "core/io/json_text.h"
#include "core/io/written_by.h"

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

/// The session with each place on the disk that it names called otherwise.
template <class Rename>
Session with_places(Session session, const fs::path& file, const Rename& rename) {
    const fs::path folder = folder_of(file);
    const auto move = [&](std::string& path) { path = rename(folder, path); };
    if (session.model)
        move(session.model->name);
    if (session.capture)
        move(session.capture->file);
    if (session.counterpart && session.counterpart->kind != Counterpart::Kind::text)
        move(session.counterpart->value);
    for (PanelWords& panel : session.figure.options.panels)
        if (const auto named = panel.find("file"); named != panel.end()) {
            std::string moved;
            for (std::string each : panel_files(named->second)) {
                move(each);
                moved.append(moved.empty() ? "" : ";") += each;
            }
            named->second = moved;
        }
    return session;
}

}  // namespace

Session stored_in(Session session, const fs::path& file) {
    return with_places(std::move(session), file, called_from);
}

std::string write_session_to(const fs::path& file, const Session& session,
                             const std::optional<LessonPlace>& lesson) {
    nlohmann::json document = to_json(stored_in(session, file));
    document["written_by"] = written_by(session);
    if (lesson && !lesson->lesson.empty()) {
        LessonPlace stored = *lesson;
        stored.lesson = called_from(folder_of(file), stored.lesson);
        document["lesson"] = to_json(stored);
    }
    return write_json(document);
}

Session found_in(Session session, const fs::path& file) {
    return with_places(std::move(session), file, found_from);
}

SessionFile read_session_of(const fs::path& file, std::string_view text) {
    const JsonDocument document = parse_session_document(text);
    SessionFile read{found_in(session_from_json(document), file), {}};
    if (const auto place = document->find("lesson"); place != document->end() && !place->is_null()) {
        read.lesson = lesson_place_from_json(*place, "/lesson");
        read.lesson->lesson = found_from(folder_of(file), read.lesson->lesson);
    }
    return read;
}

}  // namespace headlight
