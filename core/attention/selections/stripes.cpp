#include "core/attention/component.h"
#include "core/attention/grid.h"
#include "core/attention/selections/kept_pairs.h"

namespace headlight {
namespace {

/// The first half of the heads looks along stripes of rows, the other one along stripes of columns.
bool is_of_rows(Index head, Index heads) { return 2 * head < heads; }

/// Keys in the query’s own stripe, [h, n, m].
std::optional<Expression> define_stripes(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const Grid grid{selection_count(composer, "columns")};
    const Index width = selection_count(composer, "width"), heads = plan.heads;
    const Expression kept = composer.truth_of_places(
        "in_stripe", {composer.heads, plan.queries, plan.keys}, "pairs of one stripe of the head",
        [=](Place at) {
            return is_of_rows(at.head, heads) ? grid.row(at.row) / width == grid.row(at.column) / width
                                              : grid.column(at.row) / width == grid.column(at.column) / width;
        });
    return and_allowed(composer, kept);
}

}  // namespace

SelectionComponent declare_selections_stripes() {
    SelectionComponent component;
    component.reads_no_keys = true;
    component.meaning =
        "keys in the query’s own stripe of a grid: for the first half of the heads so many rows, for the "
        "other half so many columns, together a cross (CSWin, Dong et al. 2022)";
    component.options = {columns_option(),
                         count_option("width", "Width of a stripe", 1, {1, 4096},
                                      "How many rows or columns of the grid a stripe has; CSWin has 1 in its "
                                      "first layers and wider ones in later ones.")};
    component.define = define_stripes;
    return component;
}

}  // namespace headlight
