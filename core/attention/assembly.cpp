#include "core/attention/assembly.h"

#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/attention/kernel_scores.h"
#include "core/attention/options.h"
#include "core/attention/scores/defined_scores.h"

#include <cstdint>
#include <vector>

namespace headlight {
namespace {

/// The scale of the score alone.
Expression own_scale(Composer& composer) {
    const Plan& plan = composer.plan;
    const ScoreComponent* component = component_of(plan.spec.score.type);
    const auto define_scale =
        component ? component->define_scale : kernel_score(plan.spec.score.type)->define_scale;
    if (define_scale)
        return define_scale(composer);
    return component && component->scale ? component->scale(plan) : 1;
}

/// What the first of the rows that are written one after another sees: nothing where they see a sum, else
/// uniform weights.
Expression seen_before_all(Composer& composer, bool sees_sum) {
    const Plan& plan = composer.plan;
    const auto start = [&plan, sees_sum](Index, Index, Index column) {
        if (sees_sum)
            return 0.0;
        const auto open = plan.allowed.row(0);
        Index count = 0;
        for (const std::uint8_t each : open)
            count += plan.spec.mask_value || each;
        const bool is_open = plan.spec.mask_value || open[static_cast<std::size_t>(column)];
        return is_open && count > 0 ? 1 / static_cast<double>(count) : 0.0;
    };
    return composer.constant("seen_before", {composer.heads, 1, plan.keys}, "weights before the first query",
                             start);
}

}  // namespace

std::optional<Expression> write_scores(Composer& composer) {
    const ScoreType type = composer.plan.spec.score.type;
    const ScoreComponent* component = component_of(type);
    if (!component)
        return kernel_score(type)->define(composer);
    if (!component->define)
        return {};
    return component->define(composer);
}

Expression scale_of_scores(Composer& composer) {
    const Expression scale = own_scale(composer);
    const PositionComponent* position = position_with(composer.plan.spec, &PositionComponent::define_scale);
    return position ? position->define_scale(composer, scale) : scale;
}

Expression write_weights(Composer& composer, const Expression& scores, const std::string& name,
                         const std::string& suffix) {
    DefinedRows rows(composer, scores, suffix);
    return composer.let(name, define_weights(rows), "what each query gives to each key");
}

Expression write_weights_row_by_row(Composer& composer) {
    const Plan& plan = composer.plan;
    const ScoreComponent& score = *component_of(plan.spec.score.type);
    const auto define_row = score.define_rows(composer);
    const bool sees_sum = score.sees_sum && score.sees_sum(plan);
    Expression seen = seen_before_all(composer, sees_sum);
    std::vector<Expression> rows;
    for (Index query = 0; query < plan.queries; ++query) {
        const std::string suffix = numbered("_", query + 1);
        const Expression raw = define_row({query, seen, suffix});
        const Expression scores = write_final_scores(composer, raw, query, suffix);
        const Expression row = write_weights(composer, scores, "weights" + suffix, suffix);
        rows.push_back(row);
        if (query + 1 < plan.queries)
            seen = sees_sum && query > 0
                       ? composer.let("seen" + suffix, seen + row, "the sum of the rows so far")
                       : row;
    }
    return join_rows(rows);
}

}  // namespace headlight
