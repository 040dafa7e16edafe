#pragma once

#include "core/io/session_model.h"
#include "core/model/generator.h"
#include "tests/support/small_models.h"

#include <memory>

namespace headlight::test {

/// What a small model does with a text of its task.
inline Trace trace_of_model(const SmallModel& small) {
    const auto model = std::make_shared<const TrainedModel>(small_trained(small));
    GenerationRequest request;
    request.source = example_source(*model->model, 0);
    return trace_of(*Generator(model).generate(request), small.name);
}

}  // namespace headlight::test
