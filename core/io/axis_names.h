#pragma once

#include "core/attention/inputs.h"
#include "core/io/capture_arrays.h"

#include <string>
#include <vector>

namespace headlight {

/// The texts of the array of that name; null where there is none, or it is none of texts.
const std::vector<std::string>* texts_called(const std::vector<FoundArray>& arrays, const std::string& name);

/// The numbers of the array of that name, which has one axis; empty where there is none.
std::vector<double> numbers_called(const std::vector<FoundArray>& arrays, const std::string& name);

/// Labels that a file of numbers has for every row and column as the labels of tokens. Those that count
/// from 1 stand for none; keys that are called as the queries are theirs.
TokenLabels labels_read(const std::vector<std::string>& rows, const std::vector<std::string>& columns);

}  // namespace headlight
