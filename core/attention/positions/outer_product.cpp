#include "core/attention/algorithms/image_grid.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/positions/pair_places.h"

#include <algorithm>

namespace headlight {
namespace {

Index residues_of_row(const Plan& plan) { return plan.position().count("columns"); }
Index outer_width(const Plan& plan) { return plan.position().count("width"); }

/// What all rows have in the column of each place, side by side: [.., n, rows · width]; 0 where a row ends
/// before it. The products of two places are then the sums of those of each row.
Expression rows_beside_each_other(Composer& composer, const std::string& side, const Expression& said,
                                  const ImageGrid& grid) {
    const Index n = grid.places(), width = said.extent().columns, all = grid.rows() * width;
    const auto is_there = [=](Index place, Index column) {
        return grid.has(column / width, grid.column(place));
    };
    const Expression has =
        composer.truth_of_places(side + "_is_in_row", {0, n, all}, "1 where a row has the column",
                                 [=](Place at) { return is_there(at.row, at.column); });
    const auto read = [=](Index place, Index column) {
        return is_there(place, column) ? grid.place(column / width, grid.column(place)) : 0;
    };
    const auto number = [=](Index column) { return column % width; };
    return composer.let(side + "_of_rows",
                        choose(has, pick(said, places_of(n, all, read), {1, all, {all, number}}), 0),
                        "what all rows have in its column");
}

/// A number for each two columns of an alignment, from the mean over its rows of the outer products of what
/// stands there (Jumper et al. 2021, algorithms 7 and 10).
Expression define_outer_product(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const ImageGrid grid(plan.queries, residues_of_row(plan));
    const Index n = plan.queries;
    const Expression tokens = of_seen_keys(composer, composer.query_tokens);
    const Expression first = composer.let("outer_first", composer.projected(tokens, "W_outer_first"),
                                          "what a place says as the first of a pair");
    const Expression second = composer.let("outer_second", composer.projected(tokens, "W_outer_second"),
                                           "what it says as the second");
    const Expression mixed =
        composer.let("outer_mixed", product(first, composer.matrices_of_heads("W_pairs")),
                     "through the matrix of the outer product");
    const Expression counts =
        composer.of_places("rows_of_pairs", {0, n, n}, "how many rows have both columns", [=](Place at) {
            return static_cast<double>(std::min(grid.places_in_column(grid.column(at.row)),
                                                grid.places_in_column(grid.column(at.column))));
        });
    return product_transposed(rows_beside_each_other(composer, "first", mixed, grid),
                              rows_beside_each_other(composer, "second", second, grid)) /
           counts;
}

}  // namespace

PositionComponent declare_positions_outer_product() {
    PositionComponent component;
    component.meaning =
        "s + b_ij, b a number for each two columns of an alignment, made of the mean over its rows r of the "
        "outer products of x_ri A and x_rj B; the tokens fill the rows one after another (Jumper et al. "
        "2021, AlphaFold 2: rows of an alignment with a bias from pairs)";
    Option columns = columns_option();
    columns.label = "Columns of the alignment";
    columns.help =
        "How many places each sequence of the alignment has; token t is place t mod columns of sequence ⌊t / "
        "columns⌋.";
    component.options = {
        columns, count_option("width", "Width of the outer products", 4, logarithmic_range(1, 512),
                              "How many numbers a place has as the first and as the second of a pair.")};
    component.known_parameters = {{"W_outer_first", "[d, width]", "what a place says as the first of a pair"},
                                  {"W_outer_second", "[d, width]", "what it says as the second"},
                                  {"W_pairs", "[h width, width], head below head",
                                   "makes a number of the outer product of two places"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = outer_width(plan);
        list.add("W_outer_first", {plan.tokens.query_width, width});
        list.add("W_outer_second", {plan.tokens.query_width, width});
        list.add("W_pairs", {plan.heads * width, width});
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "outer_product positions", "pairs are of columns of one alignment");
    };
    component.has_bias = true;
    component.define_bias = define_outer_product;
    return component;
}

}  // namespace headlight
