#include "core/attention/positions/alibi.h"

#include "core/attention/position_bias.h"
#include "core/attention/positions/pair_places.h"

#include <cmath>

namespace headlight {

double alibi_slope(Index head, Index heads) {
    Index power = 1;
    while (power * 2 <= heads)
        power *= 2;
    const auto of_power = [](Index number, Index count) {
        return std::exp2(-8.0 * static_cast<double>(number + 1) / static_cast<double>(count));
    };
    return head < power ? of_power(head, power) : of_power(2 * (head - power), 2 * power);
}

namespace {

AlibiForm alibi_form(const std::string& word) {
    return word == "key_only"   ? AlibiForm::key_only
           : word == "absolute" ? AlibiForm::absolute_distance
                                : AlibiForm::signed_distance;
}

double slope(const Plan& plan, Index head) {
    const double given = plan.position().number("slope");
    return given > 0 ? given : alibi_slope(head, plan.heads);
}

void add_alibi_steps(const Plan& plan, auto& pipeline) {
    add_position_bias(plan, pipeline, [&plan](const auto& row, auto* numbers) {
        const AlibiForm form = alibi_form(plan.position().word("form"));
        fill_alibi(slope(plan, row.head), form, row.query, numbers, row.size);
    });
}

Expression define_alibi(Composer& composer, const Expression&) {
    const std::string& form = composer.plan.position().word("form");
    const Expression slopes =
        composer.constant("slopes", {composer.heads, 1, 1}, "how steeply each head falls",
                          [&plan = composer.plan](Index head, Index, Index) { return slope(plan, head); });
    if (form == "key_only")
        return slopes * (composer.key_places() + 0 * composer.query_places());
    const Expression distance =
        form == "absolute" ? distance_of_places(composer) : composer.query_places() - composer.key_places();
    return -slopes * distance;
}

}  // namespace

PositionComponent declare_positions_alibi() {
    PositionComponent component;
    component.meaning = "s − m_h (i − j): a penalty that grows with distance, with a slope for each head "
                        "(Press, Smith and Lewis 2022)";
    component.options = {
        word_option("form", "Form", {"signed", "absolute", "key_only"},
                    "Whether the distance is i − j, |i − j| for encoders, or −j alone, which under a causal "
                    "mask gives the same weights."),
        number_option("slope", "Slope", 0.0, {0, 16},
                      "One slope for all heads in place of 2^(−8 (h+1) / H). Where H is no power of 2, as "
                      "many heads as the largest power P below it have the slopes of P heads, and the others "
                      "every second one of 2 P.",
                      "one per head"),
    };
    component.has_bias = true;
    component.memory = distance_bias_memory;
    component.steps = [](const Plan& plan, auto& pipeline) { add_alibi_steps(plan, pipeline); };
    component.define_bias = define_alibi;
    return component;
}

}  // namespace headlight
