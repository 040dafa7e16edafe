#include "tests/reference/masks.h"

#include "tests/reference/hard.h"
#include "tests/reference/splitmix.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace headlight::reference {
namespace {

Allowed nothing(std::size_t queries, std::size_t keys) {
    return Allowed(queries, std::vector<bool>(keys, false));
}

/// Every pair of tokens with one label.
Allowed same_label(std::size_t queries, std::size_t keys, const std::vector<std::size_t>& label) {
    Allowed allowed = nothing(queries, keys);
    for (std::size_t i = 0; i < queries; ++i)
        for (std::size_t j = 0; j < keys; ++j)
            allowed[i][j] = label[i] == label[j];
    return allowed;
}

/// [token]: 0 for the tokens of the first piece, 1 for those of the second, and so on.
std::vector<std::size_t> labels(std::size_t tokens, const std::vector<std::size_t>& lengths) {
    std::vector<std::size_t> list;
    for (std::size_t piece = 0; piece < lengths.size(); ++piece)
        list.insert(list.end(), lengths[piece], piece);
    list.resize(std::max(tokens, list.size()), lengths.size());
    return list;
}

/// First of the `size` places of 0 .. extent - 1 whose middle is nearest to `place`; the lower one of two.
std::size_t nearest_start(std::size_t place, std::size_t extent, std::size_t size) {
    std::size_t best = 0;
    long least = -1;
    for (std::size_t start = 0; start == 0 || start + size <= extent; ++start) {
        const long away = std::labs(static_cast<long>(start + size / 2) - static_cast<long>(place));
        if (least < 0 || away < least) {
            least = away;
            best = start;
        }
    }
    return best;
}

}  // namespace

Allowed everything(std::size_t queries, std::size_t keys) {
    return Allowed(queries, std::vector<bool>(keys, true));
}

Allowed causal_top_left(std::size_t queries, std::size_t keys) {
    Allowed allowed = everything(queries, keys);
    for (std::size_t i = 0; i < queries; ++i)
        for (std::size_t j = 0; j < keys; ++j)
            allowed[i][j] = j <= i;
    return allowed;
}

Allowed causal_bottom_right(std::size_t queries, std::size_t keys) {
    Allowed allowed = everything(queries, keys);
    for (std::size_t i = 0; i < queries; ++i)
        for (std::size_t j = 0; j < keys; ++j)
            allowed[i][j] = j + queries <= i + keys;
    return allowed;
}

Allowed padding(std::size_t queries, std::size_t keys, std::size_t key_length) {
    Allowed allowed = everything(queries, keys);
    for (std::size_t i = 0; i < queries; ++i)
        for (std::size_t j = 0; j < keys; ++j)
            allowed[i][j] = j < key_length;
    return allowed;
}

Allowed causal_window(std::size_t queries, std::size_t keys, std::size_t size) {
    Allowed allowed = opposite(everything(queries, keys));
    for (std::size_t i = 0; i < queries; ++i)
        for (std::size_t j = 0; j < keys; ++j)
            allowed[i][j] = j <= i && i - j < size;
    return allowed;
}

Allowed dilated_window(std::size_t queries, std::size_t keys, std::size_t reach, std::size_t step) {
    Allowed allowed = nothing(queries, keys);
    for (std::size_t i = 0; i < queries; ++i)
        for (std::size_t away = 0; away <= reach; away += step) {
            if (i + away < keys)
                allowed[i][i + away] = true;
            if (away <= i && i - away < keys)
                allowed[i][i - away] = true;
            if (away > queries + keys)
                break;
        }
    return allowed;
}

Allowed latest_keys(std::size_t queries, std::size_t keys, std::size_t stride) {
    return causal_window(queries, keys, stride);
}

Allowed every_stride(std::size_t queries, std::size_t keys, std::size_t stride) {
    Allowed allowed = nothing(queries, keys);
    for (std::size_t j = 0; j < keys; ++j)
        for (std::size_t i = j; i < queries; i += stride)
            allowed[i][j] = true;
    return allowed;
}

Allowed own_block_so_far(std::size_t queries, std::size_t keys, std::size_t stride) {
    Allowed allowed = nothing(queries, keys);
    std::size_t begin = 0;
    for (std::size_t i = 0; i < queries; ++i) {
        if (i == begin + stride)
            begin = i;
        for (std::size_t j = begin; j <= i && j < keys; ++j)
            allowed[i][j] = true;
    }
    return allowed;
}

