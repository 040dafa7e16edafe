#include "core/io/installed_manual.h"

namespace headlight {

std::filesystem::path installed_manual(const std::filesystem::path& program) {
    std::error_code ignored;
    const std::filesystem::path file = std::filesystem::canonical(program, ignored);
    const std::filesystem::path folder =
        (file.parent_path() / HEADLIGHT_WAY_TO_MANUAL / "docs").lexically_normal();
    return !file.empty() && std::filesystem::is_directory(folder, ignored) ? folder : std::filesystem::path();
}

std::filesystem::path manual_folder(const std::filesystem::path& program) {
    if (const std::filesystem::path installed = installed_manual(program); !installed.empty())
        return installed;
    constexpr int levels = 3;  // from build/PRESET/headlight up to the source
    std::error_code ignored;
    std::filesystem::path folder = std::filesystem::canonical(program, ignored).parent_path();
    for (int level = 0; level < levels && !folder.empty(); ++level, folder = folder.parent_path())
        if (std::filesystem::is_regular_file(folder / "docs" / "manual.md", ignored))
            return folder / "docs";
    return {};
}

std::string place_in_manual(const std::string& page) {
    static const std::filesystem::path installed = installed_manual();
    return (installed.empty() ? "docs" : installed) / page;
}

}  // namespace headlight
