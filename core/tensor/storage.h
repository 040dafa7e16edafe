#pragma once

#include "core/tensor/index.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace headlight {

/// Returns `bytes` zeros that begin on a cache line; throws std::bad_alloc. Many of them are not touched
/// until somebody uses them: that would take as long as an interrupted run may go on, and the threads that
/// write them are the ones to touch them first.
std::shared_ptr<void> zeroed_memory(std::size_t bytes);

/// Numbers without a shape, owned or kept alive: zeros on a cache line, a vector that was moved in, or those
/// of somebody else. Copies share them; a pointer to them is good while one of the copies is there.
template <class T>
class Storage {
public:
    using Number = std::remove_const_t<T>;

    Storage() = default;
    /// Makes `size` zeros, as zeroed_memory() does.
    explicit Storage(Index size) requires(!std::is_const_v<T>) : size_(static_cast<std::size_t>(size)) {
        if (size == 0)
            return;
        const auto memory = zeroed_memory(size_ * sizeof(T));
        numbers_ = {memory, static_cast<T*>(memory.get())};
    }
    Storage(std::vector<Number> numbers)  // NOLINT: a list of numbers is numbers
        : Storage(std::make_shared<std::vector<Number>>(std::move(numbers))) {}
    Storage(std::initializer_list<Number> numbers) : Storage(std::vector<Number>(numbers)) {}
    /// Keeps `owner`, without which `numbers` would go.
    Storage(const std::shared_ptr<const void>& owner, std::span<T> numbers)
        : numbers_(owner, numbers.data()), size_(numbers.size()) {}
    Storage(const Storage&) = default;
    Storage(Storage&& other) noexcept
        : numbers_(std::move(other.numbers_)), size_(std::exchange(other.size_, 0)) {}
    Storage& operator=(Storage other) noexcept {
        numbers_ = std::move(other.numbers_);
        size_ = other.size_;
        return *this;
    }
    ~Storage() = default;

    operator Storage<const T>() const  // NOLINT: who reads may have what can be written
        requires(!std::is_const_v<T>) {
        return {numbers_, {data(), size_}};
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T* data() const { return numbers_.get(); }
    T* begin() const { return data(); }
    T* end() const { return data() + size_; }
    T& operator[](std::size_t i) const { return data()[i]; }
    std::span<T> span() const { return {data(), size_}; }

    /// Whether a copy, or a part, shares them.
    bool is_shared() const { return numbers_.use_count() > 1; }
    Storage part(std::size_t first, std::size_t count) const {
        return {numbers_, span().subspan(first, count)};
    }
    /// Returns the same numbers in a storage of their own.
    Storage<Number> duplicate() const {
        Storage<Number> result(static_cast<Index>(size_));
        std::copy_n(data(), size_, result.data());
        return result;
    }
    /// Returns the numbers to be changed, and assigned again.
    std::vector<Number> copy() const { return {begin(), end()}; }

    friend bool operator==(const Storage& a, const Storage& b) {
        return std::ranges::equal(a.span(), b.span());
    }

private:
    explicit Storage(const std::shared_ptr<std::vector<Number>>& numbers)
        : numbers_(numbers, numbers->data()), size_(numbers->size()) {}

    std::shared_ptr<T> numbers_;
    std::size_t size_ = 0;
};

}  // namespace headlight
