#include "core/model/step_rows.h"

#include <algorithm>

namespace headlight {

StepRows step_rows(const std::vector<const SiteStep*>& steps) {
    StepRows all{.heads = steps.front()->heads};
    for (const SiteStep* step : steps) {
        all.rows += step->weights.rows() / all.heads;
        all.columns = std::max(all.columns, step->weights.cols());
    }
    return all;
}

}  // namespace headlight
