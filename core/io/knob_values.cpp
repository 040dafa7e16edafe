#include "core/io/knob_values.h"

#include "core/attention/json_object.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {

using nlohmann::json;

namespace {

ParameterValue knob_value(const json& value, const MechanismParameter* knob, const std::string& what,
                          const std::string& pointer) {
    if (value.is_boolean())
        return value.get<bool>();
    if (value.is_string())
        return value.get<std::string>();
    const bool is_choice = knob && knob->kind == MechanismParameter::Kind::choice;
    if (value.is_number_integer() && is_choice)  // a choice that is spelt like a number: "4"
        return value.dump();
    const bool is_real = knob && knob->kind == MechanismParameter::Kind::real;
    if (value.is_number_integer() && !is_real)
        return value.get<Index>();
    if (value.is_number())
        return value.get<double>();
    throw Error({what, pointer, "true, false, a number or a word", describe(value)});
}

}  // namespace

ParameterValues knob_values_from_json(const json& document, const Mechanism& mechanism,
                                      const std::string& what, const std::string& pointer) {
    if (!document.is_object())
        throw Error({what, pointer, "an object of values by name", describe(document)});
    ParameterValues values;
    for (const auto& [name, value] : document.items()) {
        const auto knob = std::ranges::find(mechanism.parameters, name, &MechanismParameter::name);
        values[name] = knob_value(value, knob == mechanism.parameters.end() ? nullptr : &*knob, what,
                                  pointer_to(pointer, name));
    }
    try {
        build_spec(mechanism, values);
    } catch (const Error& error) {
        throw error.within(pointer);
    }
    return values;
}

}  // namespace headlight
