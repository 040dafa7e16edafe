#include "core/model/cache.h"

#include "core/nn/operations.h"

#include <algorithm>

namespace headlight {

template <class Real>
nn::Variable<Real> Cache<Real>::all() {
    if (numbers_.empty())
        return on_tape_;
    return {numbers_.data(), std::ssize(numbers_) / columns_, columns_};
}

template <class Real>
void Cache<Real>::append(nn::Tape<Real>& tape, nn::Variable<Real> more) {
    if (tape.differentiates()) {
        on_tape_ = on_tape_.rows > 0 ? nn::join_rows<Real>(tape, std::vector{on_tape_, more}) : more;
        return;
    }
    columns_ = more.columns;
    numbers_.insert(numbers_.end(), more.value, more.value + more.size());
}

template <class Real>
void Cache<Real>::truncate(Index rows) {
    if (rows < on_tape_.rows)
        on_tape_ = on_tape_.row_range(0, rows);
    const auto most = static_cast<std::size_t>(rows * columns_);
    numbers_.resize(std::min(numbers_.size(), most));
}

std::shared_ptr<TextCache> TextCache::behind(const std::shared_ptr<TextCache>& cache, Index steps) {
    const bool is_wanted = std::any_of(cache->steps_.begin() + steps, cache->steps_.end(),
                                       [](const auto& step) { return !step.expired(); });
    std::shared_ptr<TextCache> next = is_wanted ? std::make_shared<TextCache>(*cache) : cache;
    next->truncate(steps);
    return next;
}

std::shared_ptr<const void> TextCache::add_step() {
    auto step = std::make_shared<const char>();
    steps_.emplace_back(step);
    return step;
}

void TextCache::truncate(Index steps) {
    steps_.resize(static_cast<std::size_t>(steps));
    for (LayerCache<float>& layer : layers)
        layer.truncate(steps * batch_);
}

template class Cache<float>;
template class Cache<double>;

}  // namespace headlight
