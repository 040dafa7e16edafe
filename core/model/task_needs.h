#pragma once

#include "core/model/architecture.h"
#include "core/model/tasks/task.h"

namespace headlight {

// What several architectures need of a task.

inline constexpr TaskNeed no_order{[](const Task& task) { return task.reads_set; },
                                   "its answers change with the order of the source"};

}  // namespace headlight
