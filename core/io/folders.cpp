#include "core/io/folders.h"

#include "core/attention/words.h"
#include "core/io/files.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace headlight {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse_to_write(const fs::path& folder, const std::string& got) {
    throw Error({"write folder", folder.string(), "a place that can be written", got});
}

[[noreturn]] void refuse_to_write(const fs::path& folder, int error) {
    refuse_to_write(folder, std::string(std::strerror(error)));
}

/// Absolute, without links and without a slash at its end, so that it has a name and a parent.
fs::path resolved(const fs::path& folder) {
    std::error_code error;
    fs::path target = fs::absolute(folder, error);
    if (!error)
        target = fs::weakly_canonical(target, error);
    if (error || folder.empty())
        refuse_to_write(folder, folder.empty() ? "no name" : error.message());
    return target.has_filename() ? target : target.parent_path();
}

/// What writers that were killed left of the files in a folder that is about to go.
void remove_leftovers(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> leftovers;
    for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error))
        if (is_temporary_name(file->path().filename().string()))
            leftovers.push_back(file->path());
    for (const fs::path& leftover : leftovers)
        ::unlink(leftover.c_str());
}

/// A new folder beside `target` that disappears with its files unless it took the target's place.
class TemporaryFolder {
public:
    explicit TemporaryFolder(const fs::path& target) {
        constexpr int attempts = 100;
        for (int attempt = 0; attempt < attempts; ++attempt) {
            path_ = target.parent_path() / temporary_name(attempt);
            if (::mkdir(path_.c_str(), 0777) == 0)
                return;
            if (errno != EEXIST)
                break;
        }
        refuse_to_write(target, errno);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    /// Files that nobody here knows stay, and keep their folder. What a killed program left goes.
    ~TemporaryFolder() {
        for (const std::string& name : names_)
            ::unlink((path_ / name).c_str());
        remove_leftovers(path_);
        ::rmdir(path_.c_str());
    }

    const fs::path& path() const { return path_; }
    void will_hold(std::span<const std::string> names) {
        names_.insert(names_.end(), names.begin(), names.end());
    }

private:
    fs::path path_;
    std::vector<std::string> names_;
};

void flush(const fs::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        ::fsync(descriptor);
        ::close(descriptor);
    }
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
        refuse_to_write(folder, "no folder " + target.parent_path().string());
    if (::access(target.parent_path().c_str(), W_OK) != 0)
        refuse_to_write(folder, errno);
    struct stat status {};
    if (::lstat(target.c_str(), &status) != 0) {
        if (errno != ENOENT)
            refuse_to_write(folder, errno);
        return;
    }
    if (!S_ISDIR(status.st_mode))
        refuse_to_write(folder, "a file of that name");
    for (fs::directory_iterator file(target, error), end; !error && file != end; file.increment(error)) {
        const std::string name = file->path().filename().string();
        const bool is_known = std::ranges::find(names, name) != names.end() || is_temporary_name(name);
        if (!is_known || !file->is_regular_file())
            throw Error({"write folder", folder.string(),
                         "a new folder, or one of nothing but " + list_of({names.begin(), names.end()}),
                         "one with \"" + excerpt(name) + '"'});
    }
    if (error)
        refuse_to_write(folder, error.message());
}

OccupiedFolder::OccupiedFolder(const fs::path& folder) : path_(resolved(folder)) {
    is_new_ = ::mkdir(path_.c_str(), 0777) == 0;
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor_ < 0)
        refuse_to_write(folder, errno);
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        ::close(descriptor_);
        throw Error({"write folder", folder.string(), "a folder that no other program is writing", "one"});
    }
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
    TemporaryFolder made(target);
    made.will_hold(names);
    for (const FolderFile& file : files) {
        made.will_hold(std::span(&file.name, 1));
        write_file_atomically(made.path() / file.name, file.bytes);
    }
    flush(made.path());
    struct stat status {};
    const bool is_there = ::lstat(target.c_str(), &status) == 0;
    const bool is_done =
        is_there ? exchange(made.path(), target) : ::rename(made.path().c_str(), target.c_str()) == 0;
    if (!is_done)
        refuse_to_write(folder, errno);
    flush(target.parent_path());
}

}  // namespace headlight
