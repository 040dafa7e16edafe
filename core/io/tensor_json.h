#pragma once

#include "core/tensor/tensor.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace headlight {

/// A number, a row of numbers or rows of numbers as a tensor of shape [1], [n] or [n, m]; not finite numbers
/// in the words of number_to_json(). Lists may be packed (packed_numbers.h). Throws Error with `where`, row
/// and column (from 1) of what does not fit.
Tensor tensor_from_json(const nlohmann::json& value, const std::string& what, const std::string& where);

/// The same for rows of numbers alone.
Tensor matrix_from_json(const nlohmann::json& value, const std::string& what, const std::string& where);

/// Reads back by tensor_from_json(); `tensor` has rank 0, 1 or 2.
nlohmann::json tensor_to_json(const Tensor& tensor);

/// The number that number_to_json() writes as this word: "NaN", "Infinity" or "-Infinity".
std::optional<double> number_from_word(std::string_view word);

/// One number, with the words of number_to_json().
double number_from_json(const nlohmann::json& value, const std::string& what, const std::string& where);

}  // namespace headlight
