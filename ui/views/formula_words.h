#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// The TeX of a mechanism's formula as a person reads it aloud: "softmax ( Q K transposed over the square
/// root of d sub k ) V". For the TeX that the catalogue uses; of an unknown command its name is read.
std::string formula_in_words(std::string_view tex);

}  // namespace headlight
