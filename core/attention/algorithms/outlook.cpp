#include "core/attention/algorithms/image_grid.h"

#include <cmath>

namespace headlight {
namespace {

ImageKernel outlook_window(const Plan& plan) { return {kernel_side(plan)}; }

/// How each window is mixed inside: [h, places · taps, taps], a row for each place of it, the rows of the
/// first window before those of the second.
Expression write_window_weights(Composer& composer) {
    const Index taps = outlook_window(composer.plan).taps(), places = composer.plan.queries;
    const Expression scores = composer.let("outlook_scores",
                                           product(composer.query, composer.matrices_of_heads("W_outlook")) *
                                               scale_of_queries(composer),
                                           "q W, a number for each pair of places of the window");
    const Expression rows = composer.let(
        "window_scores",
        pick(scores, {places * taps, 1, {places * taps, [=](Index row) { return row / taps; }}},
             places_of(places * taps, taps, [=](Index row, Index to) { return row % taps * taps + to; })),
        "a row for each place of each window");
    return softmax_of(composer, "outlook_weights", rows);
}

/// Each place looks through the windows of all places around it, its own among them: of each it has the row
/// that the window made for it (Yuan et al. 2021).
Expression define_outlook(Composer& composer) {
    const ImageGrid grid(composer.plan);
    const ImageKernel window = outlook_window(composer.plan);
    const Index taps = window.taps(), reach = window.side / 2;
    const Expression mixed = write_window_weights(composer);
    std::optional<Expression> weights;
    for (Index tap = 0; tap < taps; ++tap) {
        // The query is at `tap` of the window, whose centre is therefore so far from it.
        const Index down = window.down(tap), right = window.right(tap);
        const auto is_seen = [=](Index query, Index key) {
            const Index row = grid.row(query) - down, column = grid.column(query) - right;
            return grid.has(row, column) && std::abs(grid.row(key) - row) <= reach &&
                   std::abs(grid.column(key) - column) <= reach;
        };
        const auto row_of_window = [=](Index query, Index key) {
            return is_seen(query, key) ? (query - grid.place(down, right)) * taps + tap : 0;
        };
        const auto tap_of_key = [=](Index query, Index key) {
            if (!is_seen(query, key))
                return Index(0);
            return (grid.row(key) - grid.row(query) + down + reach) * window.side + grid.column(key) -
                   grid.column(query) + right + reach;
        };
        const Index places = grid.places();
        const Expression is_there = composer.truth_of_places(
            numbered("is_seen_", tap), {0, places, places}, "pairs that both lie in this window",
            [=](Place at) { return is_seen(at.row, at.column); });
        const Expression through = composer.let(numbered("through_window_", tap),
                                                choose(is_there,
                                                       pick(mixed, places_of(places, places, row_of_window),
                                                            places_of(places, places, tap_of_key)),
                                                       0),
                                                "what each place sees through one of the windows around it");
        weights = weights ? *weights + through : through;
    }
    return write_attended_values(
        composer, composer.let("weights", *weights, "through all windows that have the place"));
}

}  // namespace

AlgorithmComponent declare_algorithms_outlook() {
    AlgorithmComponent component;
    component.meaning =
        "each place makes from its query alone how the k × k places around it are mixed, softmax(q W) [k², "
        "k²], and what comes out of all windows is added up where they overlap (Yuan et al. 2021, VOLO); "
        "the tokens fill a grid row by row, and what lies outside has values of 0";
    Option kernel = kernel_option("How many places around a place its window has.");
    kernel.label = "Window";
    kernel.choices = {"1x1", "3x3", "5x5"};
    component.options = {
        columns_option(), kernel,
        flag_option(
            "scaled", "Scaled", true,
            "Whether the numbers are divided by √d_k before their softmax, as in the authors’ code.")};
    component.known_parameters = {
        {"W_outlook", "[h d_k, k⁴] with a window of k × k, head below head",
         "makes the scores of the pairs of places of a window, those of the first place first"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index taps = outlook_window(plan).taps();
        list.add("W_outlook", {plan.query_width, taps * taps});
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "outlook", "the window lies around the token’s own place");
        refuse_turned_vectors(plan, "outlook", "no query meets a key");
        refuse_masked_image(plan, "outlook");
    };
    component.declared_stages = {
        made_stage("outlook_scores", "Scores of the windows",
                   {"a number for each pair of places of the window", {{"query"}}, "× W\n→"},
                   {.lights = "outlook_weights", .has_features = true}),
        declared_softmax_stage("outlook_scores", "outlook_weights", "Weights inside the windows",
                               "a row for each place of each window",
                               {.lights = "weights", .is_of_features = true}),
        declared_weights_stage(
            {"through all windows that have the place", {{"outlook_weights"}}, "at their\nplaces,\nsum\n→"})};
    component.define = define_outlook;
    return component;
}

}  // namespace headlight
