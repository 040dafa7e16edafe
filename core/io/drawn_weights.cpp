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

}  // namespace

std::string random_weights_note(const Session& session, const Plan& plan) {
    const bool all_given = std::ranges::all_of(
        plan.parameters, [&](const ParameterInfo& parameter) { return is_given(session, parameter); });
    if (!session.runs_mechanism() || all_given)
        return {};
    return "Random weights, seed " + std::to_string(plan.seed) + ": see the shape, not the words";
}

std::string random_weights_note(const Session& session, const Plan& plan, const Comparison& comparison) {
    std::string note = random_weights_note(session, plan);
    for (const ComparedRun& each : comparison)
        if (note.empty() && each.plan)
            note = random_weights_note(session, *each.plan);
    return note;
}

void caption_random_weights(Figure& figure, const std::string& note) {
    if (!note.empty())
        figure.caption = note + "." + (figure.caption.empty() ? "" : "  ") + figure.caption;
}

}  // namespace headlight
