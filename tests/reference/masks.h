#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headlight::reference {

/// [query][key], true = the query may look at the key.
using Allowed = std::vector<std::vector<bool>>;

Allowed everything(std::size_t queries, std::size_t keys);

/// key <= query: the first query sees the first key (torch scaled_dot_product_attention's is_causal).
Allowed causal_top_left(std::size_t queries, std::size_t keys);
/// key <= query + (keys - queries): the last query sees every key (decoding with a cache). With more queries
/// than keys the first queries see nothing.
Allowed causal_bottom_right(std::size_t queries, std::size_t keys);

/// Keys 0 .. key_length - 1 are real, the rest is padding.
Allowed padding(std::size_t queries, std::size_t keys, std::size_t key_length);

/// 0 <= i - j < size.
Allowed causal_window(std::size_t queries, std::size_t keys, std::size_t size);

/// |i - j| <= reach, i - j a multiple of step (Beltagy et al. 2020); step 1 is a window without gaps.
Allowed dilated_window(std::size_t queries, std::size_t keys, std::size_t reach, std::size_t step);

/// Sparse Transformer (Child et al. 2019, section 4.3): the last `stride` keys; every stride-th key before
/// the query; the keys of the query's own block so far; the last `summary` keys of every block so far.
Allowed latest_keys(std::size_t queries, std::size_t keys, std::size_t stride);
Allowed every_stride(std::size_t queries, std::size_t keys, std::size_t stride);
Allowed own_block_so_far(std::size_t queries, std::size_t keys, std::size_t stride);
Allowed summaries_so_far(std::size_t queries, std::size_t keys, std::size_t stride, std::size_t summary);

/// Rows and columns of these tokens.
Allowed global_tokens(std::size_t queries, std::size_t keys, const std::vector<std::size_t>& tokens);

/// For each query the `count` keys of the smallest random numbers; that of (i, j) is the child j of the child
/// i of the seed, as in hard.h.
Allowed random_keys(std::size_t queries, std::size_t keys, std::size_t count, std::uint64_t seed);

/// Pieces of the given lengths one after another, and one of all that is left; pieces see themselves alone.
Allowed pieces(std::size_t queries, std::size_t keys, const std::vector<std::size_t>& lengths);
/// The lengths of pieces of `size` that cover `tokens`, the first one being `first` long if that is not 0.
std::vector<std::size_t> equal_lengths(std::size_t tokens, std::size_t size, std::size_t first = 0);

/// j < length or j <= i.
Allowed prefix_causal(std::size_t queries, std::size_t keys, std::size_t length);
/// j < count.
Allowed first_keys(std::size_t queries, std::size_t keys, std::size_t count);
/// Local-m (Luong et al. 2015, section 3.2): the window [p - radius, p + radius] around p = i, clipped to the
/// last key.
Allowed monotonic_local(std::size_t queries, std::size_t keys, std::size_t radius);
/// j = i, i - 1, i - 2, i - 4, ... (Li et al. 2019, section 4.2).
Allowed log_sparse(std::size_t queries, std::size_t keys);

// Tokens on a grid of so many columns, row by row.

/// Query and key in one window of size x size cells whose borders are moved by `shift` cells down and to the
/// right (Liu et al. 2021, section 3.2).
Allowed grid_windows(std::size_t queries, std::size_t keys, std::size_t columns, std::size_t size,
                     std::size_t shift);
Allowed same_grid_row(std::size_t queries, std::size_t keys, std::size_t columns);
Allowed same_grid_column(std::size_t queries, std::size_t keys, std::size_t columns);
/// The size x size cells whose middle is nearest to the query among those that lie on the grid (Hassani et
/// al. 2023, section 3.1).
Allowed neighbourhood(std::size_t queries, std::size_t keys, std::size_t columns, std::size_t size);
/// The same on each of the grids that every `step`th row and column make (Hassani and Shi 2022).
Allowed dilated_neighbourhood(std::size_t queries, std::size_t keys, std::size_t columns, std::size_t size,
                              std::size_t step);
/// Query and key in one stripe of `width` rows, or of so many columns (Dong et al. 2022, section 3.2).
Allowed same_stripe(std::size_t queries, std::size_t keys, std::size_t columns, std::size_t width,
                    bool of_rows);

/// Each block of size x size cells with its queries and, as keys, the cells of the grid at most `halo` cells
/// away from it (Vaswani et al. 2021).
Allowed blocks_with_halo(std::size_t queries, std::size_t keys, std::size_t columns, std::size_t size,
                         std::size_t halo);
/// From each query in steps of `down` rows and `across` columns in all directions (Tu et al. 2022).
Allowed grid_net(std::size_t queries, std::size_t keys, std::size_t columns, std::size_t down,
                 std::size_t across);
/// The tiles, of tile x tile cells, among the window x window ones whose middle is nearest to that of the
/// query (Zhang et al. 2025).
Allowed sliding_tiles(std::size_t queries, std::size_t keys, std::size_t columns, std::size_t tile,
                      std::size_t window);

/// Key and query in the order of their turns: `listed` tokens first, the rest from left to right, or, where
/// none is listed, the one with the smallest child of the seed first (Yang et al. 2019).
Allowed turns_so_far(std::size_t queries, std::size_t keys, const std::vector<std::size_t>& listed,
                     std::uint64_t seed, bool sees_itself);

/// Query t is asked when k + t keys have been read (g(t) = min(k + t - 1, m) of Ma et al. 2019, t
/// counted from 1 there).
Allowed wait_k(std::size_t queries, std::size_t keys, std::size_t k);
/// The three masks of Arriola et al. 2025, section 3.1: block-diagonal among the noised
/// tokens, offset block-causal from them to the clean ones, block-causal among these.
Allowed block_diffusion(std::size_t queries, std::size_t keys, std::size_t size, std::size_t noised);
/// Image k, of so many keys, is seen from query starts[k] on, up to ends[k], else up to starts[k + 1], else
/// up to the end (Alayrac et al. 2022).
Allowed images_in_text(std::size_t queries, std::size_t keys, std::size_t image_tokens,
                       const std::vector<std::size_t>& starts, const std::vector<std::size_t>& ends);
/// Bands of a video, `frame` tokens to a frame (Li et al. 2025, equation 4), and the first frame for all.
Allowed radial_bands(std::size_t queries, std::size_t keys, std::size_t frame, bool sees_first);

Allowed both(const Allowed& a, const Allowed& b);
Allowed either(const Allowed& a, const Allowed& b);
Allowed opposite(const Allowed& a);

}  // namespace headlight::reference
