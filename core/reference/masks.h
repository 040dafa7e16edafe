#pragma once

#include <cstddef>
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

Allowed both(const Allowed& a, const Allowed& b);
Allowed either(const Allowed& a, const Allowed& b);
Allowed opposite(const Allowed& a);

}  // namespace headlight::reference
