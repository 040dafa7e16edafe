#pragma once

#include <filesystem>
#include <fstream>
#include <utility>

namespace headlight {

/// While it lives nothing can be written into a folder, as on a full disk, for root too: a file has its name.
/// What was in the folder is there again afterwards, also when a killed program has left it so: see
/// restore().
class FullDisk {
public:
    explicit FullDisk(std::filesystem::path folder) : folder_(std::move(folder)) {
        std::filesystem::rename(folder_, away(folder_));
        std::ofstream(folder_) << "a file where the folder was";
    }
    ~FullDisk() { restore(folder_); }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

    /// Makes room again.
    static void restore(const std::filesystem::path& folder) {
        if (!std::filesystem::exists(away(folder)))
            return;
        std::filesystem::remove(folder);
        std::filesystem::rename(away(folder), folder);
    }

private:
    static std::filesystem::path away(const std::filesystem::path& folder) {
        return folder.string() + ".away";
    }

    std::filesystem::path folder_;
};

}  // namespace headlight
