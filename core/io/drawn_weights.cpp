#include "core/io/drawn_weights.h"

#include <algorithm>

namespace headlight {
namespace {

bool is_given(const Session& session, const ParameterInfo& parameter) {
    if (parameter.constant || session.origin == ParameterOrigin::identity)
        return true;
    const bool is_in_file = session.origin == ParameterOrigin::file && session.sequence.file &&
                            session.sequence.file->parameters.contains(parameter.name);
    return is_in_file || session.edited.contains(parameter.name) || session.equated.contains(parameter.name);
}

bool draws_weights(const Session& session, const Plan& plan) {
    return session.runs_mechanism() &&
           !std::ranges::all_of(plan.parameters,
                                [&](const ParameterInfo& parameter) { return is_given(session, parameter); });
}

std::string note_of(const Session& session, const std::string& where) {
    return "Random weights" + where + ", seed " + std::to_string(session.seed) +
           ": see the shape, not the words";
}

}  // namespace

std::string random_weights_note(const Session& session, const Plan& plan) {
    return draws_weights(session, plan) ? note_of(session, "") : "";
}

std::string random_weights_note(const Session& session, const Comparison& comparison) {
    std::string names;
    bool draw_all = true;
    for (const ComparedRun& each : comparison) {
        if (!each.plan)
            continue;
        if (draws_weights(session, *each.plan))
            names += (names.empty() ? "" : ", ") + each.name;
        else
            draw_all = false;
    }
    return names.empty() ? "" : note_of(session, draw_all ? "" : " in " + names);
}

void caption_random_weights(Figure& figure, const std::string& note) {
    if (!note.empty())
        figure.caption = note + "." + (figure.caption.empty() ? "" : "  ") + figure.caption;
}

}  // namespace headlight
