#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// Lloyd's steps over the queries, from every (n / clusters)-th of them; a query attends as the mean of its
/// cluster does, and divides by itself what that gives to its `exact_keys` best keys (Vyas et al. 2020).
struct Clusters {
    std::size_t count = 1, steps = 1, exact_keys = 0;
};
HeadResult clustered(const Head& head, const Clusters& clusters);

}  // namespace headlight::reference
