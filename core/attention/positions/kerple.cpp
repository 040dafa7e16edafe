#include "core/attention/position_bias.h"
#include "core/attention/positions/pair_places.h"

#include <cmath>
#include <type_traits>

namespace headlight {
namespace {

bool is_power(const Plan& plan) { return plan.position().word("form") == "power"; }

/// One for all heads from the option, or the head's own parameter, whose sign does not count.
double number_of(const Plan& plan, const char* name, Index head) {
    const double given = plan.position().number(name);
    return given > 0 ? given : std::abs(plan.parameter(name)[head]);
}

double kerple_bias(const Plan& plan, Index head, Index distance) {
    const double r_1 = number_of(plan, "r_1", head), r_2 = number_of(plan, "r_2", head);
    const auto far = static_cast<double>(std::abs(distance));
    return -r_1 * (is_power(plan) ? std::pow(far, r_2) : std::log1p(r_2 * far));
}

/// How many places after its query each head is drawn to, again from the first; none: all to the query.
const std::vector<Index>& middles(const Plan& plan) { return plan.position().list("middles"); }
Index middle_of_head(const Plan& plan, Index head) {
    const auto& all = middles(plan);
    return all[static_cast<std::size_t>(head) % all.size()];
}

void add_kerple_steps(const Plan& plan, auto& pipeline) {
    if (middles(plan).empty())
        return add_distance_bias(
            plan, pipeline, [&](Index head, Index distance) { return kerple_bias(plan, head, distance); });
    add_position_bias(plan, pipeline, [&plan](const auto& row, auto* numbers) {
        const Index middle = row.query + middle_of_head(plan, row.head);
        for (Index key = 0; key < row.size; ++key)
            numbers[key] = static_cast<std::remove_reference_t<decltype(*numbers)>>(
                kerple_bias(plan, row.head, key - middle));
    });
}

/// How far each key lies from the place that the head is drawn to: [n, m], or [h, n, m].
Expression distance_of_head(Composer& composer) {
    const Plan& plan = composer.plan;
    if (middles(plan).empty())
        return distance_of_places(composer);
    const Expression middle = composer.constant(
        "middle_of_head", {composer.heads, 1, 1}, "how many places after the query the head is drawn to",
        [&plan](Index head, Index, Index) { return static_cast<double>(middle_of_head(plan, head)); });
    return composer.let("distance_of_head",
                        absolute_of(composer.key_places() - composer.query_places() - middle),
                        "places between the key and where the head is drawn to");
}

Expression define_kerple(Composer& composer, const Expression&) {
    const auto number = [&](const std::string& name) -> Expression {
        const double given = composer.plan.position().number(name);
        return given > 0 ? Expression(given) : absolute_of(composer.parameter_of_heads(name));
    };
    const Expression distance = distance_of_head(composer), r_1 = number("r_1"), r_2 = number("r_2");
    return is_power(composer.plan) ? -r_1 * power_of(distance, r_2) : -r_1 * log_of(1 + r_2 * distance);
}

}  // namespace

PositionComponent declare_positions_kerple() {
    PositionComponent component;
    component.meaning =
        "s − r_1 ln(1 + r_2 |i − j|), or s − r_1 |i − j|^r_2: a fading with the distance of a learned "
        "shape (Chi et al. 2022)";
    component.options = {
        word_option("form", "Form", {"logarithm", "power"},
                    "Whether the penalty grows with the logarithm of the distance or with a power of it."),
        number_option("r_1", "Strength", 1.0, {0, 16},
                      "r_1, for all heads in place of a learned one for each.", "one per head"),
        number_option("r_2", "Shape", 1.0, {0, 2},
                      "r_2, for all heads in place of a learned one for each: how fast the logarithm sets "
                      "in, or the power.",
                      "one per head"),
        list_option("middles", "Middles", {}, {-4096, 4096},
                    "How many places after the query the penalty of each head is 0, before it where the "
                    "number is below 0, in the order of the heads and again from the first; an empty list: "
                    "at the query. With the power 2 these are bells around the middles."),
    };
    component.known_parameters = {{"r_1", "[h]", "strength of the penalty; its sign does not count"},
                                  {"r_2", "[h]", "shape of the penalty; its sign does not count"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        for (const char* name : {"r_1", "r_2"})
            if (plan.position().number(name) == 0)
                list.add(name, {plan.heads});
    };
    component.has_bias = true;
    component.memory = distance_bias_memory;
    component.steps = [](const Plan& plan, auto& pipeline) { add_kerple_steps(plan, pipeline); };
    component.define_bias = define_kerple;
    return component;
}

}  // namespace headlight
