#pragma once

#include "core/tensor/parallel.h"

namespace headlight::nn {

/// Numbers that a thread takes at a time, whatever the number of threads: sums are the same for all.
inline constexpr Index chunk_size = Index(1) << 15;

constexpr Index chunk_count(Index size) { return parts_of_size(size, chunk_size); }

/// Calls task(first, count) for all chunks of `size` numbers, on so many threads.
template <class Task>
void for_each_chunk(Index size, int threads, const Task& task) {
    parallel_for(chunk_count(size), threads, [&](Index number, int) {
        task(number * chunk_size, std::min(chunk_size, size - number * chunk_size));
    });
}

}  // namespace headlight::nn
