#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace headlight {

/// A file of a folder that is written as a whole.
struct FolderFile {
    std::string name;
    std::string bytes;
};

/// Throws Error unless `folder` is not there yet, in a folder that can be written, or is a folder of nothing
/// but files of these names: whatever else it holds is somebody's, and would be lost.
void require_replaceable(const std::filesystem::path& folder, std::span<const std::string> names);

/// A folder that this program alone is about to write, made if it was not there. Its end leaves no empty one
/// behind, and the end of the program, however it comes, frees it.
class OccupiedFolder {
public:
    /// Throws Error when it cannot be made, or when another OccupiedFolder has it.
    explicit OccupiedFolder(const std::filesystem::path& folder);
    OccupiedFolder(const OccupiedFolder&) = delete;
    OccupiedFolder& operator=(const OccupiedFolder&) = delete;
    ~OccupiedFolder();

private:
    std::filesystem::path path_;
    bool is_new_ = false;
    int descriptor_ = -1;
};

/// Writes a folder beside it and lets it take the place of `folder`: readers see the old one or the new one,
/// never half of it. Nothing is left behind on failure. Throws Error as require_replaceable(), whose `names`
/// are those of the old folder's files.
void write_folder_atomically(const std::filesystem::path& folder, std::span<const FolderFile> files,
                             std::span<const std::string> names);

}  // namespace headlight
