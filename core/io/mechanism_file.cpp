#include "core/io/mechanism_file.h"

#include "core/attention/component.h"
#include "core/attention/json_object.h"
#include "core/attention/spec_json.h"
#include "core/attention/typed_formula.h"
#include "core/io/installed_manual.h"
#include "core/io/json_text.h"
#include "core/tensor/error.h"
#include "core/text/utf8_text.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

namespace headlight {

using nlohmann::json;

namespace {

constexpr const char* mechanism_format = "headlight-mechanism/1";
constexpr const char* mechanism_document = "read mechanism";

/// What stands in menus and file names: one line, and something to see.
void require_name(const JsonObject& object, const std::string& name) {
    const bool is_line =
        std::ranges::none_of(name, [](unsigned char byte) { return byte < 0x20 || byte == 0x7f; });
    const bool is_blank = name.find_first_not_of(' ') == std::string::npos;
    if (!is_line || is_blank || name.size() > longest_mechanism_name)
        object.refuse("name",
                      "a name on one line of 1 to " + std::to_string(longest_mechanism_name) + " bytes",
                      name.empty() ? "none" : '"' + excerpt(name) + '"');
}

/// With every option, also those that were left to their defaults: whoever reads the document later gets the
/// same, whatever the defaults are by then. A spec with options that no component has is written as it is:
/// whoever runs it is told.
AttentionSpec with_defaults(const AttentionSpec& spec) {
    try {
        return complete_spec(spec);
    } catch (const Error&) {
        return spec;
    }
}

constexpr std::string_view around_mark = "# around:";

/// What stands around a formula that does not say so.
AttentionSpec around_standard_formula() {
    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.algorithm.type = AlgorithmType::formula;
    return spec;
}

/// What stands around where these fields say so. Throws Error for what is no spec.
AttentionSpec spec_around(const json& around) {
    json document = to_json(around_standard_formula());
    document.update(around);
    return spec_from_json(document);
}

/// The same with every option; nothing for what is no spec.
std::optional<AttentionSpec> known_spec_around(const json& around) {
    try {
        return with_defaults(spec_around(around));
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// What a part is says itself, and so do its heads where there are several: nobody need know the defaults of
/// these.
bool is_always_said(const json& part, const std::string& field) {
    const auto type = part.find("type");
    const bool has_several = type != part.end() && *type != to_word(HeadsType::single);
    return field == "type" || (field == "heads" && has_several);
}

/// Takes out of a part of a document each field without which what it says `is_same()`.
void leave_out_defaults(json& part, const std::function<bool()>& is_same) {
    if (part.is_array())
        for (json& each : part)
            leave_out_defaults(each, is_same);
    if (!part.is_object())
        return;
    std::vector<std::string> fields;
    for (const auto& [field, value] : part.items())
        fields.push_back(field);
    for (const std::string& field : fields) {
        if (is_always_said(part, field))
            continue;
        json value = part[field];
        part.erase(field);
        if (is_same())
            continue;
        part[field] = std::move(value);
        leave_out_defaults(part[field], is_same);
    }
}

/// Elsewhere the line would be a mere comment, and what it says around the formula gone without a word.
void refuse_around_elsewhere(const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        std::string said;
        if (const std::size_t comment = line.find('#'); comment != line.npos)
            for (const char letter : line.substr(comment + 1))
                if (letter != ' ' && letter != '\t' && letter != '#' && letter != ':')
                    said += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        if (said.starts_with("around{"))
            throw Error({"formula", "line " + std::to_string(number),
                         "what stands around the formula in its first line, \"# around: {...}\"",
                         number == 1 ? '"' + excerpt(line) + '"' : "it in another line"});
    }
}

/// Takes the line that says what stands around off the beginning of the text, which keeps its line's end so
/// that places of errors stay true.
AttentionSpec take_around(std::string& text) {
    AttentionSpec spec = around_standard_formula();
    if (!text.starts_with(around_mark)) {
        refuse_around_elsewhere(text);
        return spec;
    }
    const std::size_t end = std::min(text.find('\n'), text.size());
    // With spaces for the mark, places of errors are those of the line.
    const std::string fields = text.substr(0, end).replace(0, around_mark.size(), around_mark.size(), ' ');
    text.erase(0, end);
    refuse_around_elsewhere(text);
    try {
        const JsonDocument around = parse_json(fields);
        if (!around->is_object() || around->contains("algorithm"))
            throw Error({"formula", "", "an object of fields of a spec, without an algorithm",
                         around->is_object() ? "\"algorithm\"" : describe(*around)});
        return spec_around(*around);
    } catch (const Error& error) {
        const ErrorDetail& detail = error.detail();
        const std::string place = detail.where.empty()               ? "line 1"
                                  : detail.where.starts_with("line") ? detail.where
                                                                     : "line 1, " + detail.where;
        throw Error({"formula", place, detail.expected, detail.got});
    }
}

/// A session could not keep other bytes.
void require_letters(const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number)
        if (!is_utf8(line))
            throw Error({"formula", "line " + std::to_string(number),
                         "text in UTF-8 (an editor can save the file in it)",
                         "bytes that are no letters in it"});
}

}  // namespace

json to_json(const CustomMechanism& mechanism) {
    return {{"format", mechanism_format},
            {"name", mechanism.name},
            {"spec", to_json(with_defaults(mechanism.spec))}};
}

CustomMechanism mechanism_from_json(const json& document, const std::string& pointer) {
    JsonObject object(document, mechanism_document, pointer);
    const std::string format = object.text("format", mechanism_format);
    if (format != mechanism_format)
        object.refuse("format", '"' + std::string(mechanism_format) + '"', '"' + excerpt(format) + '"');
    CustomMechanism mechanism;
    mechanism.name = object.text("name", {});
    require_name(object, mechanism.name);
    mechanism.spec = spec_from_json(
        object.required("spec", "what the mechanism computes (" + place_in_manual("spec.md") + ")"),
        object.pointer("spec"));
    return mechanism;
}

CustomMechanism formula_mechanism(std::string bytes, const std::string& name) {
    std::string text = utf8_text(std::move(bytes));
    if (text.find('\n') == std::string::npos)  // old editors end lines with a carriage return alone
        std::ranges::replace(text, '\r', '\n');
    require_letters(text);
    AttentionSpec spec = take_around(text);
    // Says what is wrong before anything else is read.
    if (typed_formula(text)->lines.empty())
        throw Error({"formula", "", "a line such as weights = softmax(q @ k.T)", "no line"});
    const std::string line = excerpt(name);
    const bool is_blank = line.find_first_not_of(' ') == std::string::npos;
    spec.algorithm.options["text"] = text;
    return {is_blank ? "Formula" : line, std::move(spec)};
}

std::string write_formula(const AttentionSpec& spec, const std::string& lines) {
    AttentionSpec plain = around_standard_formula();
    plain.algorithm.options["text"] = lines;
    const json standard = to_json(with_defaults(plain));
    const json fields = to_json(with_defaults(spec));
    json around = json::object();
    for (const auto& [field, value] : fields.items())
        if (field != "algorithm" && value != standard.value(field, json()))
            around[field] = value;
    // Lines that were read have an empty one where theirs was (take_around()).
    const bool has_its_place = lines.starts_with('\n');
    if (around.empty())
        return has_its_place ? lines.substr(1) : lines;
    if (const auto said = known_spec_around(around))
        leave_out_defaults(around, [&] { return known_spec_around(around) == said; });
    const char* end = has_its_place ? "" : "\n";
    return std::string(around_mark) + ' ' + around.dump(-1, ' ', false, json::error_handler_t::replace) +
           end + lines;
}

std::string write_mechanism(const CustomMechanism& mechanism) { return write_json(to_json(mechanism)); }

bool is_mechanism(const json& document) {
    if (!document.is_object())
        return false;
    const auto format = document.find("format");
    return format != document.end() && format->is_string() &&
           format->get_ref<const std::string&>().starts_with("headlight-mechanism/");
}

CustomMechanism parse_mechanism(std::string_view text) {
    const JsonDocument document = parse_json(text);
    if (document->is_object() && !document->contains("format"))
        throw Error({mechanism_document, "/format", '"' + std::string(mechanism_format) + '"', "none"});
    return mechanism_from_json(*document);
}

}  // namespace headlight
