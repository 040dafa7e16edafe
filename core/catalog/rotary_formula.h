#pragma once

#include <string>

namespace headlight {

/// softmax(R(Q) R(K)^T / sqrt(d_k)) V, and behind it how R turns (TeX).
std::string rotary_formula(const std::string& turns);

}  // namespace headlight
