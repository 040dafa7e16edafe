#pragma once

#include "core/model/tasks/task.h"

namespace headlight {

/// What each file of entries/ defines: `Task declare_task_<file name>()`.
using TaskDeclaration = Task();

/// All of them, in no particular order; written by CMake from the file names.
std::span<TaskDeclaration* const> task_declarations();

}  // namespace headlight
