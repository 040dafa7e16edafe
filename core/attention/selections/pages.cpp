#include "core/attention/key_blocks.h"
#include "core/attention/selections/kept_pairs.h"

#include <algorithm>

namespace headlight {
namespace {

/// The smallest and the largest number of each feature, side by side: with them, no key of the page can have
/// a larger product with the query than sum_c max(q_c min_c, q_c max_c), one of which the sign of q_c picks.
struct Bounds {
    static Index size(Index d) { return 2 * d; }
    static void begin(double* bounds, Index d) {
        for (Index c = 0; c < d; ++c) {
            bounds[2 * c] = std::numeric_limits<double>::infinity();
            bounds[2 * c + 1] = -std::numeric_limits<double>::infinity();
        }
    }
    static void include(double* bounds, const auto* key, Index d) {
        for (Index c = 0; c < d; ++c) {
            bounds[2 * c] = std::min(bounds[2 * c], static_cast<double>(key[c]));
            bounds[2 * c + 1] = std::max(bounds[2 * c + 1], static_cast<double>(key[c]));
        }
    }
    static void finish(double*, Index, Index) {}
    static void ask(const auto* query, Index d, double* asked) {
        for (Index c = 0; c < d; ++c) {
            const auto q = static_cast<double>(query[c]);
            asked[2 * c] = std::min(q, 0.0);
            asked[2 * c + 1] = std::max(q, 0.0);
        }
    }
};

std::optional<Expression> define_pages(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const Index size = selection_count(composer, "size");
    std::vector<Expression> bounds;
    for (Index block = 0; block < blocks_of(composer, size); ++block) {
        const std::string number = std::to_string(block + 1);
        std::optional<Expression> most;
        for (Index key = block * size; key < std::min((block + 1) * size, plan.keys); ++key) {
            const Expression row = composer.let(numbered("key_", key + 1), some_rows(composer.key, {key}));
            Expression term = composer.query * row;
            if (composer.mask_excludes())
                term = choose(some_columns(composer.allowed(), {key}), term, minus_infinity());
            const Expression named = composer.let(numbered("products_", key + 1), term);
            most = most ? larger_of(*most, named) : named;
        }
        const Expression largest =
            composer.let("largest_" + number, *most, "of the page, feature by feature");
        bounds.push_back(composer.let("bound_" + number, sum_of_columns(largest),
                                      "no key of the page can have a larger q · k"));
    }
    const Expression all = composer.let("bounds_of_pages", join_columns(bounds));
    return best_blocks(composer, all, size, selection_count(composer, "pages"));
}

}  // namespace

SelectionComponent declare_selections_pages() {
    SelectionComponent component;
    component.meaning =
        "keys of as many pages as are set: those with the largest Σ_c max(q_c min_c, q_c max_c), a bound "
        "on the product of the query with their keys; of equal ones the first (Quest, Tang et al. 2024)";
    component.options = {count_option("size", "Page", 3, token_counts,
                                      "How many keys a page has; the last may have fewer. The paper has 16."),
                         count_option("pages", "Pages kept", 2, {1, 65536},
                                      "How many pages a query reads: at most pages × size keys.")};
    component.check = [](const Plan& plan) { require_one_width(plan, "pages"); };
    component.stages = [](const Plan&, StageList& list) { list.add_map("page_bounds"); };
    component.memory = [](const Plan& plan, const RunNeeds&) {
        return select_blocks_memory(plan, plan.selection().count("size"),
                                    Bounds::size(plan.head_key_width()));
    };
    component.declared_stages = {
        made_stage("page_bounds", "Bounds of the pages", {},
                   {.said = "sum of max(q_c min_c, q_c max_c) over the features: no key of the page that "
                            "this query sees has a larger q · k"})};
    component.steps = [](const Plan& plan, auto& pipeline) {
        const Options& options = plan.selection();
        select_blocks<Bounds>(
            plan, pipeline,
            {.size = options.count("size"), .kept = options.count("pages"), .stage = "page_bounds"});
    };
    component.define = define_pages;
    return component;
}

}  // namespace headlight
