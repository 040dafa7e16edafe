#include "app/cli/spec_path.h"

#include "app/cli/arguments.h"
#include "app/cli/spec_document.h"
#include "core/attention/spec_json.h"
#include "core/attention/typed_formula.h"
#include "core/catalog/mechanism.h"
#include "core/io/json_text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

namespace headlight {
namespace {

/// What a formula says itself, and no spec around it.
bool is_said_by_formula(const std::string& path) {
    constexpr std::array<std::string_view, 5> said = {"score", "selection", "normalizer", "algorithm",
                                                      "mask_value"};
    return std::ranges::count(said, part_of(path)) > 0;
}

/// "mask.key_lengths" and "mask", of a formula those around it.
std::vector<std::string> spec_paths(bool is_formula = false) {
    std::set<std::string> paths;
    for (const SpecField& field : known_fields())
        if (!is_formula || !is_said_by_formula(field.path)) {
            paths.insert(field.path);
            paths.insert(part_of(field.path));
        }
    return {paths.begin(), paths.end()};
}

/// "mask.tokens" and "algorithm.tokens" for "tokens".
std::vector<std::string> paths_ending_with(const std::string& name, const std::vector<std::string>& paths) {
    std::vector<std::string> ending;
    std::ranges::copy_if(paths, std::back_inserter(ending),
                         [&](const std::string& path) { return path.ends_with('.' + name); });
    return ending;
}

nlohmann::json value_of(const std::string& text) {
    try {
        return std::move(*parse_json(text));
    } catch (const Error&) {
        return text;
    }
}

/// The fields of the part that the name begins with, or those that are called so in some part; the parts
/// where there is none.
std::string expected_paths(const std::string& name, const std::vector<std::string>& paths) {
    std::vector<std::string> of_part, parts;
    for (const std::string& path : paths) {
        if (path.starts_with(part_of(name) + "."))
            of_part.push_back(path);
        if (path.find('.') == std::string::npos)
            parts.push_back(path);
    }
    if (of_part.empty())
        of_part = paths_ending_with(name, paths);
    return list_of(of_part.empty() ? parts : of_part);
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

bool is_spec_path(const std::string& name) { return std::ranges::count(spec_paths(), name) > 0; }

namespace {

/// `named` is null where no mechanism of the catalogue is.
std::string hint_of_parameter(const std::string& name, const Mechanism* named) {
    const auto has_it = [&name](const Mechanism& each) {
        return std::ranges::count(each.parameters, name, &MechanismParameter::name) > 0;
    };
    if (named)
        return has_it(*named) ? " (a parameter of the mechanism is set with \"--set " + name + "=VALUE\")"
                              : "";
    constexpr std::size_t most = 3;
    std::vector<std::string> owners;
    std::size_t others = 0;
    for (const Mechanism& each : mechanisms())
        if (has_it(each)) {
            if (owners.size() < most)
                owners.push_back(each.id);
            else
                ++others;
        }
    return owners.empty() ? ""
                          : " (a parameter of " + list_with_others(owners, others) +
                                ", beside whose name it is set with \"--set " + name + "=VALUE\")";
}

/// The only one that is called so: of the fields that every spec has, or else of all; of a part, as of
/// "heads", which has other fields to set, of the former alone.
const SpecField* field_called(const std::string& name, const std::vector<std::string>& paths) {
    const bool is_path = std::ranges::count(paths, name) > 0;
    if (const SpecField* field = find_field(name); field && is_path)
        return field;
    const std::vector<std::string> of_some = paths_ending_with(name, paths);
    const nlohmann::json every = to_json(AttentionSpec{});
    std::vector<std::string> of_every;
    std::ranges::copy_if(of_some, std::back_inserter(of_every),
                         [&](const std::string& path) { return every.contains(pointer_of(path)); });
    const std::vector<std::string>& called = of_every.empty() && !is_path ? of_some : of_every;
    return called.size() == 1 ? find_field(called.front()) : nullptr;
}

std::string hint_of_field(const std::string& name, bool is_formula) {
    const std::vector<std::string> paths = spec_paths(is_formula);
    if (const SpecField* field = field_called(name, paths)) {
        std::string settings;
        if (!field->read_where.empty())
            for (const ReadWith& with : field->read_where.front())
                settings += "--set " + with.paths.front() + '=' + with.words.front() + ' ';
        return " (a field of the spec is set with \"" + settings + "--set " + field->path + "=VALUE\")";
    }
    return std::ranges::count(paths, name) > 0
               ? " (fields of the spec are set with --set: " + expected_paths(name, paths) + ')'
               : "";
}

}  // namespace

std::string hint_of_run(const std::string& name, const Arguments& others) {
    const bool is_formula = others.has("--formula");
    const bool is_mechanism = !is_formula && !others.has("--spec");
    const std::string named = others.operands().empty() ? "" : others.operands().front();
    const std::string of_parameter = is_mechanism ? hint_of_parameter(name, find_mechanism(named)) : "";
    return of_parameter.empty() ? hint_of_field(name, is_formula) : of_parameter;
}

std::string hint_of_training(const std::string& name, const Arguments& others) {
    if (others.has("--formula"))  // says it itself
        return {};
    return hint_of_parameter(name, find_mechanism(others.value("--attention").value_or("")));
}

namespace {

/// The parameters of a formula are numbers of a file: that is said too.
[[noreturn]] void refuse_name(const std::string& name, const AttentionSpec& spec) {
    const std::vector<std::string> paths = spec_paths(spec.algorithm.type == AlgorithmType::formula);
    const std::vector<std::string> parameters = formula_parameter_names(spec);
    std::string expected = expected_paths(name, paths);
    if (!parameters.empty())
        expected += "; numbers of " + list_in_words(parameters, "and") + " come with --inputs FILE";
    std::string meant;
    if (std::ranges::count(parameters, name) == 0) {
        const SpecField* field = field_called(name, paths);
        std::vector<std::string> known = paths;
        known.insert(known.end(), parameters.begin(), parameters.end());
        meant = field ? field->path : nearest(name, known);
    }
    throw Error({"run", "", expected, '"' + excerpt(name) + '"' + did_you_mean(meant)});
}

}  // namespace

AttentionSpec with_fields(const AttentionSpec& spec, const std::vector<Assignment>& fields) try {
    nlohmann::json document = to_json(spec);
    // A part that is set as a whole would undo what was set in it before.
    std::vector<Assignment> parts_first = fields;
    std::stable_partition(parts_first.begin(), parts_first.end(),
                          [](const Assignment& field) { return part_of(field.name) == field.name; });
    for (const Assignment& field : parts_first) {
        if (!is_spec_path(field.name))
            refuse_name(field.name, spec);
        nlohmann::json& value = document[pointer_of(field.name)];
        nlohmann::json said = value_of(field.value);
        if (value.is_object() && !said.is_object())
            throw Error({"run", "",
                         "an object, or a field of it: " + expected_paths(field.name, spec_paths()),
                         '"' + excerpt(field.name + '=' + field.value) + '"'});
        value = std::move(said);
    }
    leave_other_types(document, to_json(spec), fields);
    refuse_unread(fields, document);
    AttentionSpec changed = spec_from_json(document);
    refuse_unread(fields, to_json(changed));  // now with each word that had been left out
    return changed;
} catch (const Error& error) {
    throw UsageError(error.within("--set"));
} catch (const nlohmann::json::exception&) {
    throw UsageError({"run", "--set", "a group of fields or the fields in it", "both"});
}

}  // namespace headlight
