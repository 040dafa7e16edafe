#include "core/attention/component.h"
#include "core/attention/selections/kept_pairs.h"

namespace headlight {
namespace {

std::optional<Expression> define_upper_half(Composer& composer, const Expression& scores) {
    const Expression largest = maximum_of_columns(composer.open_or_forbidden(scores)),
                     smallest = -maximum_of_columns(composer.open_or_forbidden(-scores));
    return and_allowed(composer, is_at_least(scores, (largest + smallest) / 2));
}

}  // namespace

SelectionComponent declare_selections_upper_half() {
    SelectionComponent component;
    component.reads_no_keys = true;
    component.meaning = "keys whose score is nearer to the largest of its row than to the smallest";
    component.orders_scores = true;
    component.define = define_upper_half;
    return component;
}

}  // namespace headlight
