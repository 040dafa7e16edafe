#pragma once

#include "core/catalog/mechanism.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// A branch of the catalogue's tree and a chapter of its book: the mechanisms that differ in one step of the
/// way from tokens to output.
struct Family {
    std::string name;          ///< "Scores"
    std::string introduction;  ///< the problem that the family solves, and what it leaves to the next one
};

/// In the order of that way.
std::span<const Family> families();

/// The mechanisms of the family with that name, in teaching order.
std::vector<const Mechanism*> mechanisms_of(std::string_view family);

}  // namespace headlight
