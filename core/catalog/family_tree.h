#pragma once

#include "core/catalog/mechanism.h"

#include <span>
#include <vector>

namespace headlight {

/// Whom a mechanism is a child of: of those of its own family that came before it the first that its entry
/// names, as related or else as equal with some settings; else the latest that declares to equal it. Null for
/// whoever founds a family, or a branch of it. Of two papers of one year the one of the earlier month came
/// before; where a month is not known neither did.
struct Descent {
    const Mechanism* mechanism = nullptr;
    const Mechanism* parent = nullptr;
    bool is_equal = false;  ///< with the settings that the entry names; else related
};

/// By families in their order, and in each by year: a parent stands before its children.
std::vector<Descent> family_tree(std::span<const Mechanism> mechanisms);

}  // namespace headlight
