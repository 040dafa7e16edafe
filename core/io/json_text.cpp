#include "core/io/json_text.h"

#include "core/io/files.h"
#include "core/io/json_builder.h"
#include "core/tensor/error.h"
#include "core/tensor/memory.h"
#include "core/text/utf8_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace headlight {

using nlohmann::json;

std::string read_document(const std::filesystem::path& path) {
    return extension_of(path) == ".json"
               ? read_file(path, json_text_limit, " of JSON (.safetensors has room for more)")
               : read_file(path);
}

std::size_t json_memory_limit() {
    constexpr std::uint64_t most = std::uint64_t(1) << 30;
    return static_cast<std::size_t>(std::min(most, memory_limit()));
}

JsonDocument parse_json(std::string_view document, const JsonRules& rules) try {
    const std::string_view text = without_byte_order_mark(document);
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        throw Error({"parse JSON", "", "UTF-8", "UTF-16"});
    if (text.size() > json_text_limit)
        throw Error({"parse JSON", "",
                     "at most " + std::to_string(json_text_limit) + " bytes (use .safetensors)",
                     std::to_string(text.size())});
    JsonBuilder builder(text, rules);
    json::sax_parse(text.begin(), text.end(), &builder);
    return builder.take();
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
