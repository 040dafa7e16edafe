#pragma once

#include <string>

namespace headlight {

// A bare word that is neither a name of ours nor a file is a slip of usage; a path that leads nowhere is bad
// input.

/// Throws UsageError for such a word in the place of a model, or of a lesson.
void refuse_unknown_model(const std::string& typed);
void refuse_unknown_lesson(const std::string& typed);

}  // namespace headlight
