#pragma once

#include "core/io/session_model.h"
#include "core/model/generator.h"
#include "tests/support/small_models.h"

#include <map>
#include <memory>

namespace headlight::test {

/// What a small model does with a text of its task: once, as many rows ask for the same.
inline const Trace& trace_of_model(const SmallModel& small) {
    static std::map<SmallModel, Trace> kept;
    const auto found = kept.find(small);
    if (found != kept.end())
        return found->second;
    const auto model = std::make_shared<const TrainedModel>(small_trained(small));
    GenerationRequest request;
    request.source = example_source(*model->model, 0);
    return kept.emplace(small, trace_of(*Generator(model).generate(request), small.name)).first->second;
}

}  // namespace headlight::test
