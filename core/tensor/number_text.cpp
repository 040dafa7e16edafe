#include "core/tensor/number_text.h"

#include <charconv>
#include <iterator>

namespace headlight {

std::string number_text(double value) {
    char buffer[32];
    return {buffer, std::to_chars(std::begin(buffer), std::end(buffer), value).ptr};
}

}  // namespace headlight
