#include "core/figure/allowed_cells.h"

#include <algorithm>

namespace headlight {
namespace {

/// The cell that number `at` of `numbers` is drawn in, where cell c begins with number c * numbers / cells.
Index cell_with(Index at, Index numbers, Index cells) { return ((at + 1) * cells - 1) / numbers; }

}  // namespace

KeyRange allowed_columns(const LargeMap& map, Index row, Index columns) {
    const KeyRange keys = map.tiles->maps()->allowed_keys(map.place, map.first_row + row);
    return {std::clamp<Index>(keys.begin - map.first_column, 0, columns),
            std::clamp<Index>(keys.end - map.first_column, 0, columns)};
}

std::vector<KeyRange> allowed_cells(const LargeMap& map, Index rows, Index columns, Index cell_rows,
                                    Index cell_columns) {
    std::vector<KeyRange> cells;
    bool has_forbidden = false;
    for (Index cell = 0; cell < cell_rows; ++cell) {
        // Neither end falls from one query to the next: no query between the first and the last has more.
        const KeyRange keys{allowed_columns(map, cell * rows / cell_rows, columns).begin,
                            allowed_columns(map, (cell + 1) * rows / cell_rows - 1, columns).end};
        cells.push_back(keys.begin >= keys.end
                            ? KeyRange{}
                            : KeyRange{cell_with(keys.begin, columns, cell_columns),
                                       cell_with(keys.end - 1, columns, cell_columns) + 1});
        has_forbidden = has_forbidden || cells.back() != KeyRange{0, cell_columns};
    }
    return has_forbidden ? cells : std::vector<KeyRange>();
}

std::vector<std::uint8_t> forbidden_cells(const LargeMap& map, Index rows, Index columns, Index cell_rows,
                                          Index cell_columns) {
    const std::vector<KeyRange> allowed = allowed_cells(map, rows, columns, cell_rows, cell_columns);
    std::vector<std::uint8_t> cells(allowed.empty() ? 0 : static_cast<std::size_t>(cell_rows * cell_columns),
                                    1);
    for (std::size_t row = 0; row < allowed.size(); ++row)
        std::fill(cells.begin() + static_cast<Index>(row) * cell_columns + allowed[row].begin,
                  cells.begin() + static_cast<Index>(row) * cell_columns + allowed[row].end, 0);
    return cells;
}

std::vector<std::uint8_t> forbidden_pairs(const LargeMap& map, Index rows, Index columns) {
    return forbidden_cells(map, rows, columns, rows, columns);
}

}  // namespace headlight
