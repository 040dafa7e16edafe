#pragma once

#include "core/catalog/coverage.h"

#include <string_view>

namespace headlight {

/// A row of public_catalogues.cpp.
struct DeclaredItem {
    std::string_view title;
    /// Parted by "; ": "strided part=A; strided part=B" is one mechanism twice, "model sort-gpt" a model
    /// inside the program, "train dates host=gru copy" one to be trained. A space inside brackets belongs to
    /// a value.
    std::string_view shown_by;
    std::string_view reason = {};
    bool is_attention = true;
};

/// A row of catalogue_numbers.cpp.
struct DeclaredNumber {
    std::string_view id;
    std::string_view title;
    std::string_view shown_by;  ///< as of an item
    std::string_view reason = {};
    bool is_attention = true;
};

std::vector<CoveredAttention> covered_attentions(std::span<const DeclaredItem> items);
std::vector<CoveredAttention> covered_attentions(std::span<const DeclaredNumber> numbers);

}  // namespace headlight
