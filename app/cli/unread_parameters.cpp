#include "app/cli/unread_parameters.h"

#include "app/cli/arguments.h"
#include "app/cli/spec_document.h"
#include "core/attention/spec_json.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

namespace headlight {
namespace {

/// "mask.all" of "/mask/all/0/size", "mask_order" of "/mask_order".
std::string field_of(const std::string& pointer) {
    const std::size_t part_ends = pointer.find('/', 1);
    const bool is_in_part = part_ends != std::string::npos;
    std::string path = pointer.substr(1, is_in_part ? pointer.find('/', part_ends + 1) - 1 : part_ends);
    std::ranges::replace(path, '/', '.');
    return path;
}

/// As many as it takes to see what the parameter changes.
std::vector<ParameterValue> values_of(const MechanismParameter& parameter) {
    using Kind = MechanismParameter::Kind;
    switch (parameter.kind) {
    case Kind::boolean:
        return {false, true};
    case Kind::integer:
        return {parameter.standard, static_cast<Index>(parameter.minimum),
                static_cast<Index>(parameter.maximum)};
    case Kind::real:
        return {parameter.standard, parameter.minimum, parameter.maximum};
    case Kind::choice:
        return {parameter.choices.begin(), parameter.choices.end()};
    }
    return {};
}

/// The fields of the spec that are others with another value of the parameter.
std::set<std::string> changed_fields(const Mechanism& mechanism, ParameterValues values,
                                     const MechanismParameter& parameter) {
    const nlohmann::json built = to_json(build_spec(mechanism, values));
    std::set<std::string> fields;
    for (const ParameterValue& value : values_of(parameter)) {
        values[parameter.name] = value;
        for (const nlohmann::json& change :
             nlohmann::json::diff(built, to_json(build_spec(mechanism, values))))
            fields.insert(field_of(change.at("path").get<std::string>()));
    }
    return fields;
}

}  // namespace

void refuse_unread_parameters(const Mechanism& mechanism, const ParameterValues& values,
                              const std::vector<Assignment>& fields, const AttentionSpec& spec) {
    const nlohmann::json document = to_json(spec);
    const auto is_set = [&](const std::string& path) {
        return std::ranges::count(fields, path, &Assignment::name) > 0;
    };
    for (const auto& [name, value] : values) {
        const MechanismParameter& parameter =
            *std::ranges::find(mechanism.parameters, name, &MechanismParameter::name);
        if (value == parameter.standard)  // as it is unless said
            continue;
        std::optional<ErrorDetail> why;
        const auto is_read = [&](const std::string& path) {
            const auto unread = why_unread(path, document);
            if (!why)
                why = unread;
            return !unread && !is_set(path) && !is_set(part_of(path)) && document.contains(pointer_of(path));
        };
        const std::set<std::string> changed = changed_fields(mechanism, values, parameter);
        if (changed.empty() || std::ranges::any_of(changed, is_read))
            continue;
        if (!why)
            throw UsageError({"run", "--set", name + ", or what it sets in the spec", "both"});
        why->where = name;
        throw UsageError(Error(*why).within("--set"));
    }
}

}  // namespace headlight
