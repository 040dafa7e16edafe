#include "core/workbench/fitting_knobs.h"

#include "core/attention/component.h"
#include "core/attention/plan.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace headlight {
namespace {

/// What has to divide the width of a vector, or of a head.
constexpr const char* dividing_knobs[] = {"heads", "dimensions"};

TokenDimensions token_widths(const SequenceSettings& sequence, SourceType source) {
    if (sequence.image || !sequence.file)
        return {sequence.vectors.dimension, sequence.vectors.dimension, sequence.vectors.dimension};
    const Inputs& file = *sequence.file;
    if (source == SourceType::self)
        return {file.query.cols(), file.query.cols(), file.query.cols()};
    return {file.query.cols(), file.key_tokens().cols(), file.value_tokens().cols()};
}

std::map<std::string, Tensor> given_parameters(const Session& session) {
    std::map<std::string, Tensor> given;
    if (session.origin == ParameterOrigin::file && session.sequence.file)
        given = session.sequence.file->parameters;
    for (const auto& [name, tensor] : session.edited)
        given.insert_or_assign(name, *tensor);
    return given;
}

/// Whether the widths of heads work out. Cheap for a text of any length: no vector is looked up.
bool fits(const Session& session, const Mechanism& mechanism, const ParameterValues& values,
          const std::map<std::string, Tensor>& given) {
    try {
        const AttentionSpec spec = compared_spec(session, {mechanism.id, values, {}});
        const Plan plan = plan_extents(spec, token_widths(session.sequence, spec.source.type), given);
        for (const PositionType type : {plan.spec.position.type, plan.spec.position.second})
            if (const PositionComponent* position = component_of(type))
                check_component(*position, plan);
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// What a knob may be instead of `asked`, the best first.
std::vector<Index> substitutes(const MechanismParameter& knob, Index asked) {
    const auto least = static_cast<Index>(knob.minimum), most = static_cast<Index>(knob.maximum);
    const bool means_all = !knob.minimum_word.empty() && asked == least;
    const Index wanted = means_all ? most : asked;
    std::vector<Index> numbers(static_cast<std::size_t>(most - least + 1));
    std::iota(numbers.begin(), numbers.end(), least);
    std::ranges::stable_sort(numbers, {}, [&](Index number) { return std::abs(number - wanted); });
    numbers.insert(numbers.begin(), std::get<Index>(knob.standard));
    return numbers;
}

}  // namespace

ParameterValues fitting_knobs(const Session& session, const Mechanism& mechanism, ParameterValues values) {
    const std::map<std::string, Tensor> given = given_parameters(session);
    if (fits(session, mechanism, values, given))
        return values;
    for (const char* name : dividing_knobs) {
        const auto knob = std::ranges::find(mechanism.parameters, name, &MechanismParameter::name);
        if (knob == mechanism.parameters.end())
            continue;
        const auto asked = values.find(name);
        ParameterValues settled = values;
        for (const Index number :
             substitutes(*knob, std::get<Index>(asked == values.end() ? knob->standard : asked->second))) {
            settled.insert_or_assign(name, number);
            if (number == std::get<Index>(knob->standard))
                settled.erase(name);
            if (fits(session, mechanism, settled, given))
                return settled;
        }
    }
    return values;
}

Session with_fitting_knobs(Session session) {
    if (!session.custom)
        session.values = fitting_knobs(session, mechanism(session.mechanism), std::move(session.values));
    for (ComparedMechanism& each : session.compared)
        if (!each.custom)
            each.values = fitting_knobs(session, mechanism(each.mechanism), std::move(each.values));
    return session;
}

}  // namespace headlight
