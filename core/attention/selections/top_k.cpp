#include "core/attention/component.h"
#include "core/attention/pipeline.h"
#include "core/attention/selections/kept_pairs.h"

#include <algorithm>
#include <limits>

namespace headlight {
namespace {

std::optional<Expression> define_top_k(Composer& composer, const Expression& scores) {
    const Index k = std::min(selection_count(composer, "k"), composer.plan.keys);
    const Expression sorted = composer.let("sorted_scores", descending(composer.open_or_forbidden(scores)),
                                           "each row, the largest first");
    return and_allowed(composer, is_at_least(scores, some_columns(sorted, {k - 1})));
}

}  // namespace

SelectionComponent declare_selections_top_k() {
    SelectionComponent component;
    component.reads_no_keys = true;
    component.meaning =
        "keys whose score is among the k largest of the row; ties with the k-th stay (Zhao et al. 2019)";
    component.options = {
        count_option("k", "Keys kept", 3, token_counts, "How many keys of a row keep a weight.")};
    component.orders_scores = true;
    component.steps = [](const Plan& plan, auto& pipeline) {
        pipeline.select.push_back([k = plan.selection().count("k")](const auto& row, const Recorder&) {
            using Real = std::remove_reference_t<decltype(row.values[0])>;
            if (k >= row.size)
                return;
            std::vector<Real> sorted(row.values, row.values + row.size);
            std::ranges::nth_element(sorted, sorted.begin() + (k - 1), std::ranges::greater());
            const Real smallest = sorted[static_cast<std::size_t>(k - 1)];
            for (Index key = 0; key < row.size; ++key)
                if (row.values[key] < smallest)
                    row.values[key] = -std::numeric_limits<Real>::infinity();
        });
    };
    component.define = define_top_k;
    return component;
}

}  // namespace headlight
