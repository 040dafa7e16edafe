#include "core/figure/cell_codes.h"

#include "core/figure/allowed_cells.h"
#include "core/tensor/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace headlight {

namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
constexpr float lowest_float = std::numeric_limits<float>::lowest();

CellCodes all_codes(const Panel& panel) {
    const ColourLookup lookup(panel.scale);
    CellCodes cells{drawn_rows(panel), panel.columns, {}};
    const auto count = static_cast<std::size_t>(cells.rows * cells.columns);
    cells.codes.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double value = panel.values[i];
        cells.codes[i] = std::isnan(value)         ? CellCodes::missing
                         : value == minus_infinity ? CellCodes::forbidden
                                                   : lookup.entry(value);
    }
    if (!panel.forbidden.empty())
        for (std::size_t i = 0; i < count; ++i)
            if (panel.forbidden[i])
                cells.codes[i] = CellCodes::forbidden;
    return cells;
}

void resize(CellCodes& cells, Index rows, Index columns) {
    cells.rows = rows;
    cells.columns = columns;
    cells.codes.resize(static_cast<std::size_t>(rows * columns));
}

void write_codes_of_large(const Panel& panel, Index most_rows, Index most_columns, CellCodes& cells) {
    const SeenSize size = seen_size(panel.rows, panel.columns, most_rows, most_columns);
    resize(cells, size.rows, size.columns);
    const ColourLookup lookup(panel.scale);
    const std::vector<KeyRange> allowed =
        allowed_cells(*panel.large, panel.rows, panel.columns, cells.rows, cells.columns);
    read_seen_map(
        *panel.large, panel.rows, panel.columns, size,
        [&](Index row, std::span<const float> furthest) {
            const auto codes = std::span(cells.codes)
                                   .subspan(static_cast<std::size_t>(row * cells.columns), furthest.size());
            const KeyRange here =
                allowed.empty() ? KeyRange{0, cells.columns} : allowed[static_cast<std::size_t>(row)];
            const auto begin = static_cast<std::size_t>(here.begin), end = static_cast<std::size_t>(here.end);
            std::ranges::fill(codes.first(begin), CellCodes::forbidden);
            lookup.write_entries(furthest.subspan(begin, end - begin), CellCodes::missing,
                                 codes.data() + begin);
            std::ranges::fill(codes.subspan(end), CellCodes::forbidden);
        },
        allowed);
}

/// Codes as ranks and back: of a block of cells the one of the highest rank is shown. Ranks are compared
/// without a branch, row against row, which is what makes reducing quick.
struct Ranks {
    std::array<std::uint16_t, CellCodes::count> of_code{};
    std::array<std::uint16_t, 1024> to_code{};

    explicit Ranks(bool diverging) {
        set(CellCodes::missing, 0);
        set(CellCodes::forbidden, 1);
        for (int entry = 0; entry < 256; ++entry)
            set(entry, 2 + (diverging ? 2 * std::abs(2 * entry - 255) + (entry >= 128) : entry));
    }

private:
    void set(int code, int rank) {
        of_code[static_cast<std::size_t>(code)] = static_cast<std::uint16_t>(rank);
        to_code[static_cast<std::size_t>(rank)] = static_cast<std::uint16_t>(code);
    }
};

/// The edges of `to` nearly equal blocks of `from` cells; to <= from, so that none is empty.
std::vector<Index> block_edges(Index from, Index to) {
    std::vector<Index> edges;
    for (Index block = 0; block <= to; ++block)
        edges.push_back(block * from / to);
    return edges;
}

/// Finds in each block the number that matters most, by `more(one, other)`: `take` gets a row of them at a
/// time, on several threads at once.
template <class More, class Take>
void take_most_of_blocks(const NumberRows& numbers, std::span<const Index> row_edges,
                         std::span<const Index> column_edges, const More& more, const Take& take) {
    const auto either = [&](float one, float other) {
        return int(more(one, other)) | int(other != other) ? one
                                                           : other;  // without a branch in the loops below
    };
    const auto width = static_cast<std::size_t>(column_edges.back());
    const Index rows = std::ssize(row_edges) - 1, columns = std::ssize(column_edges) - 1;
    constexpr Index at_once = 16;
    parallel_for(parts_of_size(rows, at_once), omp_get_max_threads(), [&](Index part, int) {
        std::vector<float> most(width), line(width), small(static_cast<std::size_t>(columns));
        for (Index block = part * at_once; block < std::min(rows, (part + 1) * at_once); ++block) {
            const auto edge = row_edges.begin() + block;
            numbers(edge[0], most);
            for (Index row = edge[0] + 1; row < edge[1]; ++row) {
                numbers(row, line);
                for (std::size_t column = 0; column < width; ++column)
                    most[column] = either(line[column], most[column]);
            }
            for (Index column = 0; column < columns; ++column) {
                const Index* ends = column_edges.data() + column;
                small[static_cast<std::size_t>(column)] =
                    std::accumulate(most.begin() + ends[0] + 1, most.begin() + ends[1],
                                    most[static_cast<std::size_t>(ends[0])], either);
            }
            take(block, small);
        }
    });
}

