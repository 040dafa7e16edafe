#include "core/attention/refusals.h"
#include "core/attention/rotary.h"
#include "core/attention/turned_pairs.h"

#include <cmath>

namespace headlight {
namespace {

Index longest_of_xpos(const Plan& plan) { return std::max(plan.queries, plan.keys); }

std::vector<double> frequencies(const Plan& plan) {
    return rotary_frequencies(plan.head_query_width(), plan.position().number("base"));
}

/// zeta_i^(p / scale_base) with zeta_i = (2i/d + 0.4) / 1.4 (Sun et al. 2023, section 3).
struct Growth {
    double width, scale_base;
    double operator()(Index place, Index pair) const {
        const double zeta = (2 * static_cast<double>(pair) / width + 0.4) / 1.4;
        return std::pow(zeta, static_cast<double>(place) / scale_base);
    }
};

Growth growth_of(const Plan& plan) {
    return {static_cast<double>(plan.head_query_width()), plan.position().number("scale_base")};
}

void add_xpos_steps(const Plan& plan, auto& pipeline) {
    const std::vector<double> turns = frequencies(plan);
    const bool mixed = has_neighbouring_pairs(plan.position());
    const auto table = [&, growth = growth_of(plan)](bool grows) {
        // Divided, not raised to -1: whether the compiler makes one of the other would depend on what it
        // inlines.
        return rotation_table(
            pipeline.operands, turns, longest_of_xpos(plan), mixed,
            [&](Index token, Index pair) { return grows ? growth(token, pair) : 1 / growth(token, pair); });
    };
    const auto rotate = [](auto turned) {
        return [turned](auto* vector, Index, Index token) { turned.rotate(vector, token); };
    };
    pipeline.vectors.push_back({"rotated_query", "rotated_key", rotate(table(true)), rotate(table(false))});
    record_angles(plan, pipeline, turns);
}

Expression define_xpos(Composer& composer, const std::string& name, const Expression& x, bool is_key) {
    const Plan& plan = composer.plan;
    const auto length = [is_key, growth = growth_of(plan)](Index token, Index pair) {
        return growth(is_key ? -token : token, pair);
    };
    const bool mixed = has_neighbouring_pairs(plan.position());
    return turned_by(composer, {frequencies(plan), mixed, length}, name, x);
}

}  // namespace

PositionComponent declare_positions_xpos() {
    PositionComponent component;
    component.meaning = "rope with ζ_i^(p/512) on queries and ζ_i^(−p/512) on keys: products fade with the "
                        "distance i − j, fast pairs first (Sun et al. 2023)";
    component.options = {
        word_option("layout", "Pairs", {"interleaved", "half"},
                    "Which features form a pair: neighbours (2i, 2i + 1), or (i, i + d/2)."),
        base_option("Pair i turns by base^(−2i/d) from one place to the next."),
        number_option("scale_base", "Decay length", 512.0, logarithmic_range(16, 1048576),
                      "Over this many places a pair’s product fades by ζ; a very large number gives rope."),
    };
    component.check = [](const Plan& plan) { require_keys_of_query_width(plan, "xpos"); };
    component.paired = {turned_features()};
    component.stages = [](const Plan& plan, StageList& list) {
        list.add_rows("angles", Axis::query, plan.head_query_width() / 2);
        add_rotated_stages(plan, list);
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        const double tables = elements(2 * longest_of_xpos(plan), plan.head_query_width());
        return StepMemory{.kept = (tables + turned_vectors(plan)) * needs.real};
    };
    component.turns_vectors = true;
    component.declared_stages = {
        {"angles", "Angles of the pairs"}, declared_rotated_query(), declared_rotated_key()};
    component.steps = [](const Plan& plan, auto& pipeline) { add_xpos_steps(plan, pipeline); };
    component.define_turn = define_xpos;
    component.explain = explain_angles;
    return component;
}

}  // namespace headlight
