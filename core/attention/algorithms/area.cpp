#include "core/attention/algorithms/softmax_heads.h"

#include <algorithm>

namespace headlight {
namespace {

/// Neighbouring keys from `first` on.
struct Area {
    Index first, size;
    bool holds(Index key) const { return key >= first && key < first + size; }
};

/// All of up to the widest size, single keys first.
std::vector<Area> areas_of(const Plan& plan) {
    const Index widest = std::min(plan.algorithm().count("widest"), plan.keys);
    std::vector<Area> areas;
    for (Index size = 1; size <= widest; ++size)
        for (Index first = 0; first + size <= plan.keys; ++first)
            areas.push_back({first, size});
    return areas;
}

/// A query looks at areas of neighbouring keys. What it gives to a key is what all areas get that hold it.
Expression define_area(Composer& composer) {
    const Plan& plan = composer.plan;
    const std::vector<Area> areas = areas_of(plan);
    const Index count = std::ssize(areas);
    const auto shares_of = [&](const std::string& name, const std::string& note, bool is_mean) {
        return composer.of_places(name, {0, count, plan.keys}, note, [areas, is_mean](Place at) {
            const Area& area = areas[static_cast<std::size_t>(at.row)];
            return !area.holds(at.column) ? 0 : is_mean ? 1 / static_cast<double>(area.size) : 1;
        });
    };
    const Expression means = shares_of("area_means", "means of the keys of each area", true);
    const Expression keys =
        composer.let("area_key", product(means, composer.key), "the mean of the keys of each area");
    Expression scores =
        composer.let("area_scores", scaled_products(composer, composer.query, keys), "q · k / √d of areas");
    if (composer.mask_excludes()) {
        const Expression open = composer.truth_of_places(
            "area_is_open", {0, plan.queries, count}, "areas of which the query sees every key",
            [areas, may_meet = composer.may_meet](Place at) {
                const Area& area = areas[static_cast<std::size_t>(at.column)];
                for (Index key = area.first; key < area.first + area.size; ++key)
                    if (!may_meet(at.row, key))
                        return false;
                return true;
            });
        scores = choose(open, scores, minus_infinity());
    }
    const Expression of_areas = softmax_of(composer, "area_weights", scores);
    const bool are_means = plan.algorithm().word("values") == "mean";
    const Expression held =
        are_means ? means : shares_of("area_keys", "1 for each key that the area holds", false);
    return write_attended_values(composer, composer.let("weights", product(of_areas, held),
                                                        "what all areas that hold the key are given"));
}

}  // namespace

AlgorithmComponent declare_algorithms_area() {
    AlgorithmComponent component;
    component.meaning =
        "softmax over all runs of up to L neighbouring keys; the key of a run is the mean of its keys, its "
        "value the sum of its values (Li et al. 2019)";
    component.options = {
        count_option("widest", "Widest area", 3, {1, 16},
                     "How many neighbouring keys an area has at most; 1: keys alone."),
        word_option("values", "Value of an area", {"sum", "mean"},
                    "What a query gets of an area: the sum of its values, as in the paper, or their mean.")};
    component.takes_any_mask = true;
    component.declared_stages = {
        made_stage("area_key", "Keys of areas",
                   {"the mean of the keys of each area", {keys_of("key")}, "means of\nneighbours\n→"},
                   {.colours_of = "key", .lights = "area_scores", .is_of_features = true, .row = "area"}),
        made_stage("area_scores", "Scores of areas",
                   {"q · k / √d, k the mean of an area",
                    {{"query"}, {.stage = "area_key", .operator_before = "×", .transposed = true}},
                    "÷ √d\n→"},
                   {.lights = "area_weights", .has_features = true, .column = "area"}),
        declared_softmax_stage("area_scores", "area_weights", "Weights of areas",
                               "softmax over areas of which all keys are seen",
                               {.lights = "weights", .has_features = true, .column = "area"}),
        made_stage("weights", "Weights",
                   {"what all areas get that hold the key", {{"area_weights"}}, "summed over\nareas\n→"},
                   {.lights = "output", .role = StageRole::weights})};
    component.define = define_area;
    return component;
}

}  // namespace headlight
