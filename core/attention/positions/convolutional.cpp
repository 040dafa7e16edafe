#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/grid.h"

namespace headlight {
namespace {

Index place_kernel_size(const Plan& plan) { return plan.position().count("size"); }
Index place_grid_columns(const Plan& plan) { return plan.position().count("columns"); }
/// On a line, or on a grid.
Index place_kernel_places(const Plan& plan) {
    return place_grid_columns(plan) > 0 ? place_kernel_size(plan) * place_kernel_size(plan)
                                        : place_kernel_size(plan);
}

/// The kernel is no parameter: parts of the features are those of other tokens.
bool shifts_features(const Plan& plan) { return plan.position().word("kernel") == "shift"; }

/// The place of the kernel that a feature is taken from: the first part of the features from the last place,
/// the next from the one before it, and what is left over from the token itself.
Index place_of_feature(const Plan& plan, Index feature, Index width) {
    const Index places = place_kernel_places(plan), size = width / places;
    const bool looks_back = plan.position().word("window") == "past";
    const Index side = place_kernel_size(plan), before = looks_back ? side - 1 : (side - 1) / 2;
    const Index own = place_grid_columns(plan) > 0 ? before * side + before : before;
    return size > 0 && feature < size * places ? places - 1 - feature / size : own;
}

/// The token that place `number` of the kernel lies on; `none` outside.
Index token_under(const Plan& plan, Index token, Index number, Index none) {
    const Index size = place_kernel_size(plan), n = plan.queries;
    const bool looks_back = plan.position().word("window") == "past";
    const Index before = looks_back ? size - 1 : (size - 1) / 2;
    const Grid grid{place_grid_columns(plan) > 0 ? place_grid_columns(plan) : n};
    const Index row = grid.row(token) + (place_grid_columns(plan) > 0 ? number / size - before : 0);
    const Index column = grid.column(token) + number % size - before;
    const bool is_inside = row >= 0 && column >= 0 && column < grid.columns;
    const Index other = row * grid.columns + column;
    return is_inside && other < n ? other : none;
}

/// Each feature of a token's surroundings, times a kernel of its own.
Expression define_convolution(Composer& composer, const std::string& name, const Expression& tokens) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries, width = tokens.extent().columns;
    const Expression read = of_seen_keys(composer, tokens);
    const Expression nothing = composer.zeros("nothing_around", {0, 1, width}, "beyond the ends");
    const Expression padded =
        composer.let("tokens_and_nothing", join_rows({read, nothing}), "a row of zeros below the tokens");
    const bool shifts = shifts_features(plan);
    const Expression kernel =
        shifts ? composer.constant("shifted_features", {0, place_kernel_places(plan), width},
                                   "1 where the feature is that of the token at this place",
                                   [&plan, width](Index, Index place, Index feature) {
                                       return place_of_feature(plan, feature, width) == place ? 1.0 : 0.0;
                                   })
               : composer.parameter("K_place");
    Expression sum = shifts ? -read : composer.parameter("b_place");  // its own features are taken off
    for (Index place = 0; place < place_kernel_places(plan); ++place) {
        std::vector<Index> rows;
        for (Index token = 0; token < n; ++token)
            rows.push_back(token_under(plan, token, place, n));
        sum = sum + some_rows(kernel, {place}) *
                        composer.let(numbered("tokens_at_place_", place + 1), some_rows(padded, rows),
                                     "the token that this place of the kernel lies on");
    }
    return composer.let(name, sum, "what stands around each token, feature by feature");
}

}  // namespace

PositionComponent declare_positions_convolutional() {
    PositionComponent component;
    component.meaning =
        "x + Σ_r K_r ⊙ x_(i+r) + b: what a depthwise convolution makes of the neighbours, on a line or a "
        "grid, is added to the token vectors; where it meets the ends it tells the place (CPVT, Chu et al. "
        "2023)";
    component.options = {
        count_option("columns", "Columns", 0, {0, 65536},
                     "How many tokens a row of the grid has, on which the kernel is a square; without a grid "
                     "it lies along the text.",
                     "no grid"),
        count_option("size", "Size of the kernel", 3, {1, 15},
                     "How many places it has, on a grid along each side."),
        word_option("window", "Window", {"centred", "past"},
                    "Whether the token stands in the middle of the kernel or at its end: on a grid in the "
                    "last row and column, so that nothing is read that comes later."),
        word_option("kernel", "Kernel", {"learned", "shift"},
                    "A learned one for each feature; or as many parts of the features as it has places are "
                    "those of the token at each place: of two places that look back half of each token is "
                    "that of the one before (token shift).")};
    component.known_parameters = {
        {"K_place", "[places, d]",
         "what each feature of the tokens around is multiplied by, place by place of the kernel"},
        {"b_place", "[d]", "is added to it"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        if (shifts_features(plan))
            return;
        list.add("K_place", {place_kernel_places(plan), plan.tokens.query_width});
        list.add("b_place", {plan.tokens.query_width}, 0.0);
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "convolutional positions",
                             "the kernel lies on the tokens of one sequence");
    };
    component.declared_stages = {made_stage("position", "Positions", {"", {{"tokens"}}, "convolve\n→"},
                                            {.colours_of = "tokens", .lights = "tokens"})};
    component.define_term_of_tokens = define_convolution;
    return component;
}

}  // namespace headlight
