#include "ui/models/work_folder.h"

#include "core/io/json_text.h"
#include "core/tensor/error.h"

#include <QDateTime>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <system_error>
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

std::string write_last_work(const LastWork& work) {
    return nlohmann::json{{"format", format},
                          {"file", work.file.toStdString()},
                          {"saved", work.saved},
                          {"closed", work.was_closed},
                          {"session", to_json(work.session)}}
        .dump();
}

LastWork parse_last_work(const std::string& bytes) {
    const nlohmann::json document = parse_json(bytes);
    try {
        if (document.at("format") == format)
            return {session_from_json(document.at("session")),
                    QString::fromStdString(document.at("file").get<std::string>()),
                    document.at("saved").get<bool>(), document.at("closed").get<bool>()};
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

void remove_oldest_unsaved(const fs::path& folder) {
    constexpr std::size_t kept = 10;
    std::vector<fs::path> aside;
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(folder, failure))
        if (entry.path().filename().string().starts_with(unsaved))
            aside.push_back(entry.path());
    std::ranges::sort(aside);
    for (std::size_t i = 0; i + kept < aside.size(); ++i)
        fs::remove(aside[i], failure);
}

}  // namespace headlight
