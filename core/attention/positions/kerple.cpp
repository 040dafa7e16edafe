#include "core/attention/component.h"
#include "core/attention/position_bias.h"
#include "core/attention/positions/pair_places.h"

#include <cmath>

namespace headlight {
namespace {

bool is_power(const Plan& plan) { return option<std::string>(plan.spec.position.options, "form") == "power"; }

/// One for all heads from the option, or the head's own parameter, whose sign does not count.
double number_of(const Plan& plan, const char* name, Index head) {
    const double given = option<double>(plan.spec.position.options, name);
    return given > 0 ? given : std::abs(plan.parameter(name)[head]);
}

double kerple_bias(const Plan& plan, Index head, Index distance) {
    const double r_1 = number_of(plan, "r_1", head), r_2 = number_of(plan, "r_2", head);
    const auto far = static_cast<double>(std::abs(distance));
    return -r_1 * (is_power(plan) ? std::pow(far, r_2) : std::log1p(r_2 * far));
}

void add_kerple_steps(const Plan& plan, auto& pipeline) {
    add_distance_bias(plan, pipeline,
                      [&](Index head, Index distance) { return kerple_bias(plan, head, distance); });
}

Expression define_kerple(Composer& composer, const Expression&) {
    const auto number = [&](const std::string& name) -> Expression {
        const double given = option<double>(composer.plan.spec.position.options, name);
        return given > 0 ? Expression(given) : absolute_of(composer.parameter_of_heads(name));
    };
    const Expression distance = distance_of_places(composer), r_1 = number("r_1"), r_2 = number("r_2");
    return is_power(composer.plan) ? -r_1 * power_of(distance, r_2) : -r_1 * log_of(1 + r_2 * distance);
}

}  // namespace

PositionComponent declare_positions_kerple() {
    PositionComponent component;
    component.type = PositionType::kerple;
    component.word = "kerple";
    component.meaning =
        "s − r_1 ln(1 + r_2 |i − j|), or s − r_1 |i − j|^r_2: a fading with the distance of a learned "
        "shape (Chi et al. 2022)";
    component.options = {
        {.name = "form",
         .label = "Form",
         .standard = std::string("logarithm"),
         .choices = {"logarithm", "power"},
         .help = "Whether the penalty grows with the logarithm of the distance or with a power of it."},
        {.name = "r_1",
         .label = "Strength",
         .standard = 1.0,
         .minimum = 0,
         .maximum = 16,
         .help = "r_1, for all heads in place of a learned one for each.",
         .minimum_word = "each head its own"},
        {.name = "r_2",
         .label = "Shape",
         .standard = 1.0,
         .minimum = 0,
         .maximum = 2,
         .help =
             "r_2, for all heads in place of a learned one for each: how fast the logarithm sets in, or the "
             "power.",
         .minimum_word = "each head its own"},
    };
    component.known_parameters = {
        {"r_1", {}, "[h]: strength of the penalty; its sign does not count (kerple)"},
        {"r_2", {}, "[h]: shape of the penalty; its sign does not count (kerple)"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        for (const char* name : {"r_1", "r_2"})
            if (option<double>(plan.spec.position.options, name) == 0)
                list.add(name, {plan.heads}, "shapes the penalty of each head");
    };
    component.has_bias = true;
    component.memory = distance_bias_memory;
    component.steps = [](const Plan& plan, auto& pipeline) { add_kerple_steps(plan, pipeline); };
    component.define_bias = define_kerple;
    return component;
}

}  // namespace headlight
