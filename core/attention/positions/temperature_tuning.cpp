#include "core/attention/component.h"
#include "core/attention/composer.h"

namespace headlight {
namespace {

/// Queries alone are changed: keys know no place.
Expression define_temperature_tuning(Composer& composer, const std::string& name, const Expression& x,
                                     bool is_key) {
    if (is_key)
        return x;
    const Options& options = composer.plan.position();
    const auto length = static_cast<double>(options.count("length"));
    const bool is_known = composer.program.has("temperature_factors");  // by a layer below
    const Expression factors =
        is_known ? composer.program.tensor("temperature_factors")
                 : composer.let("temperature_factors",
                                1 + options.number("growth") *
                                        log_of_more(floor_of((composer.query_places() + 1) / length)),
                                "by how much the scores of a query are sharpened");
    return composer.let("tempered_" + name, factors * x, "queries times their factor");
}

}  // namespace

PositionComponent declare_positions_temperature_tuning() {
    PositionComponent component;
    component.meaning =
        "q_i (1 + a ln(1 + ⌊(i + 1) / L⌋)), i from 0: queries beyond a length L are made longer, so that "
        "their softmax stays sharp among more keys; nothing else knows of places (Llama 4, Meta 2025, in its "
        "layers without rotary positions)";
    component.options = {
        count_option(
            "length", "Length L", 8192, logarithmic_range(1, 1048576),
            "Queries before this place stay as they are, and the factor grows at each multiple of it."),
        number_option("growth", "Growth a", 0.1, {0, 4},
                      "How fast the factor grows with the logarithm of the place: at 0 it stays 1.")};
    component.turns_vectors = true;
    component.declared_stages = {
        made_stage("temperature_factors", "Factors of the queries", {}, {.lights = "tempered_query"}),
        made_stage("tempered_query", "Queries times their factor", {"", {{"query"}}, "× factor\n→"},
                   {.form_of = "query", .has_features = true})};
    component.define_turn = define_temperature_tuning;
    return component;
}

}  // namespace headlight
