#include "core/io/files.h"

#include "core/tensor/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace headlight {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_to_read(const fs::path& path, int error) {
    throw Error({"read file", path.string(), "a file that can be read", std::strerror(error)});
}

[[noreturn]] void refuse_to_write(const fs::path& path, int error) {
    throw Error({"write file", path.string(), "a place that can be written", std::strerror(error)});
}

/// A file descriptor that closes itself.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }

    bool is_open() const { return number_ >= 0; }
    int number() const { return number_; }
    /// False when the system could not keep what was written.
    bool close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }

private:
    int number_;
};

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

/// A new file beside `target`, made with the permissions that the process gives to every new file; its path
/// goes to `path`. Returns -1 with errno set when none can be made.
int create_beside(const fs::path& target, fs::path& path) {
    constexpr int attempts = 100;
    int number = -1;
    for (int attempt = 0; attempt < attempts && number < 0; ++attempt) {
        path = target.parent_path() / temporary_name(attempt);
        number = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (number < 0 && errno != EEXIST)
            break;
    }
    return number;
}

/// A file beside the target that disappears again unless it took the target's place.
class TemporaryFile {
public:
    explicit TemporaryFile(const fs::path& target) : file_(create_beside(target, path_)) {
        if (!file_.is_open())
            refuse_to_write(target, errno);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        if (!path_.empty())
            ::unlink(path_.c_str());
    }

    /// Some file systems have no permissions to keep: that is no reason not to write.
    void permit(mode_t mode) { (void)!::fchmod(file_.number(), mode); }
    bool fill(std::string_view bytes) {
        return write_all(file_, bytes) && ::fsync(file_.number()) == 0 && file_.close();
    }
    bool move_to(const fs::path& target) {
        if (::rename(path_.c_str(), target.c_str()) != 0)
            return false;
        path_.clear();
        return true;
    }

private:
    fs::path path_;
    Descriptor file_;
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

/// What a chain of symbolic links ends at, so that writing to a link replaces the file and keeps the link.
fs::path link_target(const fs::path& path) {
    std::error_code ignored;
    fs::path target = path;
    if (fs::is_symlink(path, ignored)) {
        std::error_code error;
        target = fs::weakly_canonical(path, error);
        if (error)
            refuse_to_write(path, error.value());
    }
    return target.has_parent_path() ? target : "." / target;
}

}  // namespace

std::string read_file(const fs::path& path, std::size_t limit, std::string_view advice) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (!file.is_open() || ::fstat(file.number(), &status) != 0)
        refuse_to_read(path, errno);
    if (S_ISDIR(status.st_mode))
        refuse_to_read(path, EISDIR);

    const auto refuse_size = [&](const std::string& got) {
        throw Error({"read file", path.string(),
                     "at most " + std::to_string(limit) + " bytes" + std::string(advice), got});
    };
    const auto announced = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 0;
    if (announced > limit)
        refuse_size(std::to_string(announced));

    // What is read decides, not what was announced: a file may grow meanwhile, and a pipe announces nothing.
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

    TemporaryFile file(target);
    if (exists)
        file.permit(old.st_mode & 07777);
    if (!file.fill(bytes) || !file.move_to(target))
        refuse_to_write(path, errno);
    flush_folder(target.parent_path());
}

namespace {
constexpr std::string_view temporary_start = ".headlight-", temporary_end = ".tmp";
}

std::string temporary_name(int attempt) {
    std::string name(temporary_start);
    name += std::to_string(::getpid()) + '-' + std::to_string(attempt);
    return name += temporary_end;
}

bool is_temporary_name(std::string_view name) {
    return name.starts_with(temporary_start) && name.ends_with(temporary_end) &&
           name.size() > temporary_start.size() + temporary_end.size();
}

std::string extension_of(const fs::path& path) {
    std::string extension = path.extension().string();
    std::ranges::transform(extension, extension.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return extension;
}

}  // namespace headlight
