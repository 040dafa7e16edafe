#pragma once

#include <span>
#include <string>

namespace headlight {

/// A branch of the catalogue's tree and a chapter of its book: the mechanisms that differ in one step of the
/// way from tokens to output.
struct Family {
    std::string name;          ///< "Scores"
    std::string introduction;  ///< the problem that the family solves, and what it leaves to the next one
};

/// In the order of that way.
std::span<const Family> families();

}  // namespace headlight
