#pragma once

#include "core/tensor/tensor.h"

#include <string>

namespace headlight {

class Trace;
struct Panel;

/// Who keeps pairs of query and key apart.
struct ForbiddenBy {
    bool mask = false;
    bool selection = false;  ///< the keys that a query chooses by what they hold: KeySelection
    bool hand = false;       ///< a person's change to the run
    Index cache = 0;         ///< that has dropped older keys: how many of the newest it keeps; 0: none has

    bool is_anybody() const { return *this != ForbiddenBy(); }
    bool operator==(const ForbiddenBy&) const = default;
};

/// "forbidden by the mask, or dropped from the cache, which keeps the newest 3", wherever a cell or a
/// hatching is explained; empty where nobody is known.
std::string forbidden_in_words(const ForbiddenBy& who);

/// Who forbids the pairs of a panel's map that are forbidden; nobody where none is.
ForbiddenBy forbidden_by(const Trace& trace, const Panel& panel);

}  // namespace headlight