Allowed summaries_so_far(std::size_t queries, std::size_t keys, std::size_t stride, std::size_t summary) {
    Allowed allowed = nothing(queries, keys);
    for (std::size_t end = stride; end < keys + stride; end += stride)  // one past the last key of a block
        for (std::size_t back = 1; back <= std::min(summary, stride); ++back)
            for (std::size_t i = end - back; i < queries && end - back < keys; ++i)
                allowed[i][end - back] = true;
    return allowed;
}

Allowed global_tokens(std::size_t queries, std::size_t keys, const std::vector<std::size_t>& tokens) {
    Allowed allowed = nothing(queries, keys);
    for (const std::size_t token : tokens) {
        for (std::size_t i = 0; i < queries && token < keys; ++i)
            allowed[i][token] = true;
        for (std::size_t j = 0; j < keys && token < queries; ++j)
            allowed[token][j] = true;
    }
    return allowed;
}

Allowed random_keys(std::size_t queries, std::size_t keys, std::size_t count, std::uint64_t seed) {
    Allowed allowed = nothing(queries, keys);
    for (std::size_t i = 0; i < queries; ++i)
        for (std::size_t j = 0; j < keys; ++j) {
            std::size_t smaller = 0;
            for (std::size_t other = 0; other < keys; ++other)
                smaller += random_bits(seed, i, other) < random_bits(seed, i, j);
            allowed[i][j] = smaller < count;
        }
    return allowed;
}

Allowed pieces(std::size_t queries, std::size_t keys, const std::vector<std::size_t>& lengths) {
    return same_label(queries, keys, labels(std::max(queries, keys), lengths));
}

std::vector<std::size_t> equal_lengths(std::size_t tokens, std::size_t size, std::size_t first) {
    std::vector<std::size_t> lengths(first > 0, first);
    for (std::size_t covered = first; covered < tokens; covered += size)
        lengths.push_back(size);
    return lengths;
}

Allowed prefix_causal(std::size_t queries, std::size_t keys, std::size_t length) {
    return either(first_keys(queries, keys, length), causal_top_left(queries, keys));
}

Allowed first_keys(std::size_t queries, std::size_t keys, std::size_t count) {
    return padding(queries, keys, count);
}

Allowed monotonic_local(std::size_t queries, std::size_t keys, std::size_t radius) {
    Allowed allowed = nothing(queries, keys);
    for (std::size_t i = 0; i < queries; ++i) {
        const std::size_t p = std::min(i, keys - 1);
        for (std::size_t j = p - std::min(p, radius); j <= p + radius && j < keys; ++j)
            allowed[i][j] = true;
    }
    return allowed;
}

Allowed log_sparse(std::size_t queries, std::size_t keys) {
    Allowed allowed = nothing(queries, keys);
    for (std::size_t i = 0; i < queries; ++i) {
        if (i < keys)
            allowed[i][i] = true;
        for (std::size_t back = 1; back <= i; back *= 2)
            if (i - back < keys)
                allowed[i][i - back] = true;
    }
    return allowed;
}

Allowed grid_windows(std::size_t queries, std::size_t keys, std::size_t columns, std::size_t size,
                     std::size_t shift) {
    const std::size_t tokens = std::max(queries, keys);
    const std::vector<std::size_t> of_place =
        labels(tokens + columns, equal_lengths(tokens + columns, size, shift));
    std::vector<std::size_t> window;
    for (std::size_t t = 0; t < tokens; ++t)
        window.push_back(of_place[t / columns] * (tokens + columns) + of_place[t % columns]);
    return same_label(queries, keys, window);
}

Allowed same_grid_row(std::size_t queries, std::size_t keys, std::size_t columns) {
    return pieces(queries, keys, equal_lengths(std::max(queries, keys), columns));
}

Allowed same_grid_column(std::size_t queries, std::size_t keys, std::size_t columns) {
    Allowed allowed = nothing(queries, keys);
    for (std::size_t i = 0; i < queries; ++i)
        for (std::size_t j = i % columns; j < keys; j += columns)
            allowed[i][j] = true;
    return allowed;
}

