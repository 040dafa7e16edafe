#include "core/attention/algorithms/gated_image.h"
#include "core/attention/algorithms/image_grid.h"
#include "core/tensor/error.h"

#include <utility>

namespace headlight {
namespace {

Index ratio_of_signal(const Plan& plan) { return plan.algorithm().count("ratio"); }

/// The image as a coarser one has it, [h, n, d]: each place has the mean of the patch that it lies in.
Expression write_signal(Composer& composer, const ImageGrid& grid) {
    const Index ratio = ratio_of_signal(composer.plan), places = grid.places();
    if (ratio == 1)
        return composer.query;
    const auto patch = [=](Index place) {
        return std::pair(grid.row(place) / ratio, grid.column(place) / ratio);
    };
    std::vector<double> sizes(static_cast<std::size_t>(places));
    for (Index place = 0; place < places; ++place) {
        // The patch ends with the grid, and its last row may lack some places.
        const Index top = grid.row(place) / ratio * ratio, left = grid.column(place) / ratio * ratio;
        for (Index row = top; row < top + ratio && row < grid.rows(); ++row)
            for (Index column = left; column < left + ratio && grid.has(row, column); ++column)
                ++sizes[static_cast<std::size_t>(place)];
    }
    const Expression means = composer.of_places(
        "patch_means", {0, places, places}, "means over the patch of each place", [=](Place at) {
            return patch(at.row) == patch(at.column) ? 1 / sizes[static_cast<std::size_t>(at.row)] : 0.0;
        });
    return composer.let("gating_signal", product(means, composer.query),
                        "the mean of the patch that each place lies in");
}

bool has_given_signal(const Plan& plan) { return plan.spec.source.type == SourceType::cross; }

/// The coarser image that a second sequence is.
ImageGrid grid_of_signal(const Plan& plan) {
    const ImageGrid grid(plan);
    const Index ratio = ratio_of_signal(plan), last_row = (grid.rows() - 1) / ratio;
    const auto patches = [=](Index places) { return parts_of_size(places, ratio); };
    const Index columns = patches(grid.columns());
    return {last_row * columns + patches(grid.places_in_row(last_row * ratio)), columns};
}

/// The place of the coarser image that each place lies in.
FromPlaces<Index> places_in_signal(const Plan& plan) {
    const auto at = [grid = ImageGrid(plan), coarse = grid_of_signal(plan),
                     ratio = ratio_of_signal(plan)](Index place) {
        return coarse.place(grid.row(place) / ratio, grid.column(place) / ratio);
    };
    return {plan.queries, at};
}

/// What another layer has at each place, [n, d_k]: the second sequence is an image that is so many times
/// coarser.
Expression write_given_signal(Composer& composer) {
    const Index width = composer.key_tokens.extent().columns;
    return composer.let("coarse_signal",
                        pick(composer.key_tokens, {composer.plan.queries, 1, places_in_signal(composer.plan)},
                             {1, width, counted(0, width)}),
                        "what the coarser image has at the same place");
}

/// Pairs of a place and itself, or the place of the coarser image that it lies in: [n, m].
Expression pairs_with_own_place(Composer& composer) {
    if (!has_given_signal(composer.plan))
        return pairs_with_itself(composer);
    return composer.truth_of_places(
        "lies_in", {0, composer.plan.queries, composer.plan.keys},
        "the coarser place that each place lies in",
        [places = places_in_signal(composer.plan)](Place at) { return places[at.row] == at.column; });
}

void check_attention_gate(const Plan& plan) {
    if (!has_given_signal(plan))
        return check_gated_image(plan, "attention_gate");
    refuse_masked_image(plan, "attention_gate");
    refuse_turned_vectors(plan, "attention_gate",
                          "an image is multiplied by gates, and no query meets a key");
    refuse_shared_heads(plan, "attention_gate");
    require_values_of_query_width(plan, "attention_gate");
    const ImageGrid coarse = grid_of_signal(plan);
    if (coarse.places() != plan.keys)
        throw Error({"attention_gate", "key",
                     std::to_string(coarse.places()) + " places, an image of " +
                         std::to_string(coarse.rows()) + " × " + std::to_string(coarse.columns()) +
                         " that has one for each patch",
                     std::to_string(plan.keys)});
}

/// α x, α = σ(ψ · relu(x W_x + g W_g + b) + b_ψ) (Oktay et al. 2018).
Expression define_attention_gate(Composer& composer) {
    const Expression signal = has_given_signal(composer.plan)
                                  ? write_given_signal(composer)
                                  : write_signal(composer, ImageGrid(composer.plan));
    const Expression hidden = composer.let("gate_hidden",
                                           relu_of(composer.projected(composer.query, "W_gated") +
                                                   product(signal, composer.parameter("W_signal")) +
                                                   composer.parameter("b_signal")),
                                           "of the place and of the signal");
    const Expression gate = composer.let(
        "spatial_gate",
        sigmoid_of(product_transposed(hidden, composer.parameter("w_psi")) + composer.parameter("b_psi")),
        "what each place is multiplied by");
    composer.let("weights", choose(pairs_with_own_place(composer), gate, 0),
                 "each place looks at itself alone");
    return composer.let("context", composer.query * gate, "every number times the gate of its place");
}

}  // namespace

AlgorithmComponent declare_algorithms_attention_gate() {
    AlgorithmComponent component;
    component.meaning =
        "o_i = α_i x_i, α_i = σ(ψ · relu(x_i W_x + g_i W_g + b) + b_ψ): one gate for each place, of its "
        "features and of a gating signal, the mean of the patch that it lies in or, of another source, what "
        "that has at the same place of a coarser grid (Oktay et al. 2018, Attention U-Net); the tokens fill "
        "a grid row by row; the weights shown are a diagonal, the gates";
    Option reduction = reduction_option();
    reduction.standard = Index(2);
    reduction.help = "How many times narrower than the channels the layer is in which place and signal meet; "
                     "it has one unit at least.";
    component.options = {
        columns_option(),
        count_option(
            "ratio", "Patch", 2, {1, 64},
            "The side of the patches whose mean is the gating signal, as from a layer that sees an image so "
            "many times coarser; of another source that layer is the second sequence. 1: the place itself.",
            "the place itself"),
        reduction};
    component.known_parameters = {
        {"W_gated", "[C, C / reduction] per head, shared by the heads", "what of a place decides its gate"},
        {"W_signal",
         "[C, C / reduction] per head, of another source [d_k, C / reduction], shared by the heads",
         "what of the gating signal decides it"},
        {"b_signal", "[C / reduction]", "is added to both"},
        {"w_psi", "[C / reduction]", "makes one number of the hidden layer of a place"},
        {"b_psi", "one number", "how open every place is"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index channels = plan.head_query_width(), hidden = hidden_width(plan);
        list.add("W_gated", {channels, hidden});
        list.add("W_signal", {has_given_signal(plan) ? plan.tokens.key_width : channels, hidden});
        list.add("b_signal", {hidden});
        list.add("w_psi", {hidden});
        list.add("b_psi", {1});
    };
    component.check = check_attention_gate;
    component.makes_keys_and_values = true;
    component.declared_stages = {
        made_stage("gating_signal", "Gating signal",
                   {"the mean of the patch that each place lies in", {{"query"}}, "mean of\neach patch\n→"},
                   {.colours_of = "query", .lights = "gate_hidden", .has_features = true}),
        made_stage("coarse_signal", "Signal of the coarser image",
                   {"what it has at the same place", {keys_of("key_tokens")}, "at each\nplace\n→"},
                   {.lights = "gate_hidden", .has_features = true}),
        made_stage(
            "gate_hidden", "Place and signal",
            {"relu of their sum, in fewer features",
             {{"query"}, optional_stage("gating_signal", "and"), optional_stage("coarse_signal", "and")},
             "× W, +,\nrelu\n→"},
            {.lights = "spatial_gate", .has_features = true}),
        made_stage("spatial_gate", "Gates of the places",
                   {"the same for all channels", {{"gate_hidden"}}, "· ψ, σ\n→"},
                   {.lights = "output", .has_features = true, .is_share = true}),
        declared_weights_stage(
            {"the gate of each place: it looks at itself alone", {{"spatial_gate"}}, "on the\ndiagonal\n→"},
            {.is_share = true}),
        declared_gated_features("spatial_gate")};
    component.declared_stages.back().operation = "→";  // one gate for all features of a place
    component.define = define_attention_gate;
    return component;
}

}  // namespace headlight
