#include "core/figure/block_sums.h"

#include "core/figure/cell_codes.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>

namespace headlight {

std::vector<double> block_numbers(const Panel& panel, const MapBlock& block) {
    std::vector<double> numbers(block.size());
    if (panel.large) {
        const LargeMap& map = *panel.large;
        map.tiles->maps()->read_block(map.place,
                                      {map.first_row + block.first_row, block.rows,
                                       map.first_column + block.first_column, block.columns},
                                      numbers);
        return numbers;
    }
    auto to = numbers.begin();
    for (Index row = block.first_row; row < block.first_row + block.rows; ++row) {
        const double* from = panel.values.begin() + row * panel.columns + block.first_column;
        to = std::copy(from, from + block.columns, to);
    }
    return numbers;
}

BlockSums block_sums(const Panel& panel, const MapBlock& block) {
    BlockSums sums;
    const Index at_once = std::max<Index>((Index(1) << 18) / std::max<Index>(block.columns, 1), 1);
    for (Index first = 0; first < block.rows; first += at_once) {
        Interruption::check();
        const MapBlock part{block.first_row + first, std::min(at_once, block.rows - first),
                            block.first_column, block.columns};
        const std::vector<double> numbers = block_numbers(panel, part);
        for (Index row = 0; row < part.rows; ++row) {
            double of_row = 0;
            for (Index column = 0; column < part.columns; ++column) {
                const double number = numbers[static_cast<std::size_t>(row * part.columns + column)];
                const Index panel_row = part.first_row + row, panel_column = part.first_column + column;
                if (!std::isfinite(number) ||
                    (!panel.large && is_forbidden(panel, panel_row, panel_column))) {
                    ++sums.left_out;
                    continue;
                }
                of_row += number;
                if (!sums.largest || number > sums.largest->value)
                    sums.largest = LargestCell{panel_row, panel_column, number};
            }
            sums.sum += of_row;
        }
    }
    return sums;
}

}  // namespace headlight
