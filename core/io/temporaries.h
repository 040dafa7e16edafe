#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

// What is written lies under a temporary name beside what it will replace. Each process names its own
// (".headlight-PID-N.tmp") and holds a lock on them (flock) for as long as it writes.

/// The name of attempt 0, 1, ... as names are taken.
std::string temporary_name(int attempt);
/// Whether temporary_name() can have given it.
bool is_temporary_name(std::string_view name);

/// While it lasts, remove_live_temporaries() takes `path` away: a file, or a folder once it is empty.
class LiveTemporary {
public:
    explicit LiveTemporary(const std::filesystem::path& path);
    LiveTemporary(const LiveTemporary&) = delete;
    LiveTemporary& operator=(const LiveTemporary&) = delete;
    ~LiveTemporary();

private:
    std::size_t slot_;
};

/// For a program that a signal is about to end; a signal handler may call it.
void remove_live_temporaries() noexcept;

/// Removes the files of these `names` and every temporary from a folder, then the folder if nothing is left
/// in it.
void remove_temporary_folder(const std::filesystem::path& folder, std::span<const std::string> names);

/// Removes what writers that were killed left in `folder`: temporaries of this user whose process is gone and
/// that nobody holds. Of a folder, these `names` go with it; one with any other file stays. Looks into a
/// folder once a run; `again` looks again.
void sweep_temporaries(const std::filesystem::path& folder, std::span<const std::string> names = {},
                       bool again = false);

}  // namespace headlight