CellCodes reduced(CellCodes cells, Index rows, Index columns, bool diverging) {
    const Ranks ranks(diverging);
    for (std::uint16_t& code : cells.codes)
        code = ranks.of_code[code];
    const auto row_edges = block_edges(cells.rows, rows), column_edges = block_edges(cells.columns, columns);
    CellCodes small{rows, columns, {}};
    small.codes.reserve(static_cast<std::size_t>(rows * columns));
    const auto width = static_cast<std::size_t>(cells.columns);
    std::vector<std::uint16_t> highest(width);  // of each column in one block of rows
    for (std::size_t block = 0; block < static_cast<std::size_t>(rows); ++block) {
        std::ranges::fill(highest, std::uint16_t(0));
        for (Index row = row_edges[block]; row < row_edges[block + 1]; ++row) {
            const std::uint16_t* rank = cells.codes.data() + row * cells.columns;
            for (std::size_t column = 0; column < width; ++column)
                highest[column] = std::max(highest[column], rank[column]);
        }
        for (std::size_t column = 0; column < static_cast<std::size_t>(columns); ++column) {
            const auto best = std::max_element(highest.begin() + column_edges[column],
                                               highest.begin() + column_edges[column + 1]);
            small.codes.push_back(ranks.to_code[*best]);
        }
    }
    return small;
}

CellCodes at_most(Index most_rows, Index most_columns, CellCodes cells, const ColourScale& scale) {
    const Index rows = std::min(cells.rows, std::max<Index>(1, most_rows));
    const Index columns = std::min(cells.columns, std::max<Index>(1, most_columns));
    if (rows == cells.rows && columns == cells.columns)
        return cells;
    return reduced(std::move(cells), rows, columns, colour_map(scale.map).diverging);
}

}  // namespace

Index drawn_rows(const Panel& panel) {
    return panel.newest_row ? std::clamp<Index>(*panel.newest_row + 1, 0, panel.rows) : panel.rows;
}

bool frames_newest_row(const Panel& panel) {
    const Index newest = drawn_rows(panel) - 1;
    if (!panel.newest_row || newest < 0)
        return false;
    return newest + 1 < panel.rows || panel.selected_row.value_or(newest) == newest;
}

bool is_strong_row(const Panel& panel, Index row) {
    return panel.selected_row == row || (panel.newest_row == row && frames_newest_row(panel));
}

bool is_forbidden(const Panel& panel, Index row, Index column) {
    const auto i = static_cast<std::size_t>(row * panel.columns + column);
    return (!panel.forbidden.empty() && panel.forbidden[i]) || panel.values[i] == minus_infinity;
}

CellCodes cell_codes(const Panel& panel, Index most_rows, Index most_columns) {
    CellCodes cells;
    write_cell_codes(panel, most_rows, most_columns, cells);
    return cells;
}

void write_cell_codes(const Panel& panel, Index most_rows, Index most_columns, CellCodes& cells) {
    if (panel.large)
        write_codes_of_large(panel, most_rows, most_columns, cells);
    else
        cells = at_most(most_rows, most_columns, all_codes(panel), panel.scale);
}

void write_colours(const CellCodes& cells, const CellPalette& palette, std::uint32_t* to) {
    constexpr Index at_once = 1 << 16;
    const Index count = std::ssize(cells.codes);
    parallel_for(parts_of_size(count, at_once), omp_get_max_threads(), [&](Index part, int) {
        for (Index cell = part * at_once; cell < std::min(count, (part + 1) * at_once); ++cell)
            to[cell] = palette[cells.codes[static_cast<std::size_t>(cell)]];
    });
}

void write_cell_codes(const NumberRows& numbers, Index rows, Index columns, const ColourScale& scale,
                      Index most_rows, Index most_columns, CellCodes& cells) {
    const Index fewer_rows = std::min(rows, std::max<Index>(1, most_rows)),
                fewer_columns = std::min(columns, std::max<Index>(1, most_columns));
    const auto row_edges = block_edges(rows, fewer_rows), column_edges = block_edges(columns, fewer_columns);
    const auto further = [](float one, float other) {
        const auto distance = [](float number) { return number < lowest_float ? -1 : std::abs(number); };
        return distance(one) > distance(other) || (one > other && one == -other);
    };
    resize(cells, fewer_rows, fewer_columns);
    const ColourLookup lookup(scale);
    const auto take = [&](Index row, std::span<const float> small) {
        std::uint16_t* codes = cells.codes.data() + row * cells.columns;
        lookup.write_entries(small, CellCodes::missing, codes);
        for (std::size_t i = 0; i < small.size(); ++i)
            codes[i] = small[i] < lowest_float ? CellCodes::forbidden : codes[i];
    };
    if (colour_map(scale.map).diverging)
        take_most_of_blocks(numbers, row_edges, column_edges, further, take);
    else
        take_most_of_blocks(numbers, row_edges, column_edges, std::greater<float>(), take);
}

std::uint16_t stepped(std::uint16_t code, int steps) {
    if (steps >= 256 || code >= 256)
        return code;
    const int step = code * steps / 256;
    return static_cast<std::uint16_t>((2 * step + 1) * 128 / steps);
}

int colour_steps(const Figure& figure) {
    constexpr double most_bytes = 450e3;
    std::array<double, CellCodes::count> counts{};
    double cells = 0;
    for (const Panel& panel : figure.panels) {
        if (panel.thumbnail || panel.kind != Panel::Kind::heatmap)
            continue;
        const CellCodes shown = cell_codes(panel, panel.rows, panel.columns);
        for (const std::uint16_t code : shown.codes)
            ++counts[code];
        cells += static_cast<double>(shown.rows * shown.columns);
    }
    constexpr int least = 20;
    for (const int steps : {256, 128, 64, 48, 32, 24}) {
        std::array<double, CellCodes::count> merged{};
        for (std::size_t code = 0; code < counts.size(); ++code)
            merged[stepped(static_cast<std::uint16_t>(code), steps)] += counts[code];
        double bits = 0;  // Shannon's bound, which the compression of such maps comes close to
        for (const double count : merged)
            bits += count > 0 ? count * std::log2(cells / count) : 0;
        if (bits / 8 <= most_bytes)
            return steps;
    }
    return least;
}

}  // namespace headlight
