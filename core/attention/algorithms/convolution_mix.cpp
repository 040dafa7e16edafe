#include "core/attention/algorithms/channel_maps.h"
#include "core/attention/algorithms/image_grid.h"

namespace headlight {
namespace {

Index side_of_shifts(const Plan& plan) { return plan.algorithm().word("convolution").front() - '0'; }

/// Between −1 and 1: the row and the column of each place, [n, 2].
Expression places_on_grid(Composer& composer, const ImageGrid& grid) {
    return composer.of_places(
        "places_on_grid", {0, grid.places(), 2}, "column and row of each place, from −1 to 1", [=](Place at) {
            const Index line = at.column == 0 ? grid.column(at.row) : grid.row(at.row);
            const Index lines = at.column == 0 ? grid.columns() : grid.rows();
            return lines < 2 ? -1.0 : 2 * static_cast<double>(line) / static_cast<double>(lines - 1) - 1;
        });
}

/// Softmax over the window around each place of q · (k + the difference of both places) / √d: [h, n, n].
Expression write_window_attention(Composer& composer, const ImageGrid& grid) {
    const Expression turned =
        composer.let("place_vectors", product(places_on_grid(composer, grid), composer.parameter("W_grid")),
                     "a vector for each place");
    const Expression met = product_transposed(composer.query, composer.key) +
                           sum_of_columns(composer.query * turned) -
                           product_transposed(composer.query, turned);
    const Expression scores = composer.let("scores", met / root_of_head_width(composer),
                                           "products with the keys and with the difference of the places");
    const Expression is_near =
        pairs_in_kernel(composer, "is_in_window", grid, ImageKernel{kernel_side(composer.plan)});
    return softmax_of(composer, "weights", choose(is_near, scores, minus_infinity()));
}

/// A layer of the heads of queries, keys and values for each place of the kernel, moved there and added:
/// [h, n, d].
Expression write_shifted(Composer& composer, const ImageGrid& grid) {
    const ImageKernel kernel{side_of_shifts(composer.plan)};
    const Index heads = composer.plan.heads, places = grid.places(), width = composer.plan.head_query_width();
    const std::vector<Expression> pieces{composer.query, of_all_heads(composer, composer.key),
                                         of_all_heads(composer, composer.value)};
    std::optional<Expression> sum;
    for (Index tap = 0; tap < kernel.taps(); ++tap) {
        const Expression layer = some_rows(composer.parameter("W_pieces"), counted(tap * heads, heads));
        std::optional<Expression> mixed;
        for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
            const Expression part = mix_heads(
                some_columns(layer, counted(static_cast<Index>(piece) * heads, heads)), pieces[piece]);
            mixed = mixed ? *mixed + part : part;
        }
        const Expression before =
            composer.let(numbered("mixed_pieces_", tap + 1), *mixed, "the layer of this place of the kernel");
        const auto is_there = [=](Index place) {
            return grid.has(grid.row(place) + kernel.down(tap), grid.column(place) + kernel.right(tap));
        };
        const auto from = [=](Index place) {
            return is_there(place) ? place + grid.place(kernel.down(tap), kernel.right(tap)) : 0;
        };
        const Expression met = composer.truth_of_places(numbered("kernel_meets_", tap + 1), {0, places, 1},
                                                        "1 where the kernel meets the image",
                                                        [=](Place at) { return is_there(at.row); });
        const Expression moved =
            choose(met, pick(before, {places, 1, {places, from}}, {1, width, counted(0, width)}), 0);
        sum = sum ? *sum + moved : moved;
    }
    return composer.let("shifted_sum", *sum, "each moved to its place of the kernel, and added");
}

/// Attention over windows and a convolution of what it has projected anyway (Pan et al. 2022).
Expression define_convolution_mix(Composer& composer) {
    const ImageGrid grid(composer.plan);
    const Expression attended =
        composer.let("attended", product(write_window_attention(composer, grid), composer.value),
                     "what the attention gives");
    const Expression shifted = write_shifted(composer, grid);
    return composer.let("context",
                        composer.parameter("rate_attention") * attended +
                            composer.parameter("rate_convolution") * shifted,
                        "both, by their rates");
}

void check_convolution_mix(const Plan& plan) {
    require_one_sequence(plan, "convolution_mix", "windows and kernels lie around the place of the query");
    refuse_masked_image(plan, "convolution_mix");
    require_values_of_query_width(plan, "convolution_mix");
}

}  // namespace

AlgorithmComponent declare_algorithms_convolution_mix() {
    AlgorithmComponent component;
    component.meaning =
        "o = α softmax over a window of (q · (k + (p_i − p_j) W) / √d) v + β Σ_r shift_r(Σ_h W_r [q; k; "
        "v]_h): attention and a convolution out of one projection; for each place r of the kernel a layer "
        "mixes the heads of queries, keys and values, and what it makes is moved there (Pan et al. 2022, "
        "ACmix); the tokens fill a grid row by row";
    Option window = kernel_option("The square of places that each place looks at.");
    window.label = "Window";
    component.options = {columns_option(), window,
                         word_option("convolution", "Convolution", {"1x1", "3x3", "5x5"},
                                     "The kernel that the shifts make up.", "3x3")};
    component.known_parameters = {
        {"W_grid", "[2, d_k], shared by the heads", "makes a vector of the column and the row of a place"},
        {"W_pieces", "[kernel² h, 3 h]",
         "for each place of the kernel what each head has of the heads of queries, of keys and of values"},
        {"rate_attention", "one number", "how much the attention counts"},
        {"rate_convolution", "one number", "how much the convolution counts"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index side = side_of_shifts(plan);
        list.add("W_grid", {2, plan.head_query_width()});
        list.add("W_pieces", {side * side * plan.heads, 3 * plan.heads});
        list.add("rate_attention", {1}, 0.5);
        list.add("rate_convolution", {1}, 0.5);
    };
    component.check = check_convolution_mix;
    component.changes_context = always;
    component.declared_stages = {
        declared_scores_stage({"", {{"query"}, times_keys_of("key")}, "+ places,\n÷ √d\n→"}),
        declared_weights_stage({"softmax over the window", {{"scores"}}, "softmax\n→"}, {.is_share = true}),
        declared_attended_stage(),
        made_stage("shifted_sum", "Convolution",
                   {"layers of queries, keys and values, shifted and added",
                    {{"query"}, keys_of("key", "and"), keys_of("value", "and")},
                    "mixed,\nshifted,\nadded\n→"},
                   {.colours_of = "value", .lights = "output"}),
        declared_own_context_stage(
            {"both, by their rates", {{"attended"}, {"shifted_sum", "and"}}, "by rates,\nadded\n→"})};
    component.define = define_convolution_mix;
    return component;
}

}  // namespace headlight
