#include "core/attention/lazy_maps.h"

#include "core/tensor/parallel.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <limits>

namespace headlight {

LazyMaps::LazyMaps(Index heads, Index queries, Index keys, Read read, MapOrigin origin, bool keeps_maps)
    : heads_(heads), queries_(queries), keys_(keys), read_(std::move(read)), origin_(std::move(origin)),
      keeps_maps_(keeps_maps && queries * keys <= most_kept),
      numbers_(keeps_maps_ ? element_count({heads, queries, keys}) : 0),
      states_(std::make_unique<State[]>(static_cast<std::size_t>(heads))) {}

void LazyMaps::require_kept() const {
    if (!keeps_maps_)
        throw Error({"read a whole map", "weights", "at most " + std::to_string(most_kept) + " numbers",
                     std::to_string(queries_) + " × " + std::to_string(keys_)});
}

std::span<const double> LazyMaps::head(Index head) const {
    require_kept();
    const auto size = static_cast<std::size_t>(queries_ * keys_);
    const auto map = numbers_.span().subspan(static_cast<std::size_t>(head) * size, size);
    State& state = states_[static_cast<std::size_t>(head)];
    if (state.is_read.load(std::memory_order_acquire))
        return map;
    const std::lock_guard reading(state.mutex);
    if (state.is_read.load(std::memory_order_relaxed))
        return map;
    try {
        read_(head, 0, queries_, map);
    } catch (const Error& error) {
        std::ranges::fill(map, std::numeric_limits<double>::quiet_NaN());
        const std::lock_guard lock(problem_mutex_);
        problem_ = error.what();
    }
    state.is_read.store(true, std::memory_order_release);
    return map;
}

std::span<const double> LazyMaps::all() const {
    require_kept();  // outside the parallel loop, which no exception leaves
    parallel_for(heads_, omp_get_max_threads(), [this](Index each, int) { head(each); });
    return numbers_.span();
}

void LazyMaps::read_rows(Index head, Index first, Index count, std::span<double> to) const {
    read_(head, first, count, to);
}

std::string LazyMaps::problem() const {
    const std::lock_guard lock(problem_mutex_);
    return problem_;
}

}  // namespace headlight
