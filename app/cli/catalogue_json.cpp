#include "app/cli/catalogue_json.h"

#include "core/attention/executor.h"
#include "core/attention/spec_json.h"
#include "core/attention/spec_words.h"
#include "core/catalog/mechanism.h"
#include "core/figure/build_figure.h"
#include "core/figure/colour.h"
#include "core/io/known_stages.h"
#include "core/io/session_words.h"

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

/// The names of the parameters that the mechanism asks for with its defaults.
json parameter_names(const AttentionSpec& spec) {
    const Index width = 8 * spec.heads.count();  // any that the heads divide
    json names = json::array();
    for (const ParameterInfo& parameter : required_parameters(spec, {width, width, width}, {}))
        names.push_back(parameter.name);
    return names;
}

json mechanism_json(const Mechanism& mechanism) {
    const AttentionSpec spec = build_spec(mechanism, {});
    json knobs = json::array();
    for (const MechanismParameter& knob : mechanism.parameters)
        knobs.push_back(knob_json(knob));
    const MechanismProperties& properties = mechanism.properties;
    return {{"id", mechanism.id},
            {"name", mechanism.name},
            {"also_known_as", mechanism.also_known_as},
            {"family", mechanism.family},
            {"formula", mechanism.formula},
            {"paper", mechanism.paper},
            {"year", mechanism.year},
            {"explanation", mechanism.explanation},
            {"parameters", std::move(knobs)},
            {"learned", parameter_names(spec)},
            {"properties",
             {{"row_stochastic", properties.row_stochastic},
              {"causal", properties.causal},
              {"permutation_equivariant", properties.permutation_equivariant},
              {"streaming", properties.streaming},
              {"data_dependent_mask", properties.data_dependent_mask},
              {"random", properties.random}}},
            {"example",
             {{"query", mechanism.example.query},
              {"key", mechanism.example.key},
              {"look_for", mechanism.example.look_for}}},
            {"spec", to_json(spec)}};
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
    for (auto open = meaning.find('['); open != std::string::npos; open = meaning.find('[', open + 1))
        shapes.push_back(meaning.substr(open, meaning.find(']', open) - open + 1));
    return shapes.empty() ? json::array({"[1]"}) : shapes;
}

json stage_json(const Stage& stage) {
    json axes = json::array();
    for (const Axis axis : stage.axes)
        axes.push_back(to_string(axis));
    return {{"name", stage.name}, {"title", stage_title(stage.name)}, {"axes", std::move(axes)}};
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
    for (const ParameterInfo& parameter : known_parameters())
        parameters.push_back({{"name", parameter.name},
                              {"shapes", shapes_in(parameter.meaning)},
                              {"meaning", parameter.meaning}});
    json& stages = catalogue["stages"] = json::array();
    for (const Stage& stage : known_stages())
        stages.push_back(stage_json(stage));
    catalogue["vectors"] = words_json(words<VectorKind>());
    catalogue["splits"] = words_json(words<TokenSplit>());
    catalogue["views"] = words_json(words<ViewKind>());
    catalogue["themes"] = words_json(words<FigureTheme>());
    json& maps = catalogue["colour_maps"] = json::array();
    for (const ColourMap& map : colour_maps())
        maps.push_back({{"name", map.name}, {"label", map.label}, {"diverging", map.diverging}});
    return catalogue;
}

}  // namespace headlight
