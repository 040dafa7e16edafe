#include "core/io/folders.h"

#include "core/io/descriptor.h"
#include "core/io/files.h"
#include "core/io/temporaries.h"
#include "core/tensor/error.h"
#include "core/tensor/words.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace headlight {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse_folder(const fs::path& folder, const std::string& got) {
    throw Error({"write folder", folder.string(), "a place that can be written", got});
}

[[noreturn]] void refuse_folder(const fs::path& folder, int error) {
    refuse_folder(folder, std::string(std::strerror(error)));
}

/// Absolute, without links and without a slash at its end, so that it has a name and a parent.
fs::path resolved(const fs::path& folder) {
    std::error_code error;
    fs::path target = fs::absolute(folder, error);
    if (!error)
        target = fs::weakly_canonical(target, error);
    if (error || folder.empty())
        refuse_folder(folder, folder.empty() ? "no name" : error.message());
    return target.has_filename() ? target : target.parent_path();
}

/// A new folder beside `target` that disappears with its files unless it took the target's place.
class TemporaryFolder {
public:
    /// `names` are all that it will hold, before and after it changed places with the target.
    TemporaryFolder(const fs::path& target, std::vector<std::string> names) : names_(std::move(names)) {
        constexpr int attempts = 100;
        bool is_made = false;
        for (int attempt = 0; attempt < attempts && !is_made; ++attempt) {
            path_ = target.parent_path() / temporary_name(attempt);
            is_made = ::mkdir(path_.c_str(), 0777) == 0;
            if (!is_made && errno != EEXIST)
                break;
        }
        if (!is_made)
            refuse_folder(target, errno);
        live_.emplace_back(path_);
        for (const std::string& name : names_)
            live_.emplace_back(path_ / name);
        descriptor_.emplace(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        (void)::flock(descriptor_->number(), LOCK_EX | LOCK_NB);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    /// Files that nobody here knows stay, and keep their folder. What a killed program left goes.
    ~TemporaryFolder() { remove_temporary_folder(path_, names_); }

    const fs::path& path() const { return path_; }

private:
    fs::path path_;
    std::vector<std::string> names_;
    std::deque<LiveTemporary> live_;
    std::optional<Descriptor> descriptor_;
};

void flush(const fs::path& folder) {
    const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.is_open())
        ::fsync(descriptor.number());
}

/// Lets the two folders change places; where the file system cannot do that at once, one after the other.
bool exchange(const fs::path& made, const fs::path& target) {
    if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    const fs::path aside = made.string() + ".old";
    if (::rename(target.c_str(), aside.c_str()) != 0)
        return false;
    if (::rename(made.c_str(), target.c_str()) == 0)
        return ::rename(aside.c_str(), made.c_str()) == 0;
    const int error = errno;
    ::rename(aside.c_str(), target.c_str());
    errno = error;
    return false;
}

}  // namespace

void require_replaceable(const fs::path& folder, std::span<const std::string> names) {
    const fs::path target = resolved(folder);
    std::error_code error;
    if (!fs::is_directory(target.parent_path(), error))
        refuse_folder(folder, "no folder " + target.parent_path().string());
    if (::access(target.parent_path().c_str(), W_OK) != 0)
        refuse_folder(folder, errno);
    struct stat status {};
    if (::lstat(target.c_str(), &status) != 0) {
        if (errno != ENOENT)
            refuse_folder(folder, errno);
        return;
    }
    if (!S_ISDIR(status.st_mode))
        refuse_folder(folder, "a file of that name");
    for (fs::directory_iterator file(target, error), end; !error && file != end; file.increment(error)) {
        const std::string name = file->path().filename().string();
        const bool is_known = std::ranges::find(names, name) != names.end() || is_temporary_name(name);
        if (!is_known || !file->is_regular_file())
            throw Error({"write folder", folder.string(),
                         "a new folder, or one of nothing but " + list_of({names.begin(), names.end()}),
                         "one with \"" + excerpt(name) + '"'});
    }
    if (error)
        refuse_folder(folder, error.message());
}

namespace {

/// Whether the folder at `path` is still the one that was opened.
bool is_same(int descriptor, const fs::path& path) {
    struct stat opened {
    }, there{};
    return ::fstat(descriptor, &opened) == 0 && ::lstat(path.c_str(), &there) == 0 &&
           opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
}

/// 0, or what went wrong.
int lock(int descriptor) {
    while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0)
        if (errno != EINTR)
            return errno;
    return 0;
}

}  // namespace

OccupiedFolder::OccupiedFolder(const fs::path& folder) : path_(resolved(folder)) {
    // Whoever had the folder may take it away between its making and the lock here: then it is made again.
    constexpr int attempts = 1000;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        is_new_ = ::mkdir(path_.c_str(), 0777) == 0;
        Descriptor opened(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!opened.is_open() && errno == ENOENT && ::access(path_.parent_path().c_str(), W_OK) == 0)
            continue;
        if (!opened.is_open())
            refuse_folder(folder, errno);
        const int error = lock(opened.number());
        if (error == EWOULDBLOCK)
            throw Error(
                {"write folder", folder.string(), "a folder that no other program is writing", "one"});
        if (error != 0) {
            if (is_new_)
                ::rmdir(path_.c_str());
            throw Error(
                {"write folder", folder.string(), "a folder that can be locked", std::strerror(error)});
        }
        if (is_same(opened.number(), path_)) {
            descriptor_ = opened.release();
            return;
        }
    }
    refuse_folder(folder, "one that others make and remove");
}

OccupiedFolder::~OccupiedFolder() {
    if (is_new_)
        ::rmdir(path_.c_str());  // which does nothing to one that holds anything
    ::close(descriptor_);
}

void write_folder_atomically(const fs::path& folder, std::span<const FolderFile> files,
                             std::span<const std::string> names) {
    require_replaceable(folder, names);
    const fs::path target = resolved(folder);
    sweep_temporaries(target.parent_path(), names, true);
    std::vector<std::string> held(names.begin(), names.end());
    for (const FolderFile& file : files)
        if (std::ranges::find(held, file.name) == held.end())
            held.push_back(file.name);
    const TemporaryFolder made(target, std::move(held));
    for (const FolderFile& file : files)
        write_new_file(made.path() / file.name, file.bytes, folder / file.name);
    flush(made.path());
    struct stat status {};
    const bool is_there = ::lstat(target.c_str(), &status) == 0;
    const bool is_done =
        is_there ? exchange(made.path(), target) : ::rename(made.path().c_str(), target.c_str()) == 0;
    if (!is_done)
        refuse_folder(folder, errno);
    flush(target.parent_path());
}

}  // namespace headlight
