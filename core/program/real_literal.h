#pragma once

#include "core/tensor/number_text.h"

#include <string>

namespace headlight {

/// With a point, so that Python makes no integer of it.
inline std::string real_literal(double number) {
    const std::string word = number_text(number);
    return word.find_first_of(".en") == std::string::npos ? word + ".0" : word;
}

}  // namespace headlight
