#include "core/attention/component.h"
#include "core/attention/positions/pair_offsets.h"

#include <cmath>

namespace headlight {
namespace {

Index grid_window_side(const Plan& plan) { return plan.position().count("window"); }
Index grid_hidden_units(const Plan& plan) { return plan.position().count("hidden"); }
bool is_grid_table(const Plan& plan) { return plan.position().word("form") == "table"; }

/// B[(Δy + w − 1)(2 w − 1) + Δx + w − 1]
Expression define_grid_table(Composer& composer) {
    const Plan& plan = composer.plan;
    const Grid grid{plan.position().count("columns")};
    const Index most = grid_window_side(plan) - 1;
    const auto clipped = [most](Index offset) { return std::clamp(offset, -most, most) + most; };
    const Expression table = composer.let(
        "bias_of_offsets", split_rows(transposed(composer.parameter("grid_table")), composer.heads),
        "a number for each offset, head by head");
    return from_row(table, plan.queries, plan.keys, [=](Index query, Index key) {
        return clipped(grid.row(query) - grid.row(key)) * (2 * most + 1) +
               clipped(grid.column(query) - grid.column(key));
    });
}

Expression define_grid_bias(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    if (is_grid_table(plan))
        return define_grid_table(composer);
    const bool is_released = plan.position().word("form") == "released";
    const PairOffsets offsets(plan, plan.position().count("columns"));
    const auto reach = static_cast<double>(std::max<Index>(grid_window_side(plan) - 1, 1));
    Expression squeezed =
        PairOffsets::squeezed(composer, offsets.numbers(composer), is_released ? 8 / reach : 1);
    if (is_released)
        squeezed =
            composer.let("log_coordinates", squeezed / (3 * std::log(2.0)), "log₂(1 + 8 Δ / (w − 1)) / 3");
    const Expression units =
        composer.let("offset_hidden", relu_of(composer.projected(squeezed, "W_grid_1", "b_grid_1")),
                     "the hidden layer of each offset");
    const Expression biases = composer.projected(units, "W_grid_2");
    return offsets.of_pairs(composer,
                            composer.let("offset_biases", is_released ? 16 * sigmoid_of(biases) : biases,
                                         "a number for each head"));
}

}  // namespace

PositionComponent declare_positions_grid_bias() {
    PositionComponent component;
    component.meaning =
        "s + B_h[Δy, Δx]: a learned number for each offset of rows and columns (Swin, Liu et al. 2021), or "
        "a small network of their logarithms (Swin V2, Liu et al. 2022)";
    component.options = {
        columns_option(),
        count_option("window", "Window w", 4, {1, 64},
                     "Side of a window in cells: the table has a row for each offset between two of its "
                     "cells, (2 w − 1)² in all, and farther ones share its outermost. The form “released” "
                     "divides by w − 1; “continuous” does not read it."),
        word_option("form", "Form", {"table", "continuous", "released"},
                    "A table; or a network G(sign Δ ln(1 + |Δ|)), as Swin V2’s paper has it; or, as in its "
                    "released code, 16 σ(G(sign Δ log₂(1 + 8 |Δ| / (w − 1)) / 3))."),
        count_option("hidden", "Hidden units", 32, logarithmic_range(1, 512),
                     "Width of the network; Swin V2 has 512. A table has none.")};
    component.known_parameters = {{"grid_table", "[(2 w − 1)², h]", "the bias of each offset, row by row"},
                                  {"W_grid_1", "[2, hidden]", "first layer of the network of offsets"},
                                  {"b_grid_1", "[hidden]", "is added before its ReLU"},
                                  {"W_grid_2", "[hidden, h]", "second layer, one bias for each head"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        if (is_grid_table(plan)) {
            const Index side = 2 * grid_window_side(plan) - 1;
            list.add("grid_table", {side * side, plan.heads});
            return;
        }
        list.add("W_grid_1", {2, grid_hidden_units(plan)});
        list.add("b_grid_1", {grid_hidden_units(plan)});
        list.add("W_grid_2", {grid_hidden_units(plan), plan.heads});
    };
    component.has_bias = true;
    component.define_bias = define_grid_bias;
    return component;
}

}  // namespace headlight
