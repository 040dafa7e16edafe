#include "core/tensor/matrix_view.h"
#include "core/tensor/storage.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace headlight::matrix_view_test { namespace {

/// [3, 4]: 0 1 2 3, 4 5 6 7, 8 9 10 11.
std::vector<double> twelve() {
    std::vector<double> numbers(12);
    std::iota(numbers.begin(), numbers.end(), 0.0);
    return numbers;
}

TEST(MatrixView, ReadsRowsThatAreApart) {
    std::vector<double> numbers = twelve();
    const MatrixView<double> matrix{.data = numbers.data(), .rows = 3, .columns = 2, .stride = 4};
    EXPECT_EQ(matrix.row(2)[1], 9);
    EXPECT_EQ(matrix(1, 1), 5);
    matrix(1, 1) = -1;
    EXPECT_EQ(numbers[5], -1);
}

TEST(MatrixView, HasPartsWithoutCopying) {
    std::vector<double> numbers = twelve();
    const MatrixView<double> matrix = row_major(numbers.data(), 3, 4);
    const auto head = matrix.column_range(2, 2);
    EXPECT_EQ(head.columns, 2);
    EXPECT_EQ(head.rows, 3);
    EXPECT_EQ(head.row(1)[0], 6);
    const auto later = matrix.row_range(1, 2);
    EXPECT_EQ(later.rows, 2);
    EXPECT_EQ(later(1, 3), 11);
    EXPECT_EQ(later.column_range(1, 3).data, numbers.data() + 5);
    EXPECT_EQ(matrix.row_range(3, 0).rows, 0);
}

TEST(MatrixView, IsTransposedByExchangingStrideAndStep) {
    std::vector<double> numbers = twelve();
    const auto transposed = row_major(numbers.data(), 3, 4).column_range(1, 3).transposed();
    EXPECT_EQ(transposed.rows, 3);
    EXPECT_EQ(transposed.stride, 1);
    EXPECT_EQ(transposed.step, 4);
    EXPECT_EQ(transposed(0, 2), 9);
    EXPECT_EQ(transposed.column_range(1, 2).row_range(1, 1)(0, 0), 6);
    EXPECT_EQ(transposed.transposed().row(2)[0], 9);
}

TEST(MatrixView, IsReadByWhoMayNotWrite) {
    std::vector<double> numbers = twelve();
    const MatrixView<const double> read = row_major(numbers.data(), 3, 4).transposed();
    EXPECT_EQ(read(3, 1), 7);
    static_assert(!std::is_convertible_v<MatrixView<const double>, MatrixView<double>>);
    static_assert(std::is_aggregate_v<MatrixView<double>> && sizeof(MatrixView<double>) == 5 * sizeof(Index));
}

TEST(Storage, IsZeroAndBeginsOnACacheLineWhateverItsSize) {
    for (const Index size :
         {Index(0), Index(1), Index(7), Index(100'000), Index(1) << 18, (Index(5) << 20) + 3}) {
        const Storage<double> storage(size);
        EXPECT_EQ(std::ssize(storage), size);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(storage.data()) % 64, 0U) << size;
        EXPECT_TRUE(std::ranges::all_of(storage, [](double number) { return number == 0; })) << size;
    }
    EXPECT_TRUE(Storage<float>().empty());
}

TEST(Storage, IsSharedByItsCopies) {
    Storage<double> storage(4);
    EXPECT_FALSE(storage.is_shared());
    {
        const Storage<double> copy = storage;
        EXPECT_TRUE(storage.is_shared());
        copy[2] = 5;
        EXPECT_EQ(storage[2], 5);
    }
    EXPECT_FALSE(storage.is_shared());
    const Storage<double> own = storage.duplicate();
    storage[2] = 6;
    EXPECT_EQ(own, (Storage<double>{0, 0, 5, 0}));
    const Storage<const double> part = storage.part(2, 2);
    EXPECT_TRUE(storage.is_shared());
    storage = {};
    EXPECT_EQ(part.copy(), (std::vector<double>{6, 0}));
}

TEST(Storage, KeepsWhatItWasGiven) {
    std::vector<double> numbers = twelve();
    const double* at = numbers.data();
    const Storage<const double> moved = std::move(numbers);
    EXPECT_EQ(moved.data(), at);
    auto owner = std::make_shared<std::vector<double>>(twelve());
    const Storage<const double> kept(owner, std::span<const double>(*owner).subspan(4, 4));
    owner.reset();
    EXPECT_EQ(kept, (Storage<const double>{4, 5, 6, 7}));
}

}}  // namespace headlight::matrix_view_test
