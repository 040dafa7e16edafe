#pragma once

#include <string>
#include <string_view>

namespace headlight::english_french {

/// The present tense of a French verb: je, tu, il, nous, ils are persons 0 to 4. Irregular verbs are in a
/// table; all others follow their ending (parler, finir, attendre; mangeons, lançons).
std::string present(std::string_view infinitive, int person);

}  // namespace headlight::english_french
