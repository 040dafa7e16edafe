#include "core/attention/selections/key_shares.h"

namespace headlight {
namespace {

/// The keys of the largest weights of the softmax that come to p together, as few as will do.
std::optional<Expression> define_top_p(Composer& composer, const Expression& scores) {
    const double share = composer.plan.selection().number("p");
    const Expression shares = write_shares_of_scores(composer, scores, "full_shares");
    const Expression sorted =
        composer.let("sorted_shares", descending(shares), "each row, the largest first");
    const Expression count =
        composer.let("keys_for_p", count_for_share(sorted, share), "so many of the largest come to p");
    return and_allowed(composer, is_above(count, rank_of(shares)));
}

}  // namespace

SelectionComponent declare_selections_top_p() {
    SelectionComponent component;
    component.reads_no_keys = true;
    component.meaning =
        "the fewest keys of a row whose softmax weights come to p, the largest first, of equal ones the "
        "first (Twilight, Lin et al. 2025); a softmax says so, whatever normaliser follows";
    component.options = {
        number_option("p", "Share kept", 0.85, {0.01, 1},
                      "p: how much of the softmax’s weight the kept keys have before they share what is "
                      "left; 1 keeps all of them. The paper has 0.85 to 0.95.")};
    component.orders_scores = true;
    component.declared_stages = {declared_full_shares()};
    component.define = define_top_p;
    return component;
}

}  // namespace headlight
