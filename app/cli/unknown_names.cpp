#include "app/cli/unknown_names.h"

#include "app/cli/arguments.h"
#include "app/cli/offered_words.h"
#include "core/io/shipped_models.h"
#include "core/lesson/shipped_lessons.h"

#include <algorithm>
#include <filesystem>

namespace headlight {
namespace {

/// `open` refuses what is not there, in its own words.
template <class Open>
void refuse_unknown(const std::string& typed, const std::vector<std::string>& known, const Open& open) {
    std::error_code ignored;
    const bool is_path =
        typed.find_first_of("./") != std::string::npos || std::filesystem::exists(typed, ignored);
    if (is_path || std::ranges::find(known, typed) != known.end())
        return;
    try {
        open(typed);
    } catch (const Error& error) {
        throw UsageError(error);
    }
}

}  // namespace

void refuse_unknown_model(const std::string& typed) { refuse_unknown(typed, model_names(), open_model); }

void refuse_unknown_lesson(const std::string& typed) { refuse_unknown(typed, lesson_ids(), open_lesson); }

}  // namespace headlight
