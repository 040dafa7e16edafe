#pragma once

#include "tests/reference/matrix.h"

#include <string>

namespace headlight::reference {

/// How a rotary position is set. Pair i of `dimensions` features turns by theta_i from one token to the next.
struct RotaryRule {
    bool interleaved = false;    ///< pair i is features (2i, 2i + 1); else (i, i + dimensions / 2)
    std::size_t dimensions = 0;  ///< features that turn, the first ones
    Number base = 10000;
    std::string scaling = "none";  ///< none, linear, ntk, dynamic_ntk, yarn, llama3, longrope
    Number factor = 1;
    Number original_length = 2048;
    bool ramp_over_turns = false;           ///< of yarn: as the paper has it, not its code
    std::vector<Number> pair_factors = {};  ///< of longrope
    Number turned_share = 1;                ///< of the pairs, the fastest ones; the others do not turn
    std::size_t tokens = 0;                 ///< the longer of the two sequences
};

/// theta_i: base^(-2i/d) (Su et al. 2024), and for longer texts theta / s (Chen et al. 2023), a base of
/// base s^(d/(d-2)) (bloc97), the same with s grown from the length (dynamic), the blend of theta and theta /
/// s by the number of turns in the original length (YaRN, Peng et al. 2024, eq. 23; Llama 3.1). 0 for the
/// slowest pairs where not all turn (p-RoPE, Barbero et al. 2025, section 6).
Number rotary_angle(const RotaryRule& rule, std::size_t pair);

/// What YaRN multiplies queries and keys by, 0.1 ln s + 1, and LongRoPE, √(1 + ln s / ln L) (Ding et al.
/// 2024); 1 for the others.
Number rotary_length(const RotaryRule& rule);

/// Each pair as a complex number times e^(i p theta), times `length(pair)` where that is not empty.
Row rotated(const RotaryRule& rule, const Row& vector, std::size_t place, const Row& length_of_pairs = {});

/// Each pair as a complex number times -i: a quarter turn back (Liu et al. 2025). Products of a query that
/// was turned so are the imaginary part of q k*, of which products of the query itself are the real part.
Row turned_back_a_quarter(const RotaryRule& rule, const Row& vector);

/// zeta_i^(sign p / scale_base), zeta_i = (2i/d + 0.4) / 1.4 (Sun et al. 2023).
Row xpos_lengths(std::size_t dimensions, std::size_t place, Number scale_base, Number sign);

/// Series in the place of rotations.
struct FourierRule {
    Number base = 10000, original_length = 512;
    bool leaves_out = true;  ///< frequencies below 2 pi / L, and half of the pairs; else they are 0
    Matrix cosines, sines;   ///< [frequencies, series] of the head: what is added to the first frequencies
};
/// x_a C - x_b S and x_b C + x_a S of each pair (a, a + d/2), C = sum_w c_w cos(omega_w p) and S the same of
/// sines; both are 1 for the pairs beyond the series. Pair number i of s begins with the frequency number i
/// ceil(w / s) of w: its c is 1 more (FoPE, Hua et al. 2025, as their code has it).
Row turned_by_series(const FourierRule& rule, const Row& vector, std::size_t place);

/// Rotary positions of several coordinates.
struct GridRotaryRule {
    std::size_t columns = 1;
    std::size_t rows = 0;               ///< of a frame; 0: all
    std::size_t text = 0;               ///< tokens before the grid
    std::vector<std::size_t> sections;  ///< shares of the pairs
    bool shared_speeds = false;
    bool interleaved = false;
    Number base = 10000;
};

/// (row, column), or (frame, row, column), of a token, counted cell by cell; a token of the text before has
/// its place for each, and the grid begins behind it (Wang et al. 2024).
std::vector<std::size_t> grid_coordinates(const GridRotaryRule& rule, std::size_t place);

/// Each pair times e^(i c theta), c the coordinate of its section, theta = base^(-k / K) for pair k of the K
/// of its section (Heo et al. 2024), or of all pairs (M-RoPE).
Row rotated_on_grid(const GridRotaryRule& rule, const Row& vector, std::size_t place);

}  // namespace headlight::reference
