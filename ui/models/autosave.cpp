#include "ui/models/autosave.h"

#include "core/io/files.h"
#include "ui/models/document.h"

#include <QDateTime>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <system_error>
#include <vector>

namespace headlight {
namespace {

using namespace std::chrono_literals;

constexpr int places = 32;
constexpr std::string_view format = "headlight-autosave/1";
constexpr std::string_view aside_prefix = "unsaved-";

std::string document_of(const Session& session, const QString& file, bool saved, bool closed) {
    return nlohmann::json{{"format", format},
                          {"file", file.toStdString()},
                          {"saved", saved},
                          {"closed", closed},
                          {"session", to_json(session)}}
        .dump();
}

/// Work put aside is for the day on which somebody misses it, not for ever.
void remove_oldest(const std::filesystem::path& folder) {
    constexpr std::size_t kept_aside = 10;
    std::vector<std::filesystem::path> kept;
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator(folder, failure))
        if (entry.path().filename().string().starts_with(aside_prefix))
            kept.push_back(entry.path());
    std::sort(kept.begin(), kept.end());
    for (std::size_t i = 0; i + kept_aside < kept.size(); ++i)
        std::filesystem::remove(kept[i], failure);
}

}  // namespace

Autosave::Autosave(std::filesystem::path folder, QObject* parent)
    : QObject(parent), folder_(std::move(folder)) {
    std::error_code failure;
    std::filesystem::create_directories(folder_, failure);
    for (int place = 0; place < places && !lock_; ++place) {
        const std::filesystem::path stem = folder_ / ("window-" + std::to_string(place));
        auto lock = std::make_unique<QLockFile>(QString::fromStdString(stem.string() + ".lock"));
        lock->setStaleLockTime(0ms);  // a lock is stale when its process is gone, not when it is old
        if (lock->tryLock()) {
            lock_ = std::move(lock);
            path_ = stem.string() + ".json";
        }
    }
    delay_.setSingleShot(true);
    delay_.setInterval(longest_delay);
    connect(&delay_, &QTimer::timeout, this, [this] { write(false); });
}

Autosave::~Autosave() = default;

std::optional<LastWork> Autosave::last_work() const {
    if (path_.empty() || !std::filesystem::exists(path_))
        return std::nullopt;
    try {
        const nlohmann::json document = nlohmann::json::parse(read_file(path_));
        if (document.at("format") != format)
            return std::nullopt;
        return LastWork{session_from_json(document.at("session")),
                        QString::fromStdString(document.at("file").get<std::string>()),
                        document.at("saved").get<bool>(), document.at("closed").get<bool>()};
    } catch (const Error&) {
        return std::nullopt;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

void Autosave::watch(Document& document) {
    document_ = &document;
    const auto write_soon = [this] {
        if (!delay_.isActive())
            delay_.start();
    };
    connect(&document, &Document::session_changed, this, write_soon);
    connect(&document, &Document::view_changed, this, write_soon);
}

void Autosave::close() {
    delay_.stop();
    write(true);
    wait();
}

void Autosave::write(bool closed) {
    if (!document_ || path_.empty())
        return;
    add([path = path_, session = document_->snapshot(), file = file_, saved = document_->history()->isClean(),
         closed] { write_file_atomically(path, document_of(*session, file, saved, closed)); });
}

std::filesystem::path Autosave::keep_aside(std::shared_ptr<const Session> session) {
    const QString stamp = QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd-HHmmss-zzz"));
    const std::filesystem::path path = folder_ / (std::string(aside_prefix) + stamp.toStdString() + ".json");
    add([path, session = std::move(session)] {
        write_file_atomically(path, write_session(*session));
        remove_oldest(path.parent_path());
    });
    return path;
}

void Autosave::add(std::function<void()> work) {
    writer_.add([this, work = std::move(work)]() -> JobQueue::Delivery {
        try {
            work();
            return [this] { emit written(); };
        } catch (const Error& error) {
            return [this, error] { emit failed(error); };
        }
    });
}

}  // namespace headlight
