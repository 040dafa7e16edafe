#pragma once

#include "core/tensor/interruption.h"
#include "core/tensor/tensor.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace headlight {

/// Numbers that are there, or that follow from their places: masks, distances, buckets. Many of those are
/// made only when all are asked for at once; one of them can be known before.
template <class Number>
class FromPlaces {
public:
    FromPlaces() : numbers_(none()) {}
    FromPlaces(std::vector<Number> numbers)  // NOLINT: numbers that are there
        : numbers_(std::make_shared<Numbers>(std::move(numbers))) {}
    FromPlaces(std::initializer_list<Number> numbers) : FromPlaces(std::vector<Number>(numbers)) {}
    /// `number(i)` is asked for as long as a copy of this is there: it holds by value what it reads.
    FromPlaces(Index count, std::function<Number(Index)> number)
        : numbers_(std::make_shared<Numbers>(count, std::move(number))) {
        if (count <= made_at_once)
            all();
    }

    Index size() const { return numbers_->count; }
    bool are_there() const { return numbers_->are_there; }
    Number operator[](Index i) const {
        return are_there() ? numbers_->made[static_cast<std::size_t>(i)] : numbers_->number(i);
    }
    const std::vector<Number>& all() const {
        if (!are_there())
            numbers_->make();
        return numbers_->made;
    }
    operator const std::vector<Number>&() const { return all(); }  // NOLINT: to be read as numbers

    /// Compares all numbers, or some of them where they are not there.
    bool operator==(const FromPlaces& other) const {
        if (numbers_ == other.numbers_)
            return true;
        if (size() != other.size())
            return false;
        if (are_there() && other.are_there())
            return all() == other.all();
        const Index step = size() / looked_at | 1;  // odd: no column of a map is passed over
        for (Index i = 0; i < size(); i += step)
            if ((*this)[i] != other[i])
                return false;
        return true;
    }

private:
    static constexpr Index made_at_once = 1 << 16, looked_at = 1 << 10;

    struct Numbers {
        explicit Numbers(std::vector<Number> numbers)
            : count(std::ssize(numbers)), made(std::move(numbers)), are_there(true) {}
        Numbers(Index the_count, std::function<Number(Index)> the_number)
            : count(the_count), number(std::move(the_number)) {}

        /// Whoever is interrupted leaves nothing half made.
        void make() {
            const std::lock_guard lock(making);
            if (are_there)
                return;
            std::vector<Number> all;
            all.reserve(static_cast<std::size_t>(count));
            for (Index i = 0; i < count; ++i) {
                if (i % made_at_once == 0)
                    Interruption::check();
                all.push_back(number(i));
            }
            made = std::move(all);
            are_there = true;
        }

        Index count = 0;
        std::function<Number(Index)> number;
        std::vector<Number> made;
        std::atomic<bool> are_there = false;
        std::mutex making;
    };
    /// Most nodes have no places: these are one for all.
    static const std::shared_ptr<Numbers>& none() {
        static const auto empty = std::make_shared<Numbers>(std::vector<Number>());
        return empty;
    }
    std::shared_ptr<Numbers> numbers_;
};

}  // namespace headlight
