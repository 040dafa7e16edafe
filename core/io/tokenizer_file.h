#pragma once

#include "core/model/tasks/task.h"
#include "core/model/vocabulary.h"

#include <string>
#include <string_view>

namespace headlight {

/// A vocabulary as the word-level tokenizer.json of Hugging Face's tokenizers, which splits text as the task
/// writes it: at spaces, or into characters.
std::string write_tokenizer(const Vocabulary& vocabulary, Writing writing);

/// Its words. Throws Error unless they are numbered 0, 1, 2 ... and begin with those that every vocabulary
/// begins with. How it splits is not read: a task splits its own text.
Vocabulary parse_tokenizer(std::string_view text);

}  // namespace headlight
