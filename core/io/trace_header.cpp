#include "core/io/trace_header.h"

#include "core/attention/json_object.h"
#include "core/attention/known_stages.h"
#include "core/attention/spec_json.h"
#include "core/io/inputs_json.h"
#include "core/io/json_text.h"
#include "core/io/trace_check.h"
#include "core/model/generation_trace.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>

namespace headlight {

using nlohmann::json;

namespace {

constexpr const char* document_name = "read trace";
constexpr std::array all_axes{Axis::head, Axis::query, Axis::key, Axis::feature, Axis::attention};

Axis axis_from(const std::string& word, const std::string& where) {
    std::vector<std::string> accepted;
    for (const Axis axis : all_axes) {
        if (to_string(axis) == word)
            return axis;
        accepted.emplace_back(to_string(axis));
    }
    throw Error({document_name, where, list_of(accepted), quoted_with_hint(word, accepted)});
}

/// Extents of 1 or more, one for each axis.
Shape shape_from(JsonObject& object, std::size_t axes) {
    const json& list = object.required("shape", "a list of extents");
    if (!list.is_array() || list.size() != axes || list.empty())
        object.refuse("shape", "an extent for each axis", describe(list));
    Shape shape;
    for (const json& extent : list) {
        if (!extent.is_number_unsigned() || extent.get<Index>() < 1)
            object.refuse("shape", "extents of 1 or more", describe(extent));
        shape.push_back(extent.get<Index>());
    }
    try {
        element_count(shape);
    } catch (const Error& error) {
        throw error.within(object.pointer("shape"));
    }
    return shape;
}

Stage stage_from(const json& document, const std::string& pointer) {
    JsonObject object(document, document_name, pointer);
    Stage stage;
    stage.site = object.text("site", {});
    stage.name = object.text("name", {});
    if (stage.name.empty())
        object.refuse("name", "the stage's name", "none");
    for (const std::string& word : object.texts("axes"))
        stage.axes.push_back(axis_from(word, object.pointer("axes")));
    stage.shape = shape_from(object, stage.axes.size());
    return stage;
}

std::vector<Stage> stages_with_known_axes() {
    std::vector<Stage> known = known_stages();
    known.insert(known.end(), output_stages().begin(), output_stages().end());
    return known;
}

/// A stage of a known name has the axes that this name stands for: views rely on it.
void require_known_axes(const Stage& stage, const std::string& pointer) {
    static const std::vector<Stage> all = stages_with_known_axes();
    for (const Stage& known : all) {
        if (known.name != stage.name || known.axes == stage.axes)
            continue;
        const bool is_energy_of_one_head =
            stage.name == "energy" && stage.axes.size() == 3 &&
            std::equal(stage.axes.begin(), stage.axes.end(), known.axes.begin() + 1);
        if (is_energy_of_one_head)
            continue;
        std::string axes;
        for (const Axis axis : known.axes)
            axes += (axes.empty() ? "" : ", ") + std::string(to_string(axis));
        throw Error({document_name, pointer + "/axes", axes, "others"});
    }
}

/// What a site's stages say of its heads, queries and keys.
class Extents {
public:
    void add(const Stage& stage, const std::string& pointer) {
        for (std::size_t i = 0; i < stage.axes.size(); ++i) {
            const Axis axis = stage.axes[i];
            if (axis != Axis::feature && std::ranges::count(stage.axes, axis) > 1)
                throw Error(
                    {document_name, pointer + "/axes", "every axis once", "a second " + quoted(axis)});
            // Each stage has features of its own, and keys may have fewer heads than queries.
            if (axis != Axis::query && axis != Axis::key)
                continue;
            const auto [known, is_new] = extents_.try_emplace({stage.site, axis}, stage.shape[i]);
            if (!is_new && known->second != stage.shape[i])
                throw Error({document_name, pointer + "/shape",
                             quoted(axis) + " to count " + std::to_string(known->second) +
                                 ", as in the stages before",
                             std::to_string(stage.shape[i])});
        }
    }

private:
    static std::string quoted(Axis axis) { return '"' + std::string(to_string(axis)) + '"'; }