Allowed neighbourhood(std::size_t queries, std::size_t keys, std::size_t columns, std::size_t size) {
    Allowed allowed = nothing(queries, keys);
    const std::size_t rows = (keys + columns - 1) / columns, width = std::min(columns, keys);
    for (std::size_t i = 0; i < queries; ++i) {
        const std::size_t top = nearest_start(i / columns, rows, size);
        const std::size_t left = nearest_start(i % columns, width, size);
        for (std::size_t row = top; row < top + size; ++row)
            for (std::size_t column = left; column < std::min(left + size, width); ++column)
                if (row * columns + column < keys)
                    allowed[i][row * columns + column] = true;
    }
    return allowed;
}

Allowed dilated_neighbourhood(std::size_t queries, std::size_t keys, std::size_t columns, std::size_t size,
                              std::size_t step) {
    Allowed allowed = nothing(queries, keys);
    // The cells of the window on one side of the grid, of which `end` are there.
    const auto window = [&](std::size_t place, std::size_t end) {
        std::vector<std::size_t> net, seen;
        for (std::size_t other = place % step; other < end; other += step)
            net.push_back(other);
        const std::size_t start = nearest_start(place / step, net.size(), size);
        for (std::size_t at = start; at < std::min(start + size, net.size()); ++at)
            seen.push_back(net[at]);
        return seen;
    };
    for (std::size_t i = 0; i < queries; ++i)
        for (const std::size_t row : window(i / columns, (keys + columns - 1) / columns))
            for (const std::size_t column : window(i % columns, std::min(columns, keys)))
                if (row * columns + column < keys)
                    allowed[i][row * columns + column] = true;
    return allowed;
}

Allowed same_stripe(std::size_t queries, std::size_t keys, std::size_t columns, std::size_t width,
                    bool of_rows) {
    if (of_rows)  // a run of the text
        return pieces(queries, keys, equal_lengths(std::max(queries, keys), columns * width));
    std::vector<std::size_t> stripe;
    for (std::size_t t = 0; t < std::max(queries, keys); ++t)
        stripe.push_back(t % columns / width);
    return same_label(queries, keys, stripe);
}

Allowed blocks_with_halo(std::size_t queries, std::size_t keys, std::size_t columns, std::size_t size,
                         std::size_t halo) {
    Allowed allowed = nothing(queries, keys);
    for (std::size_t i = 0; i < queries; ++i) {
        std::size_t top = i / columns, left = i % columns;
        while (top % size != 0)
            --top;
        while (left % size != 0)
            --left;
        for (std::size_t row = top - std::min(top, halo); row < top + size + halo; ++row) {
            if (row * columns >= keys)
                break;
            for (std::size_t column = left - std::min(left, halo);
                 column < std::min(left + size + halo, columns); ++column)
                if (row * columns + column < keys)
                    allowed[i][row * columns + column] = true;
        }
    }
    return allowed;
}

Allowed grid_net(std::size_t queries, std::size_t keys, std::size_t columns, std::size_t down,
                 std::size_t across) {
    Allowed allowed = nothing(queries, keys);
    for (std::size_t i = 0; i < queries; ++i)
        for (std::size_t row = i / columns % down; row * columns < keys; row += down)
            for (std::size_t column = i % columns % across; column < columns; column += across)
                if (row * columns + column < keys)
                    allowed[i][row * columns + column] = true;
    return allowed;
}

Allowed sliding_tiles(std::size_t queries, std::size_t keys, std::size_t columns, std::size_t tile,
                      std::size_t window) {
    // Each tile is a cell of a coarser grid, in which the neighbourhood is looked for.
    const std::size_t width = std::min(columns, keys), height = (keys + columns - 1) / columns;
    std::size_t down = 0, across = 0;
    while (down * tile < height)
        ++down;
    while (across * tile < width)
        ++across;
    Allowed allowed = nothing(queries, keys);
    for (std::size_t i = 0; i < queries; ++i) {
        const std::size_t top = nearest_start(i / columns / tile, down, window);
        const std::size_t left = nearest_start(i % columns / tile, across, window);
        for (std::size_t j = 0; j < keys; ++j) {
            const std::size_t row = j / columns / tile, column = j % columns / tile;
            allowed[i][j] = row >= top && row < top + window && column >= left && column < left + window;
        }
    }
    return allowed;
}

