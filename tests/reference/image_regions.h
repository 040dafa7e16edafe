#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

struct ImageRegions {
    std::size_t columns = 1, side = 1, kept = 1;
    bool is_one_sequence = true;  ///< queries are padding where keys are
};
/// All keys of the `kept` regions, squares of a grid, whose mean keys have the largest products with the mean
/// query of the query's own region, of all heads side by side; of equal ones the first (Zhu et al. 2023,
/// section 3.2). Regions of which the mask lets no tokens meet are none.
Allowed best_regions(const std::vector<Head>& heads, const Allowed& allowed, const ImageRegions& regions);

}  // namespace headlight::reference
