#include "core/attention/component.h"
#include "core/attention/grid.h"
#include "core/attention/selected_keys.h"
#include "core/attention/selections/kept_pairs.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace headlight {
namespace {

/// Tokens of an image, row by row, in square regions, which are counted row by row as well; those at the
/// right and at the bottom may be cut.
struct ImageRegions {
    Grid grid;
    Index side, tokens;

    Index columns() const { return std::min(grid.columns, tokens); }
    Index in_a_row() const { return (columns() + side - 1) / side; }
    Index of(Index token) const { return grid.row(token) / side * in_a_row() + grid.column(token) / side; }
    Index count() const { return (grid.row(tokens - 1) / side + 1) * in_a_row(); }
    /// Whether `holds` is true of a token of the region.
    template <class Holds>
    bool has_one(Index region, const Holds& holds) const {
        const Index top = region / in_a_row() * side, left = region % in_a_row() * side;
        for (Index row = top; row < top + side; ++row)
            for (Index column = left; column < std::min(left + side, columns()); ++column) {
                const Index token = row * grid.columns + column;
                if (token < tokens && holds(token))
                    return true;
            }
        return false;
    }
};

/// The mean vector of each region, [regions, h d], of all heads side by side, of the tokens that are no
/// padding; 0 where a region is padding alone.
Expression write_region_means(Composer& composer, const std::string& name, const Expression& vectors,
                              const ImageRegions& regions, const std::vector<std::uint8_t>& real) {
    std::vector<Index> members(static_cast<std::size_t>(regions.count()), 0);
    for (Index token = 0; token < regions.tokens; ++token)
        members[static_cast<std::size_t>(regions.of(token))] += real[static_cast<std::size_t>(token)];
    const Expression shares = composer.of_places(
        name + "_shares", {0, regions.count(), regions.tokens}, "means of each region",
        [regions, real, members](Place at) {
            const bool is_in =
                regions.of(at.column) == at.row && real[static_cast<std::size_t>(at.column)] != 0;
            return is_in ? 1 / static_cast<double>(members[static_cast<std::size_t>(at.row)]) : 0.0;
        });
    Expression counted_vectors = join_heads(vectors);
    if (std::ranges::find(real, 0) != real.end())
        counted_vectors = choose(
            composer.truth(name + "_counted", {0, regions.tokens, 1}, "tokens that are no padding",
                           [real](Index row, Index) { return real[static_cast<std::size_t>(row)] != 0; }),
            counted_vectors, 0);
    return composer.let(name, product(shares, counted_vectors), "the mean of each region, all heads");
}

/// All keys of the regions whose mean keys have the largest products with the mean query of the own one (Zhu
/// et al. 2023, equations 3 to 5).
std::optional<Expression> define_region_means(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries, m = plan.keys;
    const Grid grid{selection_count(composer, "columns")};
    const ImageRegions asking{grid, selection_count(composer, "side"), n}, known{grid, asking.side, m};
    const std::vector<std::uint8_t> real = real_keys(plan);
    const std::vector<std::uint8_t> real_queries =
        plan.spec.source.type == SourceType::self
            ? real
            : std::vector<std::uint8_t>(static_cast<std::size_t>(n), std::uint8_t(1));
    const Expression queries =
        write_region_means(composer, "region_query", composer.query, asking, real_queries);
    const Expression keys = write_region_means(composer, "region_key", composer.key, known, real);
    composer.let("region_products", product_transposed(queries, keys), "of the means of two regions");
    const Expression meet =
        composer.truth("regions_meet", {0, asking.count(), known.count()},
                       "some query of the one sees some key of the other",
                       [asking, known, may_meet = composer.may_meet,
                        excludes = composer.mask_excludes()](Index row, Index column) {
                           return !excludes || asking.has_one(row, [&](Index query) {
                               return known.has_one(column, [&](Index key) { return may_meet(query, key); });
                           });
                       });
    // By means over their largest numbers, whose products neither vanish nor overflow.
    const Expression comparable =
        product_transposed(over_largest(queries), keys / not_zero(maximum_of_rows(largest_amount(keys))));
    const auto kept = static_cast<double>(selection_count(composer, "regions"));
    const Expression best = composer.let(
        "regions_kept", as_number(is_above(kept, rank_of(choose(meet, comparable, minus_infinity())))),
        "1 for the regions of keys that a region of queries keeps");
    const Expression pairs =
        composer.let("region_pairs",
                     pick(best, {n, 1, {n, [asking](Index query) { return asking.of(query); }}},
                          {1, m, {m, [known](Index key) { return known.of(key); }}}),
                     "1 for their pairs");
    return and_allowed(composer, is_above(pairs, 0.5));
}

}  // namespace

SelectionComponent declare_selections_region_means() {
    SelectionComponent component;
    component.type = SelectionType::region_means;
    component.word = "region_means";
    component.meaning =
        "for each square region of a grid all keys of the regions whose mean keys have the largest products "
        "with its mean query, of all heads together; of equal ones the first (bi-level routing, Zhu et al. "
        "2023)";
    component.options = {columns_option(),
                         {.name = "side",
                          .label = "Side of a region",
                          .standard = Index(2),
                          .minimum = 1,
                          .maximum = 4096,
                          .help = "How many rows and columns of the grid a region has. BiFormer has 7 × 7 "
                                  "regions, whatever the size of the image."},
                         {.name = "regions",
                          .label = "Regions kept k",
                          .standard = Index(2),
                          .minimum = 1,
                          .maximum = 65536,
                          .logarithmic = true,
                          .help = "How many regions of keys each region of queries sees; BiFormer has 1, 4 "
                                  "and 16 in its first layers and all in the last ones."}};
    component.check = [](const Plan& plan) { require_one_width(plan, "region_means"); };
    component.couples_queries = [](const AttentionSpec&) { return true; };
    component.declared_stages = {{.name = "region_products",
                                  .title = "Products of regions",
                                  .subtitle = "mean query · mean key, of all heads",
                                  .lights = "region_pairs",
                                  .is_of_features = true,
                                  .has_features = true,
                                  .row = "region",
                                  .column = "region"},
                                 {.name = "region_pairs",
                                  .title = "Regions that meet",
                                  .subtitle = "1 for pairs of a region and one that it keeps",
                                  .lights = "weights",
                                  .role = StageRole::weights,
                                  .is_share = true}};
    component.define = define_region_means;
    return component;
}

}  // namespace headlight
