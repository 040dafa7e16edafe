#pragma once

#include "tests/reference/attention.h"

namespace headlight::reference {

/// o_i - (o_i . v_i / v_i . v_i) v_i with o softmax attention, queries and keys of one sequence (Zhai 2026);
/// o_i itself where v_i is 0.
HeadResult exclusive_attention(const Head& head);

}  // namespace headlight::reference
