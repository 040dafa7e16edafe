#include "ui/render/side_file.h"

#include "core/io/files.h"
#include "core/tensor/error.h"
#include "ui/render/exporter.h"

#include <string_view>

namespace headlight {
namespace {

constexpr std::string_view side_ending = ".headlight.json";
constexpr std::size_t longest_side_file = std::size_t(64) << 20;

bool is_session(std::string_view text) { return text.find("\"headlight-session/") != std::string_view::npos; }

}  // namespace

std::optional<std::filesystem::path> side_file(const std::filesystem::path& exported) {
    try {
        if (carries_session(exporter(export_format(exported))))
            return std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
    std::filesystem::path beside = exported;
    return beside += side_ending;
}

bool is_side_file(const std::filesystem::path& path) { return path.string().ends_with(side_ending); }

std::optional<std::string> session_beside(const std::filesystem::path& exported) {
    const auto beside = side_file(exported);
    std::error_code ignored;
    if (!beside || !std::filesystem::is_regular_file(*beside, ignored))
        return std::nullopt;
    try {
        std::optional text = read_file(*beside, longest_side_file);
        if (!is_session(*text))
            throw Error({"read what a figure was made from", "", "a session", "something else"});
        return text;
    } catch (const Error& error) {
        throw error.within(beside->string());
    }
}

void write_side_file(const std::string& session, const std::filesystem::path& exported) {
    const auto beside = side_file(exported);
    if (!beside)
        return;
    if (!session.empty()) {
        write_file_atomically(*beside, session);
        return;
    }
    std::error_code ignored;
    if (std::filesystem::is_regular_file(*beside, ignored) && is_session(read_file(*beside, longest_side_file)))
        std::filesystem::remove(*beside, ignored);
}

}  // namespace headlight
