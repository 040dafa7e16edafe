#include "core/workbench/mechanism_edits.h"

#include "core/io/image_session.h"
#include "core/workbench/comparison_edits.h"
#include "core/workbench/fitting_knobs.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>
#include <utility>

namespace headlight {
namespace {

/// What is read stays as it is, whatever attends: who looks at that would see nothing change.
Session looking_past_tokens(Session session) {
    constexpr std::string_view read[] = {"tokens", "key_tokens", "value_tokens"};
    std::string& stage = session.view.selection.stage;
    if (std::ranges::find(read, stage) != std::end(read))
        stage = "weights";
    return session;
}

Session with_own_spec(Session session, const std::function<void(AttentionSpec&)>& change) {
    if (!session.custom)
        return session;
    CustomMechanism changed{session.custom->name, session_spec(session)};
    change(changed.spec);
    adopt(session, std::move(changed));
    return session;
}

/// Another merge key with every word, as typing_key() has it: in a formula words stand beside signs without a
/// space.
std::string formula_key(std::string_view text) {
    int words = 0;
    bool was_word = false;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        const bool is_word = byte >= 0x80 || std::isalnum(byte) || letter == '_' || letter == '.';
        words += is_word && !was_word;
        was_word = is_word;
    }
    return "own_formula_text:" + std::to_string(words);
}

}  // namespace

Edit choose_mechanism(Session session, const Mechanism& next) {
    session = on_its_mechanism(std::move(session));
    if (session.custom || session.mechanism != next.id)
        session = looking_past_tokens(std::move(session));
    session.values = opening_values(session, next);
    session.mechanism = next.id;
    session.custom.reset();
    session.drawn_mask = nullptr;
    session.equated.clear();
    if (session.sequence.key_text.empty() && !next.example.key.empty())
        session.sequence.key_text = next.example.key;
    return {"Choose " + next.name, with_fitting_knobs(std::move(session))};
}

Edit choose_own_mechanism(Session session, const CustomMechanism& own) {
    adopt(session, own);
    session.equated.clear();
    return {"Choose " + own.name, looking_past_tokens(std::move(session))};
}

Edit show_example(Session session) {
    const Mechanism& shown = mechanism(session.mechanism);
    if (session.sequence.image)
        session = without_image(std::move(session));
    session.sequence.query_text = shown.example.query;
    session.sequence.key_text = shown.example.key;
    session.sequence.file = nullptr;
    session.sequence.file_name.clear();
    if (!session.custom)
        for (const auto& [name, value] : shown.example.values)
            session.values.insert_or_assign(name, value);
    return {"Show the example", with_fitting_knobs(std::move(session))};
}

Edit set_knob(Session session, const MechanismParameter& knob, const ParameterValue& value,
              std::string merge) {
    if (value == knob.standard)
        session.values.erase(knob.name);
    else
        session.values[knob.name] = value;
    return {"Change " + in_lower_case(knob.label), std::move(session), std::move(merge)};
}

Edit reset_knobs(Session session) {
    session.values.clear();
    return {"Reset to defaults", std::move(session)};
}

Edit build_own(Session session, std::string name) {
    adopt(session, {std::move(name), session_spec(session)});
    session.values.clear();
    return {"Build your own", std::move(session)};
}

Edit make_own(Session session, std::string name, const OwnFormula& formula) {
    if (session.custom)
        name = session.custom->name;
    adopt(session, {std::move(name), formula.spec});
    session.values.clear();
    for (const auto& [parameter, numbers] : formula.parameters)
        session.edited.insert_or_assign(parameter, std::make_shared<const Tensor>(numbers));
    return {"Make it mine", std::move(session)};
}

Edit compose_own(Session session, std::string_view part, const std::function<void(AttentionSpec&)>& change,
                 std::string merge) {
    return {"Compose the " + in_lower_case(part), with_own_spec(std::move(session), change),
            std::move(merge)};
}

Edit write_formula(Session session) {
    return {"Write a formula",
            with_own_spec(std::move(session), [](AttentionSpec& spec) { spec = formula_in_place_of(spec); })};
}

Edit type_formula(Session session, const std::string& text) {
    return {"Type the formula",
            with_own_spec(std::move(session),
                          [&](AttentionSpec& spec) { spec.algorithm.options["text"] = text; }),
            formula_key(text)};
}

Edit rename_own(Session session, const std::string& name) {
    if (session.custom && !name.empty())
        session.custom->name = name;
    return {"Rename", std::move(session), "own_name"};
}

Edit leave_own(Session session) {
    session.custom.reset();
    session.drawn_mask = nullptr;
    return {"Back to the catalogue", with_fitting_knobs(std::move(session))};
}

}  // namespace headlight
