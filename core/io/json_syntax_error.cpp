#include "core/io/json_syntax_error.h"

#include <algorithm>

namespace headlight {
namespace {

std::string line_and_column(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const auto line = std::ranges::count(before, '\n') + 1;
    const auto column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

}  // namespace

Error json_syntax_error(std::string_view text, std::size_t position, const std::string& message) {
    const auto between = [&](std::string_view from, std::string_view to) -> std::string {
        const auto start = message.find(from);
        if (start == std::string::npos)
            return {};
        const auto end = message.find(to, start + from.size());
        return message.substr(start + from.size(),
                              end == std::string::npos ? end : end - start - from.size());
    };
    const std::size_t offset = position > 0 ? position - 1 : 0;  // of the last byte that was read
    const std::string_view rest = text.substr(std::min(offset, text.size()));
    const std::string where = line_and_column(text, offset);
    for (const std::string_view word : {"NaN", "Infinity"})
        if (rest.starts_with(word))
            return Error({"parse JSON", where, "a number", std::string(word) + ", which JSON does not have"});

    std::string expected = between("; expected ", "\n");
    if (expected == "string literal")  // of an object's field
        expected = "names in double quotes";
    std::string reason = between(" - ", ";");
    if (reason.starts_with("unexpected "))
        reason.erase(0, std::string_view("unexpected ").size());
    std::string last_read = between("last read: '", "'; expected");
    if (last_read.ends_with('\''))
        last_read.pop_back();
    if (reason.empty())
        reason = "bytes that are not JSON";
    else if (!last_read.empty() && reason != "end of input")
        reason += " after '" + excerpt(last_read, 20) + '\'';
    return Error({"parse JSON", where, expected.empty() ? "JSON" : expected, excerpt(reason, 120)});
}

}  // namespace headlight
