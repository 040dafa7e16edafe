#include "core/io/json_text.h"

#include "core/io/files.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <vector>

namespace headlight {

using nlohmann::json;

namespace {

std::string line_and_column(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const auto line = std::ranges::count(before, '\n') + 1;
    const auto column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

/// The reason in the parser's words: "syntax error while parsing value - invalid literal; last read: 'N';
/// expected X".
Error syntax_error(std::string_view text, const json::parse_error& error) {
    const std::string message = error.what();
    const auto between = [&](std::string_view from, std::string_view to) -> std::string {
        const auto start = message.find(from);
        if (start == std::string::npos)
            return {};
        const auto end = message.find(to, start + from.size());
        return message.substr(start + from.size(),
                              end == std::string::npos ? end : end - start - from.size());
    };
    const std::size_t offset = error.byte > 0 ? error.byte - 1 : 0;  // of the last byte that was read
    const std::string_view rest = text.substr(std::min(offset, text.size()));
    const std::string where = line_and_column(text, offset);
    for (const std::string_view word : {"NaN", "Infinity"})
        if (rest.starts_with(word))
            return Error({"parse JSON", where, "a number", std::string(word) + ", which JSON does not have"});

    std::string expected = between("; expected ", "\n");
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

/// Watches the parser: nesting, and the fields of every object that is open.
class Watch {
public:
    explicit Watch(const JsonRules& rules) : rules_(rules) {}

    bool operator()(json::parse_event_t event, const json& parsed) {
        using Event = json::parse_event_t;
        if (event == Event::object_start || event == Event::array_start) {
            open_.emplace_back();
            if (static_cast<int>(open_.size()) > rules_.deepest)
                throw Error({"parse JSON", "",
                             "at most " + std::to_string(rules_.deepest) + " levels of nesting", "more"});
        } else if (event == Event::object_end || event == Event::array_end) {
            open_.pop_back();
        } else if (event == Event::key && !rules_.repeated_fields) {
            const auto& name = parsed.get_ref<const std::string&>();
            if (!open_.back().insert(name).second)
                throw Error({"parse JSON", "", "every field once", "a second \"" + excerpt(name) + '"'});
        }
        return true;
    }

private:
    JsonRules rules_;
    std::vector<std::set<std::string>> open_;
};

}  // namespace

std::string read_document(const std::filesystem::path& path) {
    return extension_of(path) == ".json"
               ? read_file(path, json_text_limit, " of JSON (.safetensors has room for more)")
               : read_file(path);
}

json parse_json(std::string_view text, const JsonRules& rules) try {
    if (text.size() > json_text_limit)
        throw Error({"parse JSON", "",
                     "at most " + std::to_string(json_text_limit) + " bytes (use .safetensors)",
                     std::to_string(text.size())});
    Watch watch(rules);
    const auto callback = [&watch](int, json::parse_event_t event, json& parsed) {
        return watch(event, parsed);
    };
    try {
        return json::parse(text.begin(), text.end(), callback);
    } catch (const json::parse_error& error) {
        throw syntax_error(text, error);
    } catch (const json::out_of_range&) {
        throw Error({"parse JSON", "", "numbers up to 1.8e308", "a larger one"});
    }
} catch (const Error& error) {
    if (rules.place.empty())
        throw;
    throw error.within(rules.place);
}

std::string write_json(const json& document) {
    std::string text = "{";
    for (const auto& [name, value] : document.items()) {
        text += text.size() > 1 ? ",\n " : "\n ";
        text += json(name).dump() + ": " + value.dump(-1, ' ', false, json::error_handler_t::replace);
    }
    return text + "\n}\n";
}

json number_to_json(double value) {
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value > 0 ? "Infinity" : "-Infinity";
    return value;
}

void append_number(std::string& text, double value) {
    if (!std::isfinite(value)) {
        text += number_to_json(value).dump();
        return;
    }
    if (value == 0 && std::signbit(value)) {
        text += "-0.0";  // "-0" would be read as the integer 0
        return;
    }
    std::array<char, 32> digits;
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    text.append(digits.data(), result.ptr);
}

bool is_utf8(const std::string& text) try {
    (void)json(text).dump();
    return true;
} catch (const json::type_error&) {
    return false;
}

}  // namespace headlight
