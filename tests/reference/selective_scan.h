#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// s <- exp(-step rate) s + step k v_c, o_c = q . s for each channel c of the values, token by token (Gu and
/// Dao 2024, algorithm 2, with the step's product for the discretised B). `steps` [m, d_v], `rates`
/// [d_v, d_k]. A query reads the states that the newest token has left which it sees. The weights are the
/// mean of the channels' maps.
HeadResult selective_scan(const Head& head, const Matrix& steps, const Matrix& rates);

}  // namespace headlight::reference
