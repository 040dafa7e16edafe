#pragma once

#include "core/model/tasks/english_french/choices.h"

namespace headlight::english_french {

/// One sentence: says it in English, returns it in French. The grammar of the task.
Tokens say_sentence(Choices& choices);

}  // namespace headlight::english_french
