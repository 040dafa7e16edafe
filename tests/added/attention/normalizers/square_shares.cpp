#include "core/attention/component.h"
#include "core/attention/defined_rows.h"

namespace headlight {
namespace {

Expression define_square_shares(DefinedRows& rows) {
    const Expression s = rows.open_scores();
    const Expression squares = rows.let("squares", rows.open_only(1 + s * s), "1 + score²");
    return squares / not_zero(rows.let("sum_of_squares", sum_of_columns(squares), "the sum of each row"));
}

}  // namespace

NormalizerComponent declare_normalizers_square_shares() {
    NormalizerComponent component;
    component.phrase = "1 + score² ÷ its row’s sum";
    component.meaning = "(1 + s²) / Σ (1 + s²)";
    component.declared_stages = {
        made_stage("squares", "1 + score²", {}, {.lights = "weights", .role = StageRole::scores}),
        made_stage("sum_of_squares", "Row sum", {}, {.lights = "weights", .role = StageRole::row})};
    component.define = define_square_shares;
    return component;
}

}  // namespace headlight
