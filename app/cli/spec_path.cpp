#include "app/cli/spec_path.h"

#include "app/cli/arguments.h"
#include "core/attention/spec_json.h"
#include "core/attention/spec_words.h"
#include "core/catalog/mechanism.h"
#include "core/io/json_text.h"

#include <algorithm>
#include <set>

namespace headlight {

namespace {

/// "mask.key_lengths" and "mask".
std::vector<std::string> spec_paths() {
    std::set<std::string> paths;
    for (const SpecField& field : spec_fields()) {
        paths.insert(field.path);
        paths.insert(field.path.substr(0, field.path.find('.')));
    }
    return {paths.begin(), paths.end()};
}

nlohmann::json value_of(const std::string& text) {
    try {
        return std::move(*parse_json(text));
    } catch (const Error&) {
        return text;
    }
}

}  // namespace

std::vector<Assignment> parse_assignments(const std::vector<std::string>& texts) {
    std::vector<Assignment> assignments;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            throw UsageError({"run", "--set", "NAME=VALUE", '"' + excerpt(text) + '"'});
        Assignment assignment{text.substr(0, equals), text.substr(equals + 1)};
        if (std::ranges::count(assignments, assignment.name, &Assignment::name) > 0)
            throw UsageError(
                {"run", "--set", "every name once", '"' + excerpt(assignment.name) + "\" twice"});
        assignments.push_back(std::move(assignment));
    }
    return assignments;
}

namespace {

/// The fields of the part that the name begins with; the parts where it begins with none.
std::string expected_paths(const std::string& name) {
    std::vector<std::string> of_part, parts;
    const std::string part = name.substr(0, name.find('.'));
    for (const std::string& path : spec_paths()) {
        if (path.starts_with(part + "."))
            of_part.push_back(path);
        if (path.find('.') == std::string::npos)
            parts.push_back(path);
    }
    return list_of(of_part.empty() ? parts : of_part);
}

}  // namespace

bool is_spec_path(const std::string& name) { return std::ranges::count(spec_paths(), name) > 0; }

std::string parameter_hint(const std::string& name, const std::string& mechanism) {
    const auto has_it = [&name](const Mechanism& each) {
        return std::ranges::count(each.parameters, name, &MechanismParameter::name) > 0;
    };
    const Mechanism* named = find_mechanism(mechanism);
    if (named ? !has_it(*named) : std::ranges::none_of(mechanisms(), has_it))
        return {};
    return " (a parameter of the mechanism is set with \"--set " + name + "=VALUE\")";
}

std::string parameter_or_field_hint(const std::string& name, const std::string& mechanism) {
    if (const std::string hint = parameter_hint(name, mechanism); !hint.empty() || !is_spec_path(name))
        return hint;
    if (name == "heads")  // one head has no number of them
        return " (heads are set with \"--set heads.type=multi --set heads.heads=VALUE\")";
    const bool is_field = std::ranges::count(spec_fields(), name, &SpecField::path) > 0;
    return is_field ? " (a field of the spec is set with \"--set " + name + "=VALUE\")"
                    : " (fields of the spec are set with --set: " + expected_paths(name) + ')';
}

AttentionSpec with_fields(const AttentionSpec& spec, const std::vector<Assignment>& fields) try {
    nlohmann::json document = to_json(spec);
    for (const Assignment& field : fields) {
        if (!is_spec_path(field.name))
            throw Error({"run", "", expected_paths(field.name), quoted_with_hint(field.name, spec_paths())});
        std::string pointer = '/' + field.name;
        std::ranges::replace(pointer, '.', '/');
        nlohmann::json& value = document[nlohmann::json::json_pointer(pointer)];
        nlohmann::json said = value_of(field.value);
        if (value.is_object() && !said.is_object())
            throw Error({"run", "", "an object, or a field of it: " + expected_paths(field.name),
                         '"' + excerpt(field.name + '=' + field.value) + '"'});
        value = std::move(said);
    }
    return spec_from_json(document);
} catch (const Error& error) {
    throw UsageError(error.within("--set"));
} catch (const nlohmann::json::exception&) {
    throw UsageError({"run", "--set", "a group of fields or the fields in it", "both"});
}

}  // namespace headlight
