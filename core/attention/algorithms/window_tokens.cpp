#include "core/attention/algorithms/grid_windows.h"
#include "core/attention/algorithms/pooled_rows.h"
#include "core/attention/algorithms/row_norms.h"
#include "core/graph/row_formulas.h"

namespace headlight {
namespace {

/// What the token of each window, the same learned vector for all, finds among the tokens of its window and
/// itself: [h, windows, d_v].
Expression write_window_tokens(Composer& composer, const GridWindows& windows, const Expression& key,
                               const Expression& value) {
    const Index places = composer.plan.keys, count = windows.count();
    const Expression query =
        composer.let("window_query", queries_of_rows(composer, composer.parameter("window_token")),
                     "what the token of a window asks, the same in all");
    const Expression own = scaled_products(composer, query, key);
    const Expression of_window =
        composer.truth_of_places("is_of_window", {0, count, places}, "places of each window",
                                 [windows](Place at) { return windows.of(at.column) == at.row; });
    const Expression asked = composer.let(
        "window_query_scores", scaled_products(composer, query, composer.key), "what it asks of each place");
    const std::vector<Index> same(static_cast<std::size_t>(count), 0);
    const Expression joined =
        softmax_of(composer, "window_joined_reads",
                   join_columns({some_rows(own, same), choose(of_window, asked, minus_infinity())}));
    const Expression reads = composer.let("window_reads", some_columns(joined, counted(1, places)),
                                          "what the token of each window takes of its places");
    return composer.let("window_tokens",
                        product(reads, composer.value) + product(some_columns(joined, {0}), value),
                        "what the token of each window knows of it");
}

/// How each place weighs the windows, [h, n, windows]: as their tokens look at one another. A window that
/// lacks the place that it has in its own takes no part.
Expression write_weights_of_windows(Composer& composer, const GridWindows& windows,
                                    const Expression& tokens) {
    const Expression normed =
        composer.let("window_tokens_normed", layer_normalized(composer, "window_tokens_scaled", tokens) *
                                                     composer.parameter("g_window_token") +
                                                 composer.parameter("b_window_token"));
    const Expression active = composer.let("window_tokens_active", exact_gelu_of(normed), "GELU of it");
    const auto asked = [&](const std::string& side) {
        return composer.let("window_" + side + "_of_token",
                            product(active, composer.matrices_of_heads("W_window_" + side)) +
                                composer.parameter_of_heads("b_window_" + side));
    };
    const Expression query = asked("query"), key = asked("key");
    const Expression scores = composer.let("scores_of_windows", scaled_products(composer, query, key),
                                           "what the tokens of windows ask of one another");
    const Expression has_place =
        composer.truth_of_places("window_has_place", {0, windows.grid.places(), windows.count()},
                                 "windows that have the place that this one has in its own",
                                 [windows](Place at) { return windows.has(at.column, windows.tap(at.row)); });
    return softmax_of(composer, "weights_of_windows",
                      choose(has_place, some_rows(scores, windows.of_places()), minus_infinity()));
}

/// Attention inside the windows, and what comes out mixed place by place as the windows' tokens say (Li et
/// al. 2022).
Expression define_window_tokens(Composer& composer) {
    const GridWindows windows = grid_windows(composer.plan);
    const Index places = windows.grid.places(), count = windows.count();
    const Expression token = composer.parameter("window_token");
    const Expression token_key = composer.let("window_token_key", keys_of_rows(composer, token)),
                     token_value = composer.let("window_token_value", values_of_rows(composer, token));

    const Expression scores = write_scaled_products(composer);
    const Expression own = scaled_products(composer, composer.query, token_key);
    const Expression joined =
        softmax_of(composer, "joined_weights",
                   join_columns({own, choose(pairs_in_window(composer, windows), scores, minus_infinity())}));
    const Expression of_token =
        composer.let("window_token_weights", some_columns(joined, {0}), "what each place takes of the token");
    const Expression inside = composer.let("inside_weights", some_columns(joined, counted(1, places)),
                                           "what each place takes of those of its window");

    const Expression mixing = write_weights_of_windows(
        composer, windows, write_window_tokens(composer, windows, token_key, token_value));
    // In another window the row is that of the place which lies there where this one lies in its own.
    const auto like_place = [windows](Index place, Index window) {
        const Index tap = windows.tap(place);
        return windows.has(window, tap) ? windows.place(window, tap) : 0;
    };
    const Expression rows = pick(
        inside, places_of(places, places, [=](Index i, Index j) { return like_place(i, windows.of(j)); }),
        {1, places, counted(0, places)});
    const Expression weights = composer.let("weights", some_columns(mixing, windows.of_places()) * rows,
                                            "through the windows, each by its weight");
    const Expression of_tokens = composer.let(
        "weights_of_window_tokens", sum_of_columns(mixing * from_column(of_token, places, count, like_place)),
        "what is left for the windows’ tokens");
    return composer.let("context", product(weights, composer.value) + product(of_tokens, token_value),
                        "of the places and of the windows’ tokens");
}

void check_window_tokens(const Plan& plan) {
    require_one_sequence(plan, "window_tokens", "the tokens of one image lie in its windows");
    refuse_turned_vectors(plan, "window_tokens", "the token of a window has no place to be turned by");
    refuse_masked_image(plan, "window_tokens");
    require_one_token_width(plan, "window_tokens");
}

void add_window_token_parameters(const Plan& plan, ParameterList& list) {
    const Index key = plan.head_query_width(), value = plan.head_value_width();
    list.add("window_token", {plan.tokens.query_width});
    list.add("g_window_token", {value}, 1.0);
    list.add("b_window_token", {value}, 0.0);
    for (const std::string side : {"query", "key"}) {
        list.add("W_window_" + side, {plan.heads * value, key});
        list.add("b_window_" + side, {plan.heads * key}, 0.0);
    }
}

}  // namespace

AlgorithmComponent declare_algorithms_window_tokens() {
    AlgorithmComponent component;
    component.meaning =
        "o_(i, p) = Σ_j P_ij d_(j, p): d the softmax attention of each place p inside its window, where a "
        "learned token stands beside the others, and P the softmax of what the windows’ tokens then ask of "
        "one another (SepViT, Li et al. 2022); the tokens fill a grid row by row";
    component.options = {columns_option(), window_size_option()};
    component.known_parameters = {
        {"window_token", "[d]", "the learned token of every window"},
        {"g_window_token", "[d_v] per head, shared by the heads",
         "scales each feature of what a window’s token found"},
        {"b_window_token", "[d_v] per head, shared by the heads", "is added to that"},
        {"W_window_query", "[h d_v, d_k], head below head", "makes what a window asks"},
        {"b_window_query", "[h d_k]", "is added to that"},
        {"W_window_key", "[h d_v, d_k], head below head", "makes what windows are found by"},
        {"b_window_key", "[h d_k]", "is added to that"}};
    component.parameters = add_window_token_parameters;
    component.check = check_window_tokens;
    component.changes_context = always;
    component.declared_stages = {
        declared_scores_stage(),
        declared_shares_stage(
            "inside_weights", "Weights in each window",
            {"softmax over its places and its token", {{"scores"}}, "softmax in\neach window\n→"}),
        made_stage("window_reads", "What windows’ tokens read",
                   {"softmax over the places of the window and the token itself",
                    {keys_of("key")},
                    "asked by\nthe token,\nsoftmax\n→"},
                   {.lights = "weights_of_windows",
                    .is_of_features = true,
                    .row = "window",
                    .column = "key",
                    .is_share = true}),
        made_stage(
            "window_tokens", "Tokens of the windows",
            {"what each knows of its window", {{"window_reads"}, keys_of("value", "×")}, "+ token\n→"},
            {.colours_of = "value", .lights = "weights_of_windows", .is_of_features = true, .row = "window"}),
        made_stage(
            "scores_of_windows", "Scores of windows",
            {"what their tokens ask of one another", {{"window_tokens"}}, "norm, GELU,\nq · k / √d\n→"},
            between_parts("window", "window", {.lights = "weights_of_windows"})),
        declared_softmax_stage("scores_of_windows", "weights_of_windows", "Weights of windows",
                               "how each place weighs them, as its own does",
                               {.lights = "weights", .has_features = true, .column = "window"}),
        made_stage("weights_of_window_tokens", "Weights of the windows’ tokens",
                   {"what no place gets", {{"weights_of_windows"}}, "× its own\n→"},
                   {.lights = "output", .is_share = true}),
        declared_weights_stage({"through all windows, each by its weight",
                                {{"inside_weights"}, {"weights_of_windows", "and"}},
                                "row of the like\nplace, × weight\n→"},
                               {.is_share = true}),
        declared_context_stage("value", "the values of places and of the windows’ tokens", "+ tokens\n→")};
    component.define = define_window_tokens;
    return component;
}

}  // namespace headlight
