#include "core/attention/algorithms/gated_image.h"
#include "core/attention/algorithms/image_grid.h"

namespace headlight {
namespace {

/// [rows + columns, places]: what means over each row of the grid, then over each column, are made with.
Expression means_of_lines(Composer& composer, const ImageGrid& grid) {
    const Index rows = grid.rows();
    return composer.of_places("line_means", {0, rows + grid.columns(), grid.places()},
                              "means over the rows of the grid, then over its columns", [=](Place at) {
                                  if (at.row < rows)
                                      return grid.row(at.column) == at.row
                                                 ? 1 / static_cast<double>(grid.places_in_row(at.row))
                                                 : 0.0;
                                  const Index column = at.row - rows;
                                  return grid.column(at.column) == column
                                             ? 1 / static_cast<double>(grid.places_in_column(column))
                                             : 0.0;
                              });
}

/// x min(max(x + 3, 0), 6) / 6
Expression hard_swish(const Expression& x) { return x * (smaller_of(larger_of(x + 3, 0), 6) / 6); }

/// Each number times the gate of its row and that of its column (Hou et al. 2021).
Expression define_coordinate(Composer& composer) {
    const ImageGrid grid(composer.plan);
    const Index rows = grid.rows(), places = grid.places();
    const Expression squeeze =
        composer.let("line_squeeze", product(means_of_lines(composer, grid), composer.query),
                     "each channel over each row of the grid, then over each column");
    const Expression hidden = composer.let(
        "hidden", hard_swish(composer.let("hidden_input", composer.projected(squeeze, "W_squeeze"))),
        "one layer for rows and columns");
    const Expression of_rows = composer.let(
        "row_gate", sigmoid_of(product(some_rows(hidden, counted(0, rows)), composer.parameter("W_rows"))),
        "what each row of the grid is multiplied by");
    const Expression of_columns =
        composer.let("column_gate",
                     sigmoid_of(product(some_rows(hidden, counted(rows, grid.columns())),
                                        composer.parameter("W_columns"))),
                     "what each column of the grid is multiplied by");
    std::vector<Index> row, column;
    for (Index place = 0; place < places; ++place) {
        row.push_back(grid.row(place));
        column.push_back(grid.column(place));
    }
    const Expression gates =
        composer.let("feature_gates", some_rows(of_rows, row) * some_rows(of_columns, column),
                     "the gate of the row times that of the column");
    write_gates_as_weights(composer, gates);
    return composer.let("context", composer.query * gates, "every number times its gate");
}

}  // namespace

AlgorithmComponent declare_algorithms_coordinate() {
    AlgorithmComponent component;
    component.meaning =
        "o = x ∘ g_row ∘ g_column on a grid that the tokens fill row by row: means over each row and over "
        "each column go through one layer, and a second one for each makes their gates (Hou et al. 2021); "
        "places that an incomplete last row lacks count in no mean; the weights shown are a diagonal, the "
        "mean gate";
    component.options = {columns_option(), reduction_option()};
    component.known_parameters = {{"W_squeeze", "[C, C / reduction] per head, shared by the heads",
                                   "the layer that rows and columns share"},
                                  {"W_rows", "[C / reduction, C] per head, shared by the heads",
                                   "makes the gates of the rows of a grid"},
                                  {"W_columns", "[C / reduction, C] per head, shared by the heads",
                                   "makes the gates of the columns of a grid"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index channels = plan.head_query_width(), hidden = hidden_width(plan);
        list.add("W_squeeze", {channels, hidden});
        list.add("W_rows", {hidden, channels});
        list.add("W_columns", {hidden, channels});
    };
    component.check = [](const Plan& plan) { check_gated_image(plan, "coordinate"); };
    component.makes_keys_and_values = true;
    component.declared_stages = {
        made_stage("line_squeeze", "Rows and columns, squeezed",
                   {"the mean of each channel over each row, then each column",
                    {{"query"}},
                    "mean of\neach line\n→"},
                   {.lights = "hidden", .is_of_features = true}),
        made_stage("hidden", "Hidden layer", {"", {{"line_squeeze"}}, "× W,\nh-swish\n→"},
                   {.lights = "feature_gates", .is_of_features = true}),
        made_stage("row_gate", "Gates of the rows", {"", {{"hidden"}}, "× W, σ\n→"},
                   {.lights = "feature_gates", .is_of_features = true, .is_share = true}),
        made_stage("column_gate", "Gates of the columns", {"", {{"hidden"}}, "× W, σ\n→"},
                   {.lights = "feature_gates", .is_of_features = true, .is_share = true}),
        made_stage("feature_gates", "Gates of the features",
                   {"the gate of its row times that of its column",
                    {{"row_gate"}, {"column_gate", "∘"}},
                    "at each\nplace\n→"},
                   {.lights = "output", .is_share = true}),
        declared_gates_as_weights(),
        declared_gated_features()};
    component.define = define_coordinate;
    return component;
}

}  // namespace headlight
