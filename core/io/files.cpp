#include "core/io/files.h"

#include "core/io/descriptor.h"
#include "core/io/regular_file.h"
#include "core/io/temporaries.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace headlight {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_to_write(const fs::path& path, int error) {
    throw Error({"write file", path.string(), "a place that can be written", std::strerror(error)});
}

bool write_all(const Descriptor& file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file.number(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

/// A new file beside the target that disappears again unless it took the target's place. It has the
/// permissions that the process gives to every new file.
class TemporaryFile {
public:
    explicit TemporaryFile(const fs::path& target) {
        constexpr int attempts = 100;
        for (int attempt = 0; attempt < attempts && !file_; ++attempt) {
            path_ = target.parent_path() / temporary_name(attempt);
            live_.emplace(path_);  // before it is there: no signal finds it unknown
            const int number = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            if (number >= 0)
                file_.emplace(number);
            else if (errno != EEXIST)
                break;
        }
        if (!file_)
            refuse_to_write(target, errno);
        (void)::flock(file_->number(), LOCK_EX | LOCK_NB);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        if (!is_moved_)
            ::unlink(path_.c_str());
    }

    /// Some file systems have no permissions to keep: that is no reason not to write.
    void permit(mode_t mode) { (void)!::fchmod(file_->number(), mode); }
    bool fill(std::string_view bytes) { return write_all(*file_, bytes) && ::fsync(file_->number()) == 0; }
    bool move_to(const fs::path& target) {
        is_moved_ = ::rename(path_.c_str(), target.c_str()) == 0;
        return is_moved_;
    }

private:
    fs::path path_;
    std::optional<LiveTemporary> live_;
    std::optional<Descriptor> file_;
    bool is_moved_ = false;
};

/// The rename itself must survive a power cut; a file system that cannot flush a folder is left alone.
void flush_folder(const fs::path& folder) {
    const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.is_open())
        ::fsync(descriptor.number());
}

/// Pipes and devices are written through: a rename would put a file in their place.
void write_through(const fs::path& path, std::string_view bytes) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.is_open() || !write_all(file, bytes) || !file.close())
        refuse_to_write(path, errno);
}

/// What a chain of symbolic links ends at, there or not yet, so that writing to a link replaces what it leads
/// to and keeps the link.
fs::path link_target(const fs::path& path) {
    constexpr int most_links = 40;  // as Linux has it
    fs::path target = path;
    std::error_code error;
    for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
        if (links == most_links)
            refuse_to_write(path, ELOOP);
        target = target.parent_path() / fs::read_symlink(target, error);  // an absolute one replaces the path
        if (error)
            refuse_to_write(path, error.value());
    }
    return target.has_parent_path() ? target : "." / target;
}

}  // namespace

std::string read_file(const fs::path& path, std::size_t limit, std::string_view advice) try {
    const RegularFile file(path);
    const auto refuse_size = [&](const std::string& got) {
        throw Error({"read file", path.string(),
                     "at most " + std::to_string(limit) + " bytes" + std::string(advice), got});
    };
    const auto announced = file.size();
    if (announced > limit)
        refuse_size(std::to_string(announced));

    // What is read decides, not what was announced: a file may grow meanwhile.
    constexpr std::size_t chunk = std::size_t(1) << 16;
    std::string bytes;
    bytes.reserve(announced + 1);
    for (std::size_t used = 0;;) {
        bytes.resize(std::min(std::max(used + chunk, bytes.capacity()), limit + 1));
        const ssize_t count = ::read(file.number(), bytes.data() + used, bytes.size() - used);
        if (count < 0 && errno != EINTR)
            refuse_to_read(path, errno);
        used += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
        if (used > limit)
            refuse_size("more");
        if (count == 0) {
            bytes.resize(used);
            return bytes;
        }
    }
} catch (const std::bad_alloc&) {
    throw Error({"read file", path.string(), "a file that fits in memory", "a larger one"});
}

void write_file_atomically(const fs::path& path, std::string_view bytes) {
    const fs::path target = link_target(path);
    struct stat old {};
    const bool exists = ::stat(target.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode))
        refuse_to_write(path, EISDIR);
    if (exists && !S_ISREG(old.st_mode))
        return write_through(path, bytes);
    // A rename would also replace a file that is protected from writing.
    if (exists && ::access(target.c_str(), W_OK) != 0)
        refuse_to_write(path, errno);

    sweep_temporaries(target.parent_path());
    TemporaryFile file(target);
    if (exists)
        file.permit(old.st_mode & 07777);
    if (!file.fill(bytes) || !file.move_to(target))
        refuse_to_write(path, errno);
    flush_folder(target.parent_path());
}

void write_new_file(const fs::path& path, std::string_view bytes, const fs::path& named) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file.is_open() || !write_all(file, bytes) || ::fsync(file.number()) != 0 || !file.close())
        refuse_to_write(named, errno);
}

std::string extension_of(const fs::path& path) {
    std::string extension = path.extension().string();
    std::ranges::transform(extension, extension.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return extension;
}

}  // namespace headlight