    std::map<std::pair<std::string, Axis>, Index> extents_;
};

json sites_to_json(const Trace& trace) {
    json sites = json::object();
    for (const auto& [site, spec] : trace.joined_specs)
        sites[site]["spec"] = to_json(spec);
    for (const auto& [site, tokens] : trace.joined_tokens)
        sites[site]["tokens"] = labels_to_json(tokens);
    return sites;
}

void read_sites(const json& sites, const std::string& pointer, Trace& trace) {
    if (!sites.is_object())
        throw Error({document_name, pointer, "an object with an entry for each site", describe(sites)});
    for (const auto& [site, value] : sites.items()) {
        JsonObject object(value, document_name, pointer_to(pointer, site));
        if (const json* spec = object.find("spec"))
            trace.joined_specs[site] = spec_from_json(*spec, object.pointer("spec"));
        if (const json* tokens = object.find("tokens"))
            trace.joined_tokens[site] = labels_from_json(*tokens, document_name, object.pointer("tokens"));
    }
}

std::vector<Index> masked_queries_from(const json& list, const Trace& trace) {
    Index queries = 0;
    for (const Stage& stage : trace.stages())
        queries = std::max(queries, stage.extent(Axis::query));
    std::vector<Index> masked;
    const std::string pointer = "/fully_masked_queries";
    if (!list.is_array())
        throw Error({document_name, pointer, "a list of queries", describe(list)});
    for (const json& query : list) {
        const bool fits =
            query.is_number_unsigned() && query.get<Index>() >= 0 && query.get<Index>() < queries;
        if (!fits)
            throw Error({document_name, pointer_to(pointer, masked.size()),
                         "a query from 0 to " + std::to_string(queries - 1), describe(query)});
        masked.push_back(query.get<Index>());
    }
    return masked;
}

json changes_to_json(const std::vector<ChangedByHand>& changes) {
    const auto index = [](std::optional<Index> number) { return number ? json(*number) : json(nullptr); };
    json list = json::array();
    for (const ChangedByHand& each : changes)
        list.push_back({{"site", each.site},
                        {"stage", each.stage},
                        {"head", index(each.head)},
                        {"query", index(each.query)},
                        {"key", index(each.key)},
                        {"words", each.words}});
    return list;
}

std::vector<ChangedByHand> changes_from(const json& list) {
    constexpr Index largest_place = std::numeric_limits<std::int32_t>::max();
    const std::string pointer = "/by_hand";
    if (!list.is_array())
        throw Error({document_name, pointer, "a list of changes", describe(list)});
    std::vector<ChangedByHand> changes;
    for (const json& item : list) {
        JsonObject object(item, document_name, pointer_to(pointer, changes.size()));
        ChangedByHand& change = changes.emplace_back();
        change.site = object.text("site", {});
        change.stage = object.text("stage", {});
        change.head = object.optional_integer("head", 0, largest_place);
        change.query = object.optional_integer("query", 0, largest_place);
        change.key = object.optional_integer("key", 0, largest_place);
        change.words = object.text("words", {});
    }
    return changes;
}

}  // namespace

json trace_header(const Trace& trace) {
    json stages = json::array();
    for (const Stage& stage : trace.stages()) {
        json axes = json::array();
        for (const Axis axis : stage.axes)
            axes.push_back(to_string(axis));
        stages.push_back(
            {{"site", stage.site}, {"name", stage.name}, {"axes", std::move(axes)}, {"shape", stage.shape}});
    }
    json header = {{"format", trace_format},
                   {"spec", to_json(trace.spec)},
                   {"seed", trace.seed},
                   {"tokens", labels_to_json(trace.tokens)},
                   {"fully_masked_queries", trace.fully_masked_queries},
                   {"omitted", trace.omitted},
                   {"stages", std::move(stages)}};
    for (const TraceParameter& each : written_parameters(trace))
        header["parameters"].push_back({{"site", each.site}, {"name", each.name}, {"shape", each.shape}});
    if (json sites = sites_to_json(trace); !sites.empty())
        header["sites"] = std::move(sites);
    if (!trace.by_hand.empty())
        header["by_hand"] = changes_to_json(trace.by_hand);
    if (!trace.session.empty())
        header["session"] = std::move(*parse_json(trace.session));
    return header;
}

std::vector<Stage> stages_from_header(const json& header) {
    JsonObject object(header, document_name);
    const std::string format = object.text("format", {});
    if (format != trace_format)
        object.refuse("format", '"' + std::string(trace_format) + '"',
                      format.empty() ? "none" : '"' + excerpt(format) + '"');
    const json& list = object.required("stages", "a list of stages");
    if (!list.is_array())
        object.refuse("stages", "a list of stages", describe(list));

    std::vector<Stage> stages;
    std::set<std::pair<std::string, std::string>> names;
    Extents extents;
    for (const json& item : list) {
        const std::string pointer = pointer_to(object.pointer("stages"), stages.size());
        Stage stage = stage_from(item, pointer);
        if (!names.emplace(stage.site, stage.name).second)
            throw Error(
                {document_name, pointer, "every stage once", "a second \"" + excerpt(stage.name) + '"'});
        require_known_axes(stage, pointer);
        extents.add(stage, pointer);
        stages.push_back(std::move(stage));
    }
    return stages;
}

std::vector<TraceParameter> written_parameters(const Trace& trace) {
    constexpr const char* needed_by_views = "W_o";
    std::vector<TraceParameter> written;
    for (const auto& [site, parameters] : trace.parameters)
        if (const auto found = parameters->find(needed_by_views); found != parameters->end())
            written.push_back({site, needed_by_views, found->second.shape()});
    return written;
}

std::vector<TraceParameter> parameters_from_header(const json& header) {
    JsonObject object(header, document_name);
    const json* list = object.find("parameters");
    if (!list)
        return {};
    if (!list->is_array())
        object.refuse("parameters", "a list of parameters", describe(*list));
    std::vector<TraceParameter> parameters;
    std::set<std::pair<std::string, std::string>> names;
    for (const json& item : *list) {
        const std::string pointer = pointer_to(object.pointer("parameters"), parameters.size());
        JsonObject parameter(item, document_name, pointer);
        TraceParameter& each = parameters.emplace_back();
        each.site = parameter.text("site", {});
        each.name = parameter.text("name", {});
        if (each.name.empty())
            parameter.refuse("name", "the parameter's name", "none");
        if (!names.emplace(each.site, each.name).second)
            throw Error(
                {document_name, pointer, "every parameter once", "a second \"" + excerpt(each.name) + '"'});
        constexpr std::size_t rows_and_columns = 2;
        each.shape = shape_from(parameter, rows_and_columns);
    }
    return parameters;
}

void set_parameters(Trace& trace, const std::vector<TraceParameter>& parameters,
                    const std::function<void(std::size_t number, std::span<double> to)>& read) {
    std::map<std::string, std::map<std::string, Tensor>> of_sites;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const auto& [site, name, shape] = parameters[i];
        Tensor& tensor = of_sites[site].insert_or_assign(name, Tensor(shape)).first->second;
        read(i, tensor.values());
        if (!std::ranges::all_of(tensor.values(), [](double number) { return std::isfinite(number); }))
            throw Error({document_name, pointer_to("/parameters", i), "finite numbers", "others"});
    }
    for (auto& [site, tensors] : of_sites)
        trace.parameters[site] = std::make_shared<const std::map<std::string, Tensor>>(std::move(tensors));
}

void read_header(const json& header, Trace& trace) {
    JsonObject object(header, document_name);
    trace.spec = spec_from_json(object.required("spec", "the spec that was run"), object.pointer("spec"));
    trace.seed = object.unsigned_integer("seed", 0);
    if (const json* tokens = object.find("tokens"))
        trace.tokens = labels_from_json(*tokens, document_name, object.pointer("tokens"));
    if (const json* sites = object.find("sites"))
        read_sites(*sites, object.pointer("sites"), trace);
    require_extents_that_fit(trace);
    if (const json* masked = object.find("fully_masked_queries"))
        trace.fully_masked_queries = masked_queries_from(*masked, trace);
    trace.omitted = object.texts("omitted");
    if (const json* changes = object.find("by_hand"))
        trace.by_hand = changes_from(*changes);
    if (const json* session = object.find("session")) {
        if (!session->is_object())
            object.refuse("session", "a session", describe(*session));
        trace.session = session->dump(-1, ' ', false, json::error_handler_t::replace);
    }
}

}  // namespace headlight
