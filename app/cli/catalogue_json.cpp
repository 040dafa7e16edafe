#include "app/cli/catalogue_json.h"

#include "core/attention/executor.h"
#include "core/attention/known_stages.h"
#include "core/attention/spec_json.h"
#include "core/attention/spec_words.h"
#include "core/catalog/coverage.h"
#include "core/catalog/learned.h"
#include "core/catalog/mechanism.h"
#include "core/catalog/used_by.h"
#include "core/figure/build_figure.h"
#include "core/figure/colour.h"
#include "core/figure/panel_choice.h"
#include "core/figure/view.h"
#include "core/io/session_words.h"
#include "core/io/shipped_models.h"
#include "core/lesson/shipped_lessons.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <set>

namespace headlight {

using json = nlohmann::ordered_json;

namespace {

const char* kind_word(MechanismParameter::Kind kind) {
    switch (kind) {
    case MechanismParameter::Kind::boolean:
        return "boolean";
    case MechanismParameter::Kind::integer:
        return "integer";
    case MechanismParameter::Kind::real:
        return "real";
    case MechanismParameter::Kind::choice:
        return "choice";
    }
    return "";
}

json knob_json(const MechanismParameter& knob) {
    json object = {{"name", knob.name}, {"label", knob.label}, {"kind", kind_word(knob.kind)}};
    object["default"] = std::visit([](const auto& value) { return json(value); }, knob.standard);
    if (knob.kind == MechanismParameter::Kind::integer) {
        object["minimum"] = static_cast<Index>(knob.minimum);
        object["maximum"] = static_cast<Index>(knob.maximum);
    }
    if (knob.kind == MechanismParameter::Kind::real) {
        object["minimum"] = knob.minimum;
        object["maximum"] = knob.maximum;
    }
    if (knob.kind == MechanismParameter::Kind::choice)
        object["choices"] = knob.choices;
    object["help"] = knob.help;
    return object;
}

/// The mechanism's specs for every combination of its switches and choices, the default one first.
std::vector<AttentionSpec> all_specs(const Mechanism& mechanism) {
    std::vector<ParameterValues> settings{{}};
    for (const MechanismParameter& knob : mechanism.parameters) {
        std::vector<ParameterValue> others;
        if (knob.kind == MechanismParameter::Kind::boolean)
            others = {!std::get<bool>(knob.standard)};
        for (const std::string& choice : knob.choices)
            if (ParameterValue(choice) != knob.standard)
                others.emplace_back(choice);
        for (const std::size_t count = settings.size(); const ParameterValue& value : others) {
            for (std::size_t i = 0; i < count; ++i) {
                settings.push_back(settings[i]);
                settings.back()[knob.name] = value;
            }
        }
    }
    std::vector<AttentionSpec> specs;
    specs.reserve(settings.size());
    for (const ParameterValues& values : settings)
        specs.push_back(build_spec(mechanism, values));
    return specs;
}

/// Any widths that the heads divide.
TokenDimensions dimensions(const AttentionSpec& spec, Index key_times = 1) {
    const Index width = 8 * spec.heads.count();
    return {width, key_times * width, width};
}

/// The names of the parameters that one of the specs asks for, in the order of known_parameters().
json parameter_names(std::span<const AttentionSpec> specs) {
    std::set<std::string> asked_for;
    for (const AttentionSpec& spec : specs)
        for (const ParameterInfo& parameter : required_parameters(spec, dimensions(spec), {}))
            asked_for.insert(parameter.name);
    json names = json::array();
    for (const KnownParameter& parameter : known_parameters())
        if (asked_for.contains(parameter.name))
            names.push_back(parameter.name);
    return names;
}

/// Whether queries and keys may have different widths: the plan knows.
bool takes_other_keys(const AttentionSpec& spec) {
    try {
        required_parameters(spec, dimensions(spec, 2), {});
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// The token vectors that the mechanism reads, with their shapes.
json mechanism_inputs(const Mechanism& mechanism) {
    AttentionSpec spec = build_spec(mechanism, {});
    json fields = json::array({{{"field", "query"}, {"shape", "[n, d_q]"}}});
    const bool has_source = std::ranges::count(mechanism.parameters, "source", &MechanismParameter::name) > 0;
    if (spec.source.type == SourceType::self && !has_source) {
        fields.push_back({{"field", "value"}, {"shape", "[n, d_v]"}});
        return fields;
    }
    fields.push_back({{"field", "key"}, {"shape", takes_other_keys(spec) ? "[m, d_k]" : "[m, d_q]"}});
    if (spec.source.type == SourceType::self)
        fields.back()["when"] = "source=cross";
    fields.push_back({{"field", "value"}, {"shape", "[m, d_v]"}});
    return fields;
}

/// The fields of an inputs file (docs/files.md).
json inputs_json() {
    const auto field = [](const char* name, const char* kind, const char* meaning) {
        return json{{"field", name}, {"kind", kind}, {"meaning", meaning}};
    };
    return {
        field("query", "[n, d_q]", "token vectors, a row for each query"),
        field("key", "[m, d_k]", "those of the other sequence in cross attention; the queries' if absent"),
        field("value", "[m, d_v]", "what the keys hand on; the keys' vectors if absent"),
        field("tokens.query", "n strings", "what the queries are called"),
        field("tokens.key", "m strings", "what the keys are called"),
        field("tokens.query_unknown", "n booleans", "which queries their vectors do not know: marked"),
        field("tokens.key_unknown", "m booleans", "which keys their vectors do not know: marked"),
        field("parameters", "object", "matrices, vectors and numbers by the names in parameters"),
        field("format", "string", "\"headlight-inputs/1\", if anything")};
}

json papers_json(const Mechanism& mechanism) {
    json papers = json::array();
    for (const Paper& paper : mechanism.papers)
        papers.push_back({{"citation", paper.citation}, {"year", paper.year}, {"first_year", paper.first()}});
    return papers;
}

json used_by_json(const Mechanism& mechanism) {
    json models = json::array();
    for (const KnownModel* each : used_by(mechanism.id)) {
        json model{{"model", each->name}, {"year", each->year}};
        if (!each->layers.empty())
            model["layers"] = each->layers;
        models.push_back(std::move(model));
    }
    return models;
}

json trained_json(const Mechanism& mechanism) {
    json results = json::array();
    for (const LearnedResult& each : learned_by(mechanism.id)) {
        json result = {{"task", each.task},
                       {"host", each.host},
                       {"heads", each.heads},
                       {"exact_match", each.exact_match}};
        if (each.deviation)
            result["deviation"] = *each.deviation;
        result["seeds"] = each.seeds;
        results.push_back(std::move(result));
    }
    return results;
}

json mechanism_json(const Mechanism& mechanism) {
    const std::vector<AttentionSpec> specs = all_specs(mechanism);
    json knobs = json::array();
    for (const MechanismParameter& knob : mechanism.parameters)
        knobs.push_back(knob_json(knob));
    const MechanismProperties& properties = mechanism.properties;
    return {{"id", mechanism.id},
            {"name", mechanism.name},
            {"also_known_as", mechanism.also_known_as},
            {"family", mechanism.family},
            {"formula", mechanism.formula},
            {"papers", papers_json(mechanism)},
            {"year", mechanism.year()},
            {"explanation", mechanism.explanation},
            {"parameters", std::move(knobs)},
            {"inputs", mechanism_inputs(mechanism)},
            {"learned", parameter_names(specs)},
            {"learned_by_default", parameter_names(std::span(specs).first(1))},
            {"properties",
             {{"row_stochastic", properties.row_stochastic},
              {"causal", properties.causal},
              {"permutation_equivariant", properties.permutation_equivariant},
              {"streaming", properties.streaming},
              {"data_dependent_mask", properties.data_dependent_mask},
              {"random", properties.random},
              {"needs_whole_text", properties.needs_whole_text}}},
            {"used_by", used_by_json(mechanism)},
            {"trained", trained_json(mechanism)},
            {"example",
             {{"query", mechanism.example.query},
              {"key", mechanism.example.key},
              {"look_for", mechanism.example.look_for}}},
            {"spec", to_json(specs.front())}};
}

template <class Value>
json words_json(std::span<const Word<Value>> words) {
    json list = json::array();
    for (const Word<Value>& word : words)
        list.push_back({{"word", word.word}, {"meaning", word.meaning}});
    return list;
}

json field_json(const SpecField& field) {
    json object = {{"field", field.path}, {"kind", field.kind}, {"meaning", field.meaning}};
    if (!field.words.empty())
        object["words"] = words_json(std::span(field.words));
    if (!field.standard.empty())
        object["default"] = json::parse(field.standard);
    return object;
}

/// The shapes that a meaning names in brackets: "general: [d_q, d_k] per head, ...; concat: [d_q + d_k, d_a]
/// ...".
json shapes_in(const std::string& meaning) {
    json shapes = json::array();
    for (auto open = meaning.find('['); open != std::string::npos; open = meaning.find('[', open + 1)) {
        const json shape = meaning.substr(open, meaning.find(']', open) - open + 1);
        if (std::ranges::find(shapes, shape) == shapes.end())
            shapes.push_back(shape);
    }
    return shapes.empty() ? json::array({"[1]"}) : shapes;
}

json stage_json(const Stage& stage) {
    json axes = json::array();
    for (const Axis axis : stage.axes)
        axes.push_back(to_string(axis));
    return {{"name", stage.name}, {"title", stage_title(stage.name)}, {"axes", std::move(axes)}};
}

/// What config.json says of a model that people ask for by name.
json models_json() {
    json models = json::array();
    for (const ShippedModel& model : shipped_models()) {
        const json config = json::parse(model.config);
        models.push_back({{"name", model.name},
                          {"task", config.at("task")},
                          {"architecture", config.at("architecture")},
                          {"configuration", config.at("configuration")},
                          {"training", config.at("training")}});
    }
    return models;
}

json tasks_json() {
    json list = json::array();
    for (const Task& task : tasks())
        list.push_back({{"id", task.id}, {"name", task.name}, {"meaning", task.meaning}});
    return list;
}

/// {"mechanism": "strided", "set": ["part=A"]}, {"model": "sort-gpt"} or
/// {"task": "dates", "options": ["host=gru", "copy"]}.
json shown_by_json(const ShownBy& shown) {
    switch (shown.kind) {
    case ShownBy::Kind::mechanism:
        return {{"mechanism", shown.name}, {"set", shown.settings}};
    case ShownBy::Kind::model:
        return {{"model", shown.name}};
    case ShownBy::Kind::training:
        return {{"task", shown.name}, {"options", shown.settings}};
    }
    return {};
}

/// The numbers of the list of attentions (docs/coverage.md).
json numbers_json() {
    json list = json::array();
    for (const CoveredAttention& number : catalogue_numbers()) {
        json shown_by = json::array();
        for (const ShownBy& shown : number.shown_by)
            shown_by.push_back(shown_by_json(shown));
        list.push_back({{"number", number.id},
                        {"title", number.title},
                        {"coverage", to_string(number.coverage())},
                        {"shown_by", std::move(shown_by)},
                        {"reason", number.reason}});
    }
    return list;
}

}  // namespace

json catalogue_json() {
    json catalogue = {{"format", "headlight-list/1"}, {"version", HEADLIGHT_VERSION}};
    json& mechanisms_list = catalogue["mechanisms"] = json::array();
    for (const Mechanism& mechanism : mechanisms())
        mechanisms_list.push_back(mechanism_json(mechanism));
    json& fields = catalogue["spec"] = json::array();
    for (const SpecField& field : spec_fields())
        fields.push_back(field_json(field));
    json& parameters = catalogue["parameters"] = json::array();
    for (const KnownParameter& parameter : known_parameters()) {
        const std::string meaning = described(parameter);
        parameters.push_back(
            {{"name", parameter.name}, {"shapes", shapes_in(meaning)}, {"meaning", meaning}});
    }
    catalogue["inputs"] = inputs_json();
    json& stages = catalogue["stages"] = json::array();
    for (const Stage& stage : known_stages())
        stages.push_back(stage_json(stage));
    catalogue["vectors"] = words_json(words<VectorKind>());
    catalogue["reductions"] = words_json(words<Reduction>());
    catalogue["splits"] = words_json(words<TokenSplit>());
    catalogue["views"] = words_json(words<ViewKind>());
    catalogue["themes"] = words_json(words<FigureTheme>());
    json& maps = catalogue["colour_maps"] = json::array();
    for (const ColourMap& map : colour_maps())
        maps.push_back({{"name", map.name}, {"label", map.label}, {"diverging", map.diverging}});
    json& of_panels = catalogue["panel_words"] = json::array();
    for (const PanelWord& word : panel_words())
        of_panels.push_back({{"word", as_typed(word)}, {"meaning", word.help}});
    catalogue["models"] = models_json();
    catalogue["tasks"] = tasks_json();
    json& lessons = catalogue["lessons"] = json::array();
    for (const Lesson& lesson : shipped_lessons())
        lessons.push_back({{"id", lesson.id}, {"title", lesson.title}, {"minutes", lesson.minutes}});
    catalogue["catalogue"] = numbers_json();
    return catalogue;
}

}  // namespace headlight
