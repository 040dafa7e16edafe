#include "ui/models/work_folder.h"

#include "core/io/json_text.h"
#include "core/tensor/error.h"

#include <QDateTime>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr const char* format = "headlight-autosave/1";

}  // namespace

fs::path window_place(const fs::path& folder, int number) {
    return folder / ("window-" + std::to_string(number));
}

std::unique_ptr<ProcessLock> locked_place(const fs::path& place) {
    return ProcessLock::take(place.string() + ".lock");
}

namespace {

nlohmann::json to_json(const OpenWork& work) {
    return {{"file", work.file.toStdString()},
            {"saved", work.saved},
            {"session", headlight::to_json(work.session)}};
}

Session with_mask(Session session, std::shared_ptr<const MatrixMask> mask) {
    session.drawn_mask = std::move(mask);
    return session;
}

void read_into(OpenWork& work, const nlohmann::json& object) {
    work.session = session_from_json(object.at("session"));
    work.file = QString::fromStdString(object.at("file").get<std::string>());
    work.saved = object.at("saved").get<bool>();
}

}  // namespace

std::string write_last_work(const LastWork& work) {
    nlohmann::json document = to_json(static_cast<const OpenWork&>(work));
    document["format"] = format;
    document["closed"] = work.was_closed;
    if (work.lesson) {
        document["lesson"] = to_json(static_cast<const OpenWork&>(*work.lesson));
        document["lesson"]["place"] = headlight::to_json(work.lesson->place);
    }
    if (work.drawing)
        document["drawing"] = headlight::to_json(with_mask({}, work.drawing))["mask"];
    return document.dump();
}

LastWork parse_last_work(const std::string& bytes) {
    const nlohmann::json document = parse_json(bytes);
    try {
        if (document.at("format") == format) {
            LastWork work;
            read_into(work, document);
            work.was_closed = document.at("closed").get<bool>();
            if (const auto lesson = document.find("lesson"); lesson != document.end()) {
                read_into(work.lesson.emplace(), *lesson);
                work.lesson->place = lesson_place_from_json(lesson->at("place"), "/lesson/place");
            }
            if (const auto drawing = document.find("drawing"); drawing != document.end()) {
                nlohmann::json session = headlight::to_json(Session());
                session["mask"] = *drawing;
                work.drawing = session_from_json(session).drawn_mask;
            }
            return work;
        }
    } catch (const nlohmann::json::exception&) {
        // told below
    }
    throw Error({"read the last work", "", format, "another document"});
}

fs::path aside_name(const fs::path& folder, const char* prefix) {
    const QString stamp = QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd-HHmmss-zzz"));
    std::string stem = prefix;
    stem += stamp.toStdString();
    fs::path path = folder / (stem + ".json");
    std::error_code none;
    for (int number = 2; fs::exists(path, none); ++number)
        path = folder / (stem + '-' + std::to_string(number) + ".json");
    return path;
}

std::vector<fs::path> remove_oldest_unsaved(const fs::path& folder) {
    std::vector<fs::path> aside;
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(folder, failure))
        if (entry.path().filename().string().starts_with(unsaved))
            aside.push_back(entry.path());
    std::ranges::sort(aside, {},
                      [](const fs::path& file) { return file.stem(); });  // "...-000" before "...-000-2"
    aside.resize(aside.size() - std::min(aside.size(), most_unsaved));
    std::erase_if(aside, [&](const fs::path& oldest) { return !fs::remove(oldest, failure); });
    return aside;
}

}  // namespace headlight
