#include "core/reference/masks.h"

namespace headlight::reference {

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
