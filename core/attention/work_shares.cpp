#include "core/attention/work_shares.h"

#include "core/kernels/multiply_in_parts.h"
#include "core/tensor/extents.h"

#include <omp.h>

#include <algorithm>

namespace headlight {
namespace {

/// Multiply-adds that one tanh of an energy is worth.
constexpr double activation_work = 16;

}  // namespace

Index product_rows(Index depth, Index columns) {
    constexpr Index most = 64;
    return kernels::rows_within(elements(depth, columns), most);
}

Index block_queries(const Plan& plan, std::size_t element_size) {
    constexpr Index cache_bytes = Index(256) * 1024;
    const Index cached =
        std::clamp<Index>(cache_bytes / (plan.keys * static_cast<Index>(element_size)), 8, 64);
    const double of_a_pair = static_cast<double>(plan.head_query_width() + plan.head_value_width()) +
                             activation_work * static_cast<double>(plan.attention_width);
    return kernels::rows_within(static_cast<double>(plan.keys) * of_a_pair, cached);
}

bool has_room_for_all_maps(const Plan& plan) {
    constexpr double most_numbers = 0x1p23;  // 64 MB of doubles
    return elements(plan.heads, plan.queries, plan.keys) <= most_numbers;
}

/// Short sentences run in the caller's thread: below a millisecond, waking others and waiting for them costs
/// more than they bring, and on a busy machine much more.
int threads_for(const Plan& plan) {
    constexpr double worth_sharing = 3e7;
    const auto n = static_cast<double>(plan.queries), m = static_cast<double>(plan.keys);
    const double width = static_cast<double>(plan.query_width + plan.context_width());
    const double energies = activation_work * static_cast<double>(plan.attention_width * plan.heads);
    const double multiplications = n * m * (width + energies) + (n + m) * width * width;
    return multiplications < worth_sharing ? 1 : omp_get_max_threads();
}

}  // namespace headlight
