#include "core/attention/component.h"
#include "core/attention/defined_rows.h"

namespace headlight {
namespace {

constexpr double learned_span = -1;  // no span is shorter than 0

bool span_is_learned(const Plan& plan) { return plan.normalizer().number("span") == learned_span; }

/// m(x) = clip((R + z − x) / R, 0, 1) of how far back each key is.
Expression soft_span(DefinedRows& rows) {
    const auto ramp = static_cast<double>(rows.options().count("ramp"));
    const Expression span = larger_of(rows.of_head("span", learned_span, "z_span"), 0);
    const Expression distance =
        rows.let("distance_back", larger_of(rows.composer.query_places() - rows.composer.key_places(), 0),
                 "places from the key to the query; 0 for keys after it");
    return rows.let("span_mask", smaller_of(larger_of((ramp + span - distance) / ramp, 0), 1),
                    "1 within the span, then down to 0");
}

Expression define_adaptive_span(DefinedRows& rows) {
    const Expression mask = soft_span(rows);
    // The largest score beyond the span must not make those within it vanish.
    rows.scores = choose(is_above(mask, 0), rows.scores, minus_infinity());
    rows.has_forbidden = true;
    rows.may_be_empty = true;
    const Expression exponentials =
        rows.let("spanned_exponentials", mask * rows.exponentials(), "m(i − j) exp(score − largest score)");
    return rows.divided(exponentials,
                        rows.let("row_sum", sum_of_columns(exponentials), "the sum of each row"));
}

}  // namespace

NormalizerComponent declare_normalizers_adaptive_span() {
    NormalizerComponent component;
    component.phrase = "softmax within a soft span";
    component.meaning =
        "m(i − j) exp(s) / Σ m(i − k) exp(s), m(x) = clip((R + z − x) / R, 0, 1): each head learns how far "
        "back it looks (Sukhbaatar et al. 2019)";
    component.options = {
        number_option("span", "Span z", learned_span, {learned_span, 4096},
                      "How many places back a key may be and still count in full.", "learned for each head"),
        count_option("ramp", "Ramp R", 32, logarithmic_range(1, 4096),
                     "Over how many places beyond the span keys fade to nothing; 1 is a window.")};
    component.known_parameters = {{"z_span", "[h]", "how many places back each head looks in full"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        if (span_is_learned(plan))  // from 0, as in the authors' code: the ramp alone
            list.add("z_span", {plan.heads}, 0.0);
    };
    component.reads_place = true;
    component.declared_stages = {
        made_stage("span_mask", "Soft span", {"1 within z places, then down to 0 within R more"},
                   {.lights = "weights", .role = StageRole::weights, .is_share = true}),
        made_stage(
            "spanned_exponentials", "Exponentials within the span", {"m × exp(score − row’s maximum)"},
            {.lights = "weights", .role = StageRole::weights, .is_share = true, .leaves_out_masked = true}),
        made_stage("row_sum", "Row sum", {}, {.lights = "weights", .role = StageRole::row})};
    component.define = define_adaptive_span;
    return component;
}

}  // namespace headlight
