#include "core/io/installed_manual.h"

namespace headlight {

std::filesystem::path installed_manual(const std::filesystem::path& program) {
    std::error_code ignored;
    const std::filesystem::path file = std::filesystem::canonical(program, ignored);
    const std::filesystem::path folder =
        (file.parent_path() / HEADLIGHT_WAY_TO_MANUAL / "docs").lexically_normal();
    return !file.empty() && std::filesystem::is_directory(folder, ignored) ? folder : std::filesystem::path();
}

std::string place_in_manual(const std::string& page) {
    static const std::filesystem::path installed = installed_manual();
    return (installed.empty() ? "docs" : installed) / page;
}

}  // namespace headlight
