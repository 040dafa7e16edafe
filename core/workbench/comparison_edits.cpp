#include "core/workbench/comparison_edits.h"

#include "core/attention/spec_words.h"
#include "core/catalog/documentation_text.h"
#include "core/io/compared_run.h"
#include "core/tensor/error.h"
#include "core/workbench/fitting_knobs.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace headlight {
namespace {

bool has_knob(const Mechanism& mechanism, const std::string& name) {
    return std::ranges::find(mechanism.parameters, name, &MechanismParameter::name) !=
           mechanism.parameters.end();
}

}  // namespace

ParameterValues carried_over(const ParameterValues& values, const Mechanism& next) {
    ParameterValues kept;
    for (const auto& [name, value] : values) {
        ParameterValues one{{name, value}};
        try {
            build_spec(next, one);
            kept.merge(one);
        } catch (const Error&) {
            continue;
        }
    }
    return kept;
}

ParameterValues opening_values(const Session& session, const Mechanism& next) {
    ParameterValues set = session.values;
    if (const Mechanism* before = find_mechanism(session.mechanism))
        std::erase_if(set, [&](const auto& knob) {
            const auto example = before->example.values.find(knob.first);
            return example != before->example.values.end() && example->second == knob.second;
        });
    ParameterValues opening = carried_over(set, next);
    if (session.origin == ParameterOrigin::xavier && session.edited.empty())
        opening.insert(next.example.values.begin(), next.example.values.end());
    return opening;
}

bool can_compare_more(const Session& session) { return std::ssize(session.compared) < most_compared; }

namespace {

std::string compared_name(const Session& session, std::size_t index) {
    return comparison_names(session)[index + 1];
}

/// In the view that shows the compared mechanisms. One comparison at a time: a counterpart goes.
Session among_mechanisms(Session session) {
    session.view = in_view(session.view, ViewKind::compare);
    if (session.has_counterpart()) {
        session.counterpart.reset();
        session.figure.differences = false;
    }
    return session;
}

}  // namespace

Edit compare_mechanism(Session session, const Mechanism& other) {
    session = among_mechanisms(std::move(session));
    if (can_compare_more(session))
        session.compared.push_back(
            {other.id, fitting_knobs(session, other, carried_over(session.values, other)), {}});
    return {"Compare with " + other.name, std::move(session)};
}

Edit compare_own_mechanism(Session session, const CustomMechanism& own) {
    session = among_mechanisms(std::move(session));
    if (can_compare_more(session))
        session.compared.push_back({session.mechanism, {}, own});
    return {"Compare with " + own.name, std::move(session)};
}

Edit remove_compared(Session session, std::size_t index) {
    std::string name = "Remove " + compared_name(session, index);
    session.compared.erase(session.compared.begin() + static_cast<std::ptrdiff_t>(index));
    if (session.compared.empty())
        session.equated.clear();
    // The names of those behind it may change.
    session.view.selection.site.clear();
    return {std::move(name), std::move(session)};
}

Edit use_as_main(Session session, std::size_t index) {
    std::string name = "Use " + compared_name(session, index) + " as main";
    ComparedMechanism next = session.compared[index];
    const Mechanism& next_mechanism = mechanism(next.mechanism);
    const std::string source(to_word(session_spec(session).source.type));
    if (!next.custom && has_knob(next_mechanism, "source")) {
        next.values.erase("source");
        if (to_word(build_spec(next_mechanism, next.values).source.type) != source)
            next.values["source"] = source;
    }
    session.compared[index] = {session.mechanism, session.values, session.custom};
    session.mechanism = next.mechanism;
    session.values = std::move(next.values);
    session.custom = std::move(next.custom);
    session.view.selection.site.clear();
    return {std::move(name), std::move(session)};
}

Edit compare_equivalent(Session session, const Equivalence& equivalence) {
    ParameterValues here = equivalence.here;
    if (const auto source = session.values.find("source"); source != session.values.end())
        here.insert(*source);
    session.values = std::move(here);
    session.custom.reset();
    session.drawn_mask = nullptr;
    session.compared = {{equivalence.id, equivalence.there, {}}};
    // The equivalence holds with these, whatever was edited before.
    session.equated = equivalence.parameters;
    for (const auto& [name, word] : session.equated)
        session.edited.erase(name);
    session.view = in_view(session.view, ViewKind::compare);
    session.view.selection.site.clear();
    return {"Compare with " + mechanism(equivalence.id).name, std::move(session)};
}

Edit compare_suggested(Session session, const ComparisonSuggestion& suggestion) {
    Edit edit = compare_mechanism(std::move(session), mechanism(suggestion.id));
    if (suggestion.equivalence)
        for (const auto& [knob, value] : suggestion.equivalence->there)
            edit.after.compared.back().values.insert_or_assign(knob, value);
    return edit;
}

std::vector<ComparisonSuggestion> comparison_suggestions(const Session& session, std::size_t most) {
    std::vector<ComparisonSuggestion> suggestions;
    const Mechanism& own = mechanism(session.mechanism);
    const auto suggest = [&](ComparisonSuggestion suggestion) {
        const bool is_new =
            suggestion.id != own.id && find_mechanism(suggestion.id) &&
            std::ranges::find(suggestions, suggestion.id, &ComparisonSuggestion::id) == suggestions.end() &&
            std::ranges::find(session.compared, suggestion.id, &ComparedMechanism::mechanism) ==
                session.compared.end();
        if (is_new && suggestions.size() < most)
            suggestions.push_back(std::move(suggestion));
    };
    // What holds for a mechanism need not for one that was composed or typed from it.
    const std::vector<Equivalence> none;
    for (const Equivalence& equivalence : session.custom ? none : own.equivalences) {
        // The session's own mechanism keeps its knobs and parameters: what these would have to be is a
        // condition.
        const bool is_met = equivalence.here.empty() && equivalence.parameters.empty();
        const std::string promise = is_met ? "The same numbers: " : "Can be the same numbers: ";
        suggest({equivalence.id, promise + clause(equivalence.when), &equivalence});
    }
    for (const std::string& id : own.related)
        suggest({id, {}, nullptr});
    for (const Mechanism& other : mechanisms())
        if (other.family == own.family)
            suggest({other.id, {}, nullptr});
    for (const Mechanism& other : mechanisms())
        suggest({other.id, {}, nullptr});
    return suggestions;
}

namespace {

Session beside(Session session, std::optional<Counterpart> counterpart) {
    session.figure.differences = counterpart.has_value();
    session.counterpart = std::move(counterpart);
    return session;
}

}  // namespace

Edit compare_with_text(Session session) {
    std::string same = session.model ? session.model->request.source : session.sequence.query_text;
    return {"Compare with another text",
            beside(std::move(session), Counterpart{Counterpart::Kind::text, std::move(same)})};
}

Edit type_other_text(Session session, const std::string& text) {
    session.counterpart = Counterpart{Counterpart::Kind::text, text};
    return {"Type the other text", std::move(session), typing_key("other_text", text)};
}

Edit compare_with_model(Session session, std::string name, std::string_view called) {
    return {"Compare with " + std::string(called),
            beside(std::move(session), Counterpart{Counterpart::Kind::model, std::move(name)})};
}

Edit end_comparison(Session session) {
    return {"End the comparison", beside(std::move(session), std::nullopt)};
}

}  // namespace headlight
