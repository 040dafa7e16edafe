#include "core/attention/json_object.h"
#include "core/attention/spec_json.h"
#include "core/attention/spec_words.h"
#include "core/io/inputs_check.h"
#include "core/io/json_text.h"
#include "core/io/knob_values.h"
#include "core/io/sequence_json.h"
#include "core/io/session.h"
#include "core/io/session_words.h"
#include "core/io/tensor_json.h"
#include "core/io/view_json.h"
#include "core/io/written_by.h"
#include "core/tensor/error.h"

#include <limits>

namespace headlight {

using nlohmann::json;

namespace {

constexpr const char* session_format = "headlight-session/1";
constexpr const char* session_document = "read session";
constexpr Index largest_index = std::numeric_limits<Index>::max();

template <class Number>
json number_or_null(const std::optional<Number>& number) {
    return number ? json(*number) : json(nullptr);
}

json to_json(const Intervention& intervention) {
    return {{"kind", to_word(intervention.kind)},
            {"site", intervention.site},
            {"head", number_or_null(intervention.head)},
            {"step", number_or_null(intervention.step)},
            {"key", intervention.key},
            {"weight", intervention.weight},
            {"from_head", intervention.from_head},
            {"renormalizes", intervention.renormalizes}};
}

Intervention intervention_from(JsonObject object) {
    Intervention intervention;
    intervention.kind = object.word("kind", intervention.kind);
    intervention.site = object.text("site", {});
    intervention.head = object.optional_integer("head", 0, largest_index);
    intervention.step = object.optional_integer("step", 0, largest_index);
    intervention.key = object.integer("key", 0, 0, largest_index);
    intervention.weight = object.number("weight", 0);
    if (!(intervention.weight >= 0 && intervention.weight <= 1))
        object.refuse("weight", "a number from 0 to 1", json(intervention.weight).dump());
    intervention.from_head = object.integer("from_head", 0, 0, largest_index);
    intervention.renormalizes = object.boolean("renormalizes", false);
    if (intervention.renormalizes && intervention.kind != Intervention::Kind::zero_column)
        object.refuse("renormalizes", "false, but for a column that gets no weight", "true");
    object.refuse_other_fields();
    return intervention;
}

json to_json(const WordChoice& choice) {
    return {{"way", to_word(choice.way)},
            {"beam_width", choice.beam_width},
            {"temperature", choice.sampling.temperature},
            {"top_k", choice.sampling.top_k},
            {"top_p", choice.sampling.top_p},
            {"seed", choice.seed}};
}

WordChoice choice_from(JsonObject object) {
    WordChoice choice;
    choice.way = object.word("way", choice.way);
    choice.beam_width = object.integer("beam_width", choice.beam_width, 1, widest_beam);
    Sampling& sampling = choice.sampling;
    sampling.temperature = object.number("temperature", sampling.temperature);
    if (!(sampling.temperature >= 0 && sampling.temperature <= 1000))
        object.refuse("temperature", "a number from 0 to 1000", json(sampling.temperature).dump());
    sampling.top_k = object.integer("top_k", sampling.top_k, 0, largest_index);
    sampling.top_p = object.number("top_p", sampling.top_p);
    if (!(sampling.top_p >= 0 && sampling.top_p <= 1))
        object.refuse("top_p", "a number from 0 to 1", json(sampling.top_p).dump());
    choice.seed = object.unsigned_integer("seed", choice.seed);
    object.refuse_other_fields();
    return choice;
}

json to_json(const SessionModel& model) {
    json interventions = json::array();
    for (const Intervention& each : model.request.interventions)
        interventions.push_back(to_json(each));
    return {{"name", model.name},
            {"source", model.request.source},
            {"chosen", model.request.chosen},
            {"target", model.request.target ? json(*model.request.target) : json(nullptr)},
            {"interventions", std::move(interventions)},
            {"choice", to_json(model.request.choice)},
            {"followed", model.request.followed}};
}

/// Whether there is such a model, and whether it knows these words, shows when it generates.
SessionModel model_from(JsonObject object) {
    constexpr std::size_t most_words = 1000, most_interventions = 1000;
    const auto require_few = [&](const char* name, std::size_t count, std::size_t most) {
        if (count > most)
            object.refuse(name, "at most " + std::to_string(most), std::to_string(count));
    };
    SessionModel model;
    model.name = object.text("name", {});
    if (model.name.empty())
        object.refuse("name", "the name of a model, or its folder", "none");
    model.request.source = object.text("source", {});
    model.request.chosen = object.texts("chosen");
    require_few("chosen", model.request.chosen.size(), most_words);
    if (const json* target = object.find("target"); target && !target->is_null())
        model.request.target = object.text("target", {});
    if (const json* list = object.find("interventions")) {
        const std::string pointer = object.pointer("interventions");
        if (!list->is_array())
            object.refuse("interventions", "a list of interventions", describe(*list));
        require_few("interventions", list->size(), most_interventions);
        for (const json& entry : *list) {
            const std::string place = pointer_to(pointer, model.request.interventions.size());
            model.request.interventions.push_back(
                intervention_from(JsonObject(entry, session_document, place)));
        }
    }
    model.request.choice = choice_from(object.object("choice"));
    model.request.followed = object.texts("followed");
    require_few("followed", model.request.followed.size(), most_words);
    return model;
}

json to_json(const ExportOptions& options) {
    return {{"width_mm", number_or_null(options.width_mm)},
            {"width_px", number_or_null(options.width_px)},
            {"dpi", options.dpi},
            {"vector_cells", options.vector_cells}};
}

/// A file must not make us draw a picture of any size.
ExportOptions export_options_from(JsonObject object) {
    const auto require = [&](const char* name, double value, double least, double most) {
        if (!(value >= least && value <= most))
            object.refuse(name, "a number from " + json(least).dump() + " to " + json(most).dump(),
                          json(value).dump());
    };
    ExportOptions options;
    options.width_mm = object.optional_number("width_mm");
    if (options.width_mm)
        require("width_mm", *options.width_mm, smallest_width_mm, largest_width_mm);
    if (const auto width = object.optional_integer("width_px", smallest_width_px, largest_width_px))
        options.width_px = static_cast<int>(*width);
    options.dpi = object.number("dpi", options.dpi);
    require("dpi", options.dpi, smallest_dpi, largest_dpi);
    options.vector_cells = object.boolean("vector_cells", options.vector_cells);
    return options;
}

ParameterValues values_from(JsonObject& session, const Mechanism& mechanism) {
    const json* values = session.find("values");
    if (!values)
        return {};
    return knob_values_from_json(*values, mechanism, session_document, session.pointer("values"));
}

std::shared_ptr<const MatrixMask> drawn_mask_from(JsonObject& session) {
    const json* rows = session.find("mask");
    if (!rows || rows->is_null())
        return nullptr;
    Mask mask = mask_from_json({{"type", "matrix"}, {"allowed", *rows}}, session.pointer("mask"));
    return std::make_shared<const MatrixMask>(std::get<MatrixMask>(std::move(mask.rule)));
}

const Mechanism& mechanism_at(JsonObject& object, const std::string& id) {
    if (const Mechanism* found = find_mechanism(id))
        return *found;
    const auto [expected, got] = unknown_mechanism(id);
    object.refuse("mechanism", expected, got);
}

json values_to_json(const ParameterValues& values) {
    json object = json::object();
    for (const auto& [name, value] : values)
        object[name] = std::visit([](const auto& plain) { return json(plain); }, value);
    return object;
}

/// Whether there is such a file shows when it is read.
SessionCapture capture_from(JsonObject object, bool has_model) {
    SessionCapture capture{.file = object.text("file", {})};
    if (capture.file.empty())
        object.refuse("file", "the path of a capture", "none");
    if (has_model)
        object.refuse("", "a model or a capture", "both");
    capture.unit = object.word("units", capture.unit);
    capture.spelling = object.word("tokens", capture.spelling);
    return capture;
}

/// An empty text is being typed; an empty name is none.
Counterpart counterpart_from(JsonObject object, const Session& session) {
    Counterpart counterpart;
    object.required("kind", "\"text\", \"model\" or \"capture\"");
    object.required("value", "a text, or a name or a path");
    counterpart.kind = object.word("kind", counterpart.kind);
    counterpart.value = object.text("value", {});
    if (!session.allows(counterpart.kind))
        object.refuse("kind",
                      session.capture ? "\"capture\", as the session shows one"
                      : session.model ? "\"text\" or \"model\""
                                      : "\"text\", as a mechanism attends",
                      '"' + std::string(to_word(counterpart.kind)) + '"');
    if (counterpart.kind != Counterpart::Kind::text && counterpart.value.empty())
        object.refuse("value", "a name or a path", "none");
    return counterpart;
}

json to_json(const SessionCapture& capture) {
    return {{"file", capture.file}, {"units", to_word(capture.unit)}, {"tokens", to_word(capture.spelling)}};
}

json compared_to_json(const std::vector<ComparedMechanism>& compared) {
    json list = json::array();
    for (const ComparedMechanism& each : compared)
        list.push_back({{"mechanism", each.mechanism},
                        {"values", values_to_json(each.values)},
                        {"custom", each.custom ? to_json(*each.custom) : json(nullptr)}});
    return list;
}

std::vector<ComparedMechanism> compared_from(JsonObject& session) {
    std::vector<ComparedMechanism> compared;
    const json* list = session.find("compared");
    if (!list)
        return compared;
    const std::string pointer = session.pointer("compared");
    if (!list->is_array() || std::ssize(*list) > most_compared)
        throw Error({session_document, pointer,
                     "a list of up to " + std::to_string(most_compared) + " mechanisms", describe(*list)});
    for (const json& entry : *list) {
        JsonObject object(entry, session_document, pointer_to(pointer, compared.size()));
        ComparedMechanism each;
        each.mechanism = object.text("mechanism", each.mechanism);
        each.values = values_from(object, mechanism_at(object, each.mechanism));
        if (const json* custom = object.find("custom"); custom && !custom->is_null())
            each.custom = mechanism_from_json(*custom, object.pointer("custom"));
        object.refuse_other_fields();
        compared.push_back(std::move(each));
    }
    return compared;
}

std::map<std::string, std::string> equated_from(JsonObject& session) {
    std::map<std::string, std::string> equated;
    const json* object = session.find("equated");
    if (!object)
        return equated;
    const std::string pointer = session.pointer("equated");
    if (!object->is_object())
        session.refuse("equated", "an object of words by name", describe(*object));
    for (const auto& [name, value] : object->items()) {
        require_known_parameter(name, pointer);
        if (value != "identity" && value != "zeros" && value != "ones")
            throw Error({session_document, pointer_to(pointer, name), "\"identity\", \"zeros\" or \"ones\"",
                         describe(value)});
        equated[name] = value.get<std::string>();
    }
    return equated;
}

}  // namespace

json to_json(const Session& session) {
    const ParameterNames own = own_parameter_names(session);
    json edited = json::object();
    for (const auto& [name, tensor] : session.edited)
        if (is_known_parameter(name, own))
            edited[name] = tensor_to_json(*tensor);
    json document = {
        {"format", session_format},
        {"sequence", sequence_to_json(session.sequence, own)},
        {"mechanism", session.mechanism},
        {"values", values_to_json(session.values)},
        {"custom", session.custom ? to_json(*session.custom) : json(nullptr)},
        {"mask", session.drawn_mask ? to_json(Mask{*session.drawn_mask})["allowed"] : json(nullptr)},
        {"origin", to_word(session.origin)},
        {"edited", std::move(edited)},
        {"equated", session.equated},
        {"seed", session.seed},
        {"mask_order", to_word(session.mask_order)},
        {"mask_value", number_or_null(session.mask_value)},
        {"position", to_word(session.position)},
        {"compared", compared_to_json(session.compared)},
        {"view", view_to_json(view_settings(session))},
        {"export", session.exported ? to_json(*session.exported) : json(nullptr)}};
    if (session.model)
        document["model"] = to_json(*session.model);
    if (session.capture)
        document["capture"] = to_json(*session.capture);
    if (session.has_counterpart())
        document["counterpart"] = {{"kind", to_word(session.counterpart->kind)},
                                   {"value", session.counterpart->value}};
    return document;
}

Session session_from_json(const json& document) {
    JsonObject object(document, session_document);
    const std::string format = object.text("format", {});
    if (format != session_format)
        object.refuse("format", '"' + std::string(session_format) + '"',
                      format.empty() ? "none" : '"' + excerpt(format) + '"');
    Session session;
    if (const json* custom = object.find("custom"); custom && !custom->is_null())
        session.custom = mechanism_from_json(*custom, object.pointer("custom"));
    const ParameterNames own = own_parameter_names(session);
    session.sequence = sequence_from_json(object.object("sequence"), own);
    session.mechanism = object.text("mechanism", session.mechanism);
    session.values = values_from(object, mechanism_at(object, session.mechanism));
    if (const json* model = object.find("model"); model && !model->is_null())
        session.model = model_from(object.object("model"));
    if (const json* capture = object.find("capture"); capture && !capture->is_null())
        session.capture = capture_from(object.object("capture"), session.model.has_value());
    if (const json* counterpart = object.find("counterpart"); counterpart && !counterpart->is_null())
        session.counterpart = counterpart_from(object.object("counterpart"), session);
    session.drawn_mask = drawn_mask_from(object);
    session.compared = compared_from(object);
    session.origin = object.word("origin", session.origin);
    if (const json* edited = object.find("edited")) {
        const std::string pointer = object.pointer("edited");
        if (!edited->is_object())
            object.refuse("edited", "an object of matrices by name", describe(*edited));
        for (const auto& [name, value] : edited->items()) {
            require_known_parameter(name, pointer, own);
            session.edited[name] = std::make_shared<const Tensor>(
                tensor_from_json(value, session_document, pointer_to(pointer, name)));
        }
    }
    session.equated = equated_from(object);
    session.seed = object.unsigned_integer("seed", session.seed);
    session.mask_order = object.word("mask_order", session.mask_order);
    session.mask_value = object.optional_number("mask_value");
    session.position = object.word("position", session.position);
    const ViewSettings view = view_from_json(object.object("view"));
    session.view = view;
    session.figure = view;
    if (const json* exported = object.find("export"); exported && !exported->is_null())
        session.exported = export_options_from(object.object("export"));
    return session;
}

std::string write_session(const Session& session) {
    json document = to_json(session);
    document["written_by"] = written_by(session);
    return write_json(document);
}

JsonDocument parse_session_document(std::string_view text) {
    static constexpr std::string_view numbers[] = {"/edited/*", "/sequence/file/inputs/query",
                                                   "/sequence/file/inputs/key", "/sequence/file/inputs/value",
                                                   "/sequence/file/inputs/parameters/*"};
    return parse_json(text, {.numbers = numbers});
}

Session parse_session(std::string_view text) { return session_from_json(*parse_session_document(text)); }

}  // namespace headlight
