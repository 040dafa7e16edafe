#include "core/figure/grid_columns.h"

#include <cmath>

namespace headlight {

Index grid_columns(Index count, double height) {
    Index best = 1;
    double least_cost = 1e9;
    for (Index columns = 1; columns <= count; ++columns) {
        const Index rows = parts_of_size(count, columns);
        const double holes = static_cast<double>(rows * columns - count) / static_cast<double>(count);
        const double shape =
            std::abs(std::log(static_cast<double>(columns) / static_cast<double>(rows) / height / 1.6));
        if (const double cost = 2 * holes + shape; cost < least_cost) {
            least_cost = cost;
            best = columns;
        }
    }
    return best;
}

}  // namespace headlight
