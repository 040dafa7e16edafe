#pragma once

#include "core/model/tasks/task.h"

namespace headlight::english_french {

struct SentencePair {
    Tokens english, french;
};

/// A sentence of the grammar and its translation.
SentencePair draw_sentence(Random& random);

/// The French of an English sentence, by every way in which the grammar can say it: none when it cannot. A
/// sentence has one translation, so all that are found are equal; that is a test.
std::vector<Tokens> translations(std::span<const std::string> english);

/// Every word that draw_sentence() can say.
Tokens english_vocabulary();
Tokens french_vocabulary();

}  // namespace headlight::english_french
