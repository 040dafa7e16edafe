#pragma once

#include "core/model/tasks/task.h"
#include "core/tensor/declaration.h"

#include <span>

namespace headlight {

/// What the files of entries/ define, each `Task declare_task_<file name>()`, by their names.
std::span<const Declaration<Task>> task_declarations();

}  // namespace headlight
