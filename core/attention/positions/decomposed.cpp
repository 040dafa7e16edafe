#include "core/attention/component.h"
#include "core/attention/grid.h"
#include "core/attention/positions/pair_places.h"

#include <algorithm>

namespace headlight {
namespace {

Index decomposed_offsets(const Plan& plan) { return 2 * plan.position().count("window") - 1; }

/// q_i · R[Δy] + q_i · R[Δx]: a query meets the vectors of both tables once.
Expression define_decomposed(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const Grid grid{plan.position().count("columns")};
    const auto row_of = [most = decomposed_offsets(plan) / 2](Index offset) {
        return std::clamp(offset, -most, most) + most;
    };
    const Expression of_rows =
        composer.let("row_answers", product_transposed(composer.query, composer.parameter("R_h")),
                     "what each query asks of each offset of rows");
    const Expression of_columns =
        composer.let("column_answers", product_transposed(composer.query, composer.parameter("R_w")),
                     "what each query asks of each offset of columns");
    const Expression down =
        composer.let("row_scores", by_distance(composer, of_rows, [=](Index query, Index key) {
                         return row_of(grid.row(query) - grid.row(key));
                     }));
    const Expression across =
        composer.let("column_scores", by_distance(composer, of_columns, [=](Index query, Index key) {
                         return row_of(grid.column(query) - grid.column(key));
                     }));
    if (!plan.position().flag("scaled"))
        return down + across;
    return (down + across) / root_of(static_cast<double>(plan.head_query_width()));
}

}  // namespace

PositionComponent declare_positions_decomposed() {
    PositionComponent component;
    component.meaning =
        "(q · k + q · R_h[Δy] + q · R_w[Δx]) / √d_k: a learned vector for each offset of rows and one for "
        "each offset of columns, which the query asks (MViTv2, Li et al. 2022; SAM, Kirillov et al. 2023)";
    component.options = {
        columns_option(),
        count_option("window", "Window w", 4, {1, 512},
                     "How many rows, and columns, an image has in the tables: each holds 2 w − 1 offsets, "
                     "and farther ones share its outermost."),
        flag_option("scaled", "Terms scaled", true,
                    "Whether both terms are divided by √d_k like the product, as in the paper’s equation; "
                    "the released code of MViTv2 and that of SAM add them as they are.")};
    component.known_parameters = {{"R_h", "[2 w − 1, d_k], shared by the heads",
                                   "is asked by the queries, by the query’s row minus the key’s"},
                                  {"R_w", "[2 w − 1, d_k], shared by the heads",
                                   "is asked by the queries, by the query’s column minus the key’s"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        for (const char* table : {"R_h", "R_w"})
            list.add(table, {decomposed_offsets(plan), plan.head_query_width()});
    };
    component.has_bias = true;
    component.stages = [](const Plan&, StageList& list) {
        list.add_map("row_scores");
        list.add_map("column_scores");
    };
    component.declared_stages = {
        {"row_scores", "Scores of the rows"},
        made_stage("column_scores", "Scores of the columns", {}, {.colours_of = "row_scores"})};
    component.define_bias = define_decomposed;
    return component;
}

}  // namespace headlight
