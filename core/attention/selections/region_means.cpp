#include "core/attention/component.h"
#include "core/attention/grid.h"
#include "core/attention/selections/kept_pairs.h"
#include "core/attention/selections/token_groups.h"

#include <algorithm>
#include <cstdint>

namespace headlight {
namespace {

/// Tokens of an image, row by row, in square regions, which are counted row by row as well; those at the
/// right and at the bottom may be cut.
SharedGroups regions_of(const Composer& composer, const std::vector<std::uint8_t>& real) {
    const Grid grid{selection_count(composer, "columns")};
    const Index side = selection_count(composer, "side"),
                in_a_row = parts_of_size(std::min<Index>(grid.columns, std::ssize(real)), side);
    return grouped_tokens(
        real, [=](Index token) { return grid.row(token) / side * in_a_row + grid.column(token) / side; });
}

/// All heads side by side, [tokens, h d]; one that all read for each.
Expression heads_side_by_side(const Composer& composer, const Expression& vectors) {
    const bool is_of_all = composer.heads > 1 && vectors.extent().matrices() == 1;
    return join_heads(
        is_of_all ? take_heads(vectors, std::vector<Index>(static_cast<std::size_t>(composer.heads), 0))
                  : vectors);
}

/// All keys of the regions whose mean keys have the largest products with the mean query of the own one (Zhu
/// et al. 2023, section 3.2).
std::optional<Expression> define_region_means(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const SharedGroups asking = regions_of(composer, mask_of_real_queries(plan)),
                       known = regions_of(composer, real_keys(plan));
    const Expression queries =
        write_group_means(composer, "region_query", heads_side_by_side(composer, composer.query), asking,
                          "the mean query of each region, all heads");
    const Expression keys =
        write_group_means(composer, "region_key", heads_side_by_side(composer, composer.key), known,
                          "the mean key of each region, all heads");
    composer.let("region_products", product_transposed(queries, keys), "of the means of two regions");
    const Expression comparable = choose(groups_that_meet(composer, "regions_meet", asking, known),
                                         products_in_order(queries, keys), minus_infinity());
    const auto kept = static_cast<double>(selection_count(composer, "regions"));
    const Expression best = composer.let("regions_kept", as_number(is_above(kept, rank_of(comparable))),
                                         "1 for the regions of keys that a region of queries keeps");
    const Expression pairs =
        composer.let("region_pairs", of_token_pairs(best, asking, known), "1 for their pairs");
    return and_allowed(composer, is_above(pairs, 0.5));
}

}  // namespace

SelectionComponent declare_selections_region_means() {
    SelectionComponent component;
    component.meaning = "for each square of a grid the keys of those whose mean key has the largest products "
                        "with its mean query; "
                        "of all heads together, of equal ones the first (bi-level routing, Zhu et al. 2023)";
    component.options = {columns_option(),
                         count_option("side", "Side of a region", 2, {1, 4096},
                                      "How many rows and columns of the grid a region has. BiFormer has 7 × "
                                      "7 regions, whatever the size of the image."),
                         count_option("regions", "Regions kept k", 2, token_counts,
                                      "How many regions of keys each region of queries sees; BiFormer has 1, "
                                      "4 and 16 in its first layers and all in the last ones.")};
    component.check = [](const Plan& plan) { require_one_width(plan, "region_means"); };
    component.couples_queries = always;
    component.declared_stages = {
        made_stage("region_products", "Products of regions", {"mean query · mean key, of all heads"},
                   between_parts("region", "region", {.lights = "region_pairs"})),
        made_stage("region_pairs", "Regions that meet",
                   {"1 for pairs of a region and one that it keeps",
                    {{"region_products"}},
                    "k largest of\neach row\n→"},
                   {.lights = "weights", .role = StageRole::weights, .is_share = true})};
    component.define = define_region_means;
    return component;
}

}  // namespace headlight
