#pragma once

#include <string>

namespace headlight {

/// docs/tasks.md: a chapter on each task, from its declaration, with held-out rows.
std::string tasks_markdown();

}  // namespace headlight
