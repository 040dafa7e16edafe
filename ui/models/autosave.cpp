#include "ui/models/autosave.h"

#include "core/io/files.h"
#include "core/io/session_place.h"
#include "ui/models/document.h"

#include <QUndoStack>

#include <exception>
#include <system_error>
#include <utility>

namespace headlight {

namespace fs = std::filesystem;

Autosave::Autosave(fs::path folder, QObject* parent) : Autosave(std::move(folder), Delays(), parent) {}

Autosave::Autosave(fs::path folder, const Delays& delays, QObject* parent)
    : QObject(parent), folder_(std::move(folder)) {
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
    delay_.setInterval(delays.first);
    connect(&delay_, &QTimer::timeout, this, [this] { write(false); });
    retry_.setSingleShot(true);
    retry_.setInterval(delays.retry);
    connect(&retry_, &QTimer::timeout, this, [this] { write(false, Telling::news_only); });
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
            const auto keep = [&](const OpenWork& open, const std::optional<LessonPlace>& lesson) {
                if (open.saved)
                    return;
                const fs::path aside = aside_name(folder_, unsaved);
                write_file_atomically(aside, write_session_to(aside, open.session, lesson));
                found_.sessions.push_back(aside);
            };
            keep(work, std::nullopt);
            if (work.lesson)
                keep(*work.lesson, work.lesson->place);
            fs::remove(file, none);
        } catch (const std::exception&) {
            set_aside(file);
        }
    }
    found_.removed = remove_oldest_unsaved(folder_);
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
    connect(&document.looking(), &Looking::view_changed, this, write_soon);
    connect(&document.looking(), &Looking::zoom_changed, this, write_soon);
    connect(&document.looking(), &Looking::block_changed, this, write_soon);
    connect(&document, &Document::lesson_changed, this, write_soon);
    connect(&document, &Document::drawing_changed, this, write_soon);
    connect(document.histories(), &QUndoGroup::cleanChanged, this, write_soon);
}

void Autosave::hurry() {
    // What is under way may fail, or has failed and is not told of yet.
    if (!delay_.isActive() && !retry_.isActive() && under_way_ == 0)
        return;
    delay_.stop();
    write(false);
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

void Autosave::write(bool closed, Telling telling) {
    if (!document_)
        return;
    if (problem_) {
        emit failed(*problem_);
        return;
    }
    // Sessions are copied on the worker: they may be large.
    struct Open {
        std::shared_ptr<const Session> session;
        QString file;
        bool is_saved;
    };
    const auto opened = [](const Open& open) { return OpenWork{*open.session, open.file, open.is_saved}; };
    const Open own{document_->own_snapshot(), file_, document_->own_history()->isClean()};
    const Open shown{document_->snapshot(), lesson_file_, document_->history()->isClean()};
    const auto work = [=, path = path_, lesson = document_->lesson(), drawing = document_->drawing()] {
        LastWork last{opened(own), closed};
        last.drawing = drawing;
        if (lesson && !lesson->lesson.empty())
            last.lesson = LastLesson{opened(shown), *lesson};
        write_file_atomically(path, write_last_work(last));
    };
    retry_.stop();
    ++under_way_;
    writer_.add({"keep the work",
                 [this, work]() -> Job::Delivery {
                     work();
                     return [this] {
                         --under_way_;
                         last_failure_.reset();
                         emit written();
                     };
                 },
                 [this, telling](const Error& error) {
                     --under_way_;
                     const bool is_told = telling == Telling::news_only && last_failure_;
                     last_failure_ = error;
                     retry_.start();
                     if (!is_told)
                         emit failed(error);
                 }});
}

void Autosave::keep_aside(std::vector<UnsavedWork> work,
                          std::function<void(const std::vector<fs::path>&)> kept, Job::Refusal refuse) {
    writer_.add({"put the work aside",
                 [this, work = std::move(work), kept = std::move(kept)]() -> Job::Delivery {
                     std::vector<fs::path> files;
                     for (const UnsavedWork& each : work) {
                         files.push_back(aside_name(folder_, unsaved));
                         write_file_atomically(files.back(),
                                               write_session_to(files.back(), *each.session, each.lesson));
                     }
                     return [this, files, kept, oldest = remove_oldest_unsaved(folder_)] {
                         if (!oldest.empty())
                             emit removed(oldest);
                         kept(files);
                     };
                 },
                 std::move(refuse)});
}

bool Autosave::keeps(const fs::path& file) const {
    return file.parent_path().lexically_normal() == folder_.lexically_normal();
}

}  // namespace headlight
