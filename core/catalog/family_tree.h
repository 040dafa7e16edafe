#pragma once

#include "core/catalog/mechanism.h"

#include <span>
#include <vector>

namespace headlight {

/// Whom a mechanism is a child of: one of its own family that came before it, and that one of the two
/// declares the other to be equal to or related to. Of several the one that it equals with some settings, and
/// of those the latest; null for whoever founds a family, or a branch of it.
struct Descent {
    const Mechanism* mechanism = nullptr;
    const Mechanism* parent = nullptr;
    bool is_equal = false;  ///< with the settings that the entry names; else related
};

/// By families in their order, and in each by year: a parent stands before its children.
std::vector<Descent> family_tree(std::span<const Mechanism> mechanisms);

}  // namespace headlight
