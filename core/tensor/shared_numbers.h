#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace headlight {

/// Numbers that no longer change and may belong to somebody else: a picture of a stage has those of the
/// trace. Copies share them.
class SharedNumbers {
public:
    SharedNumbers() = default;
    SharedNumbers(std::vector<double> numbers)  // NOLINT: a list of numbers is numbers
        : SharedNumbers(std::make_shared<const std::vector<double>>(std::move(numbers))) {}
    SharedNumbers(std::initializer_list<double> numbers) : SharedNumbers(std::vector<double>(numbers)) {}
    /// `numbers` are there as long as `owner` is.
    SharedNumbers(std::shared_ptr<const void> owner, std::span<const double> numbers)
        : owner_(std::move(owner)), numbers_(numbers) {}

    std::size_t size() const { return numbers_.size(); }
    bool empty() const { return numbers_.empty(); }
    const double* data() const { return numbers_.data(); }
    const double* begin() const { return numbers_.data(); }
    const double* end() const { return numbers_.data() + numbers_.size(); }
    double operator[](std::size_t i) const { return numbers_[i]; }

    SharedNumbers part(std::size_t first, std::size_t count) const {
        return {owner_, numbers_.subspan(first, count)};
    }
    /// To be changed, and assigned again.
    std::vector<double> copy() const { return {begin(), end()}; }

    friend bool operator==(const SharedNumbers& a, const SharedNumbers& b) {
        return std::ranges::equal(a.numbers_, b.numbers_);
    }

private:
    explicit SharedNumbers(const std::shared_ptr<const std::vector<double>>& numbers)
        : owner_(numbers), numbers_(*numbers) {}

    std::shared_ptr<const void> owner_;
    std::span<const double> numbers_;
};

}  // namespace headlight
