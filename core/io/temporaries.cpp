#include "core/io/temporaries.h"

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <optional>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view name_start = ".headlight-", name_end = ".tmp";

// A signal handler may neither lock nor allocate, so paths lie in an array of fixed size. When it is full, a
// path is not kept: what remains of it is swept by a later run.
constexpr std::size_t most_live = 64, longest_path = 4096;

enum class SlotState { free, being_written, live };
struct Slot {
    std::atomic<SlotState> state = SlotState::free;
    std::array<char, longest_path> path;
};
std::array<Slot, most_live> slots;
static_assert(std::atomic<SlotState>::is_always_lock_free);

std::optional<pid_t> process_of(std::string_view name) {
    if (!is_temporary_name(name))
        return std::nullopt;
    name.remove_prefix(name_start.size());
    pid_t process = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process);
    return error == std::errc() && *end == '-' && process > 0 ? std::optional(process) : std::nullopt;
}

/// A process of another container may have a number that nobody has here: then its lock tells.
bool is_abandoned(int descriptor, pid_t process) {
    struct stat status {};
    return ::kill(process, 0) != 0 && errno == ESRCH && ::fstat(descriptor, &status) == 0 &&
           status.st_uid == ::geteuid() && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
}

std::vector<std::string> names_in(const fs::path& folder) {
    std::error_code error;
    std::vector<std::string> names;
    for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error))
        names.push_back(file->path().filename().string());
    return names;
}

bool was_swept(const fs::path& folder) {
    static std::mutex mutex;
    static std::set<fs::path> swept;
    std::error_code error;
    const fs::path known = fs::weakly_canonical(folder, error);
    const std::lock_guard lock(mutex);
    return error || !swept.insert(known).second;
}

}  // namespace

std::string temporary_name(int attempt) {
    std::string name(name_start);
    name += std::to_string(::getpid()) + '-' + std::to_string(attempt);
    return name += name_end;
}

bool is_temporary_name(std::string_view name) {
    return name.starts_with(name_start) && name.ends_with(name_end) &&
           name.size() > name_start.size() + name_end.size();
}

LiveTemporary::LiveTemporary(const fs::path& path) : slot_(0) {
    const std::string& text = path.native();
    if (text.size() >= longest_path)
        slot_ = most_live;
    for (; slot_ < most_live; ++slot_) {
        Slot& slot = slots[slot_];
        SlotState expected = SlotState::free;
        if (!slot.state.compare_exchange_strong(expected, SlotState::being_written))
            continue;
        std::memcpy(slot.path.data(), text.c_str(), text.size() + 1);
        slot.state = SlotState::live;
        return;
    }
}

LiveTemporary::~LiveTemporary() {
    if (slot_ < most_live)
        slots[slot_].state = SlotState::free;
}

void remove_live_temporaries() noexcept {
    const int before = errno;
    // Files first: a folder goes when it is empty. unlink() leaves folders, rmdir() files.
    for (const auto remove : {&::unlink, &::rmdir})
        for (const Slot& slot : slots)
            if (slot.state == SlotState::live)
                remove(slot.path.data());
    errno = before;
}

void remove_temporary_folder(const fs::path& folder, std::span<const std::string> names) {
    for (const std::string& name : names)
        ::unlink((folder / name).c_str());
    for (const std::string& name : names_in(folder))
        if (is_temporary_name(name))
            ::unlink((folder / name).c_str());
    ::rmdir(folder.c_str());
}

void sweep_temporaries(const fs::path& folder, std::span<const std::string> names, bool again) {
    if (was_swept(folder) && !again)
        return;
    for (const std::string& name : names_in(folder)) {
        const auto process = process_of(name);
        if (!process)
            continue;
        const fs::path path = folder / name;
        const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (descriptor < 0)
            continue;
        struct stat status {};
        if (is_abandoned(descriptor, *process) && ::fstat(descriptor, &status) == 0) {
            if (S_ISREG(status.st_mode))
                ::unlink(path.c_str());
            else if (S_ISDIR(status.st_mode))
                remove_temporary_folder(path, names);
        }
        ::close(descriptor);
    }
}

}  // namespace headlight