Allowed turns_so_far(std::size_t queries, std::size_t keys, const std::vector<std::size_t>& listed,
                     std::uint64_t seed, bool sees_itself) {
    const std::size_t tokens = std::max(queries, keys);
    std::vector<bool> had_its_turn(tokens, false);
    Allowed allowed = nothing(queries, keys);
    const auto take_turn = [&](std::size_t token) {
        for (std::size_t key = 0; key < keys && token < queries; ++key)
            allowed[token][key] = had_its_turn[key] || (sees_itself && key == token);
        had_its_turn[token] = true;
    };
    for (const std::size_t token : listed)
        if (token < tokens)
            take_turn(token);
    for (std::size_t turn = 0; turn < tokens; ++turn) {
        std::size_t next = tokens;
        for (std::size_t token = 0; token < tokens; ++token)
            if (!had_its_turn[token] &&
                (next == tokens || (listed.empty() && child(seed, token) < child(seed, next))))
                next = token;
        if (next < tokens)
            take_turn(next);
    }
    return allowed;
}

Allowed wait_k(std::size_t queries, std::size_t keys, std::size_t k) {
    Allowed allowed = nothing(queries, keys);
    std::size_t read = k;
    for (std::size_t t = 0; t < queries; ++t, ++read)
        for (std::size_t j = 0; j < std::min(read, keys); ++j)
            allowed[t][j] = true;
    return allowed;
}

Allowed block_diffusion(std::size_t queries, std::size_t keys, std::size_t size, std::size_t noised) {
    Allowed allowed = nothing(queries, keys);
    for (std::size_t i = 0; i < queries; ++i)
        for (std::size_t j = 0; j < keys; ++j) {
            const bool from_noised = i < noised, to_noised = j < noised;
            const std::size_t from = (from_noised ? i : i - noised) / size;
            const std::size_t to = (to_noised ? j : j - noised) / size;
            const bool diagonal = from_noised && to_noised && from == to;
            const bool offset_causal = from_noised && !to_noised && from > to;
            const bool causal = !from_noised && !to_noised && from >= to;
            allowed[i][j] = diagonal || offset_causal || causal;
        }
    return allowed;
}

Allowed images_in_text(std::size_t queries, std::size_t keys, std::size_t image_tokens,
                       const std::vector<std::size_t>& starts, const std::vector<std::size_t>& ends) {
    Allowed allowed = nothing(queries, keys);
    for (std::size_t image = 0; image < starts.size(); ++image) {
        const std::size_t end = image < ends.size()         ? ends[image]
                                : image + 1 < starts.size() ? starts[image + 1]
                                                            : queries;
        for (std::size_t i = starts[image]; i < std::min(end, queries); ++i)
            for (std::size_t j = image * image_tokens; j < (image + 1) * image_tokens && j < keys; ++j)
                allowed[i][j] = true;
    }
    return allowed;
}

Allowed radial_bands(std::size_t queries, std::size_t keys, std::size_t frame, bool sees_first) {
    Allowed allowed = nothing(queries, keys);
    const auto s = static_cast<Number>(frame);
    for (std::size_t i = 0; i < queries; ++i)
        for (std::size_t j = 0; j < keys; ++j) {
            const Number frames = std::abs(static_cast<Number>(i / frame) - static_cast<Number>(j / frame)),
                         places = std::abs(static_cast<Number>(i % frame) - static_cast<Number>(j % frame));
            const Number band = std::exp2(std::floor(std::log2(std::max(frames, Number(1)))));
            const bool is_near = band <= s && places + 1 <= s / band;
            const bool is_own_place = std::fmod(frames, std::ceil(band / s)) == 0 && places == 0;
            allowed[i][j] = is_near || is_own_place || (sees_first && j < frame);
        }
    return allowed;
}

Allowed both(const Allowed& a, const Allowed& b) {
    Allowed allowed = a;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a[i].size(); ++j)
            allowed[i][j] = a[i][j] && b[i][j];
    return allowed;
}

Allowed either(const Allowed& a, const Allowed& b) {
    Allowed allowed = a;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a[i].size(); ++j)
            allowed[i][j] = a[i][j] || b[i][j];
    return allowed;
}

Allowed opposite(const Allowed& a) {
    Allowed allowed = a;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a[i].size(); ++j)
            allowed[i][j] = !a[i][j];
    return allowed;
}

}  // namespace headlight::reference
