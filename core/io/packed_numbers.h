#pragma once

#include "core/tensor/tensor.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace headlight {

/// A list of numbers, or a matrix as a list of rows of equal length, as 8 bytes a number: what parse_json()
/// makes of the lists at the places that JsonRules::numbers names. As a json value each takes 16 bytes or
/// more. In a document it is a binary value, which JSON text cannot have.
class PackedNumbers {
public:
    /// Nothing for every other value. The document must outlive what is returned.
    static std::optional<PackedNumbers> find(const nlohmann::json& value);

    Index columns() const { return columns_; }  ///< 0: a list
    Index size() const { return static_cast<Index>(bytes_.size() / sizeof(double)); }
    double operator[](Index i) const;
    /// `to` has size() elements.
    void copy_to(std::span<double> to) const;
    /// [size], or [rows, columns].
    Tensor tensor() const;

private:
    PackedNumbers(std::span<const std::uint8_t> bytes, Index columns) : bytes_(bytes), columns_(columns) {}

    std::span<const std::uint8_t> bytes_;
    Index columns_;
};

/// Collects the elements of one list as the parser comes by them. begin_row(), end_row() and add() return
/// false for what cannot be packed: rows of different lengths, without a number or beside numbers, lists in
/// rows.
class NumberPacker {
public:
    bool add(double number);
    bool begin_row();
    bool end_row();

    bool is_in_row() const { return is_in_row_; }
    Index size() const { return static_cast<Index>(bytes_.size() / sizeof(double)); }
    double operator[](Index i) const;
    /// Whether element `i` is the first, or the last, of a row.
    bool begins_row(Index i) const;
    bool ends_row(Index i) const;

    /// As PackedNumbers::find() has it. The packer is empty afterwards.
    nlohmann::json packed();

private:
    std::vector<std::uint8_t> bytes_;
    Index columns_ = 0;    ///< of complete rows
    Index row_begin_ = 0;  ///< element behind the complete rows
    bool has_rows_ = false;
    bool is_in_row_ = false;
};

}  // namespace headlight
