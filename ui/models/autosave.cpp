#include "ui/models/autosave.h"

#include "core/io/files.h"
#include "ui/models/document.h"

#include <QUndoStack>

#include <exception>
#include <system_error>
#include <utility>

namespace headlight {

namespace fs = std::filesystem;

Autosave::Autosave(fs::path folder, QObject* parent) : QObject(parent), folder_(std::move(folder)) {
    std::error_code failure;
    fs::create_directories(folder_, failure);
    if (!failure)
        take_place();
    if (path_.empty())
        problem_ = Error({"keep the work", folder_.string(), "a folder that can be written",
                          failure ? failure.message() : "none, or one with every place taken"});
    else
        find_others();
    delay_.setSingleShot(true);
    delay_.setInterval(longest_delay);
    connect(&delay_, &QTimer::timeout, this, [this] { write(false); });
}

Autosave::~Autosave() = default;

void Autosave::take_place() {
    std::error_code none;
    for (int number = 0; number < most_windows && path_.empty(); ++number) {
        const fs::path place = window_place(folder_, number);
        auto lock = locked_place(place);
        if (!lock)
            continue;
        const fs::path file = place.string() + ".json";
        if (fs::exists(fs::symlink_status(file, none))) {
            try {
                last_work_ = parse_last_work(read_file(file));
            } catch (const std::exception&) {
                if (!set_aside(file))
                    continue;  // what cannot be moved is not overwritten either
            }
        }
        lock_ = std::move(lock);
        path_ = file;
    }
}

void Autosave::find_others() {
    std::error_code none;
    for (int number = 0; number < most_windows; ++number) {
        const fs::path place = window_place(folder_, number);
        const fs::path file = place.string() + ".json";
        if (file == path_ || !fs::exists(fs::symlink_status(file, none)))
            continue;
        const auto lock = locked_place(place);
        if (!lock)
            continue;  // its window is open
        try {
            const LastWork work = parse_last_work(read_file(file));
            if (!work.saved) {
                const fs::path aside = aside_name(folder_, unsaved);
                write_file_atomically(aside, write_session(work.session));
                found_.sessions.push_back(aside);
            }
            fs::remove(file, none);
        } catch (const std::exception&) {
            set_aside(file);
        }
    }
    remove_oldest_unsaved(folder_);
}

bool Autosave::set_aside(const fs::path& file) {
    const fs::path aside = aside_name(folder_, unreadable);
    std::error_code failure;
    fs::rename(file, aside, failure);
    if (!failure)
        found_.unreadable.push_back(aside);
    return !failure;
}

void Autosave::watch(Document& document) {
    document_ = &document;
    const auto write_soon = [this] {
        if (!delay_.isActive())
            delay_.start();
    };
    connect(&document, &Document::session_changed, this, write_soon);
    connect(&document, &Document::view_changed, this, write_soon);
    connect(&document, &Document::zoom_changed, this, write_soon);
    connect(&document, &Document::block_changed, this, write_soon);
    connect(document.history(), &QUndoStack::cleanChanged, this, write_soon);
}

void Autosave::hurry() {
    if (delay_.isActive()) {
        delay_.stop();
        write(false);
    }
}

std::optional<Error> Autosave::close() {
    delay_.stop();
    if (problem_)
        return problem_;
    write(true);
    writer_.wait();
    writer_.deliver();
    return last_failure_;
}

void Autosave::write(bool closed) {
    if (!document_)
        return;
    if (problem_) {
        emit failed(*problem_);
        return;
    }
    add("keep the work", [path = path_, session = document_->snapshot(), file = file_,
                          saved = document_->history()->isClean(), closed] {
        write_file_atomically(path, write_last_work({*session, file, saved, closed}));
    });
}

fs::path Autosave::keep_aside(std::shared_ptr<const Session> session) {
    const fs::path path = aside_name(folder_, unsaved);
    add("put the work aside", [path, session = std::move(session)] {
        write_file_atomically(path, write_session(*session));
        remove_oldest_unsaved(path.parent_path());
    });
    return path;
}

void Autosave::add(const std::string& name, std::function<void()> work) {
    writer_.add({name,
                 [this, work = std::move(work)]() -> Job::Delivery {
                     work();
                     return [this] {
                         last_failure_.reset();
                         emit written();
                     };
                 },
                 [this](const Error& error) {
                     last_failure_ = error;
                     emit failed(error);
                 }});
}

}  // namespace headlight
