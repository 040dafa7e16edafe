#include "core/io/packed_numbers.h"

#include <cstring>

namespace headlight {

using nlohmann::json;

namespace {

double number_at(std::span<const std::uint8_t> bytes, Index i) {
    double number = 0;
    std::memcpy(&number, bytes.data() + static_cast<std::size_t>(i) * sizeof number, sizeof number);
    return number;
}

}  // namespace

std::optional<PackedNumbers> PackedNumbers::find(const json& value) {
    if (!value.is_binary())
        return std::nullopt;
    const json::binary_t& binary = value.get_binary();
    return PackedNumbers(binary, static_cast<Index>(binary.subtype()));
}

double PackedNumbers::operator[](Index i) const { return number_at(bytes_, i); }

void PackedNumbers::copy_to(std::span<double> to) const {
    if (!bytes_.empty())
        std::memcpy(to.data(), bytes_.data(), bytes_.size());
}

Tensor PackedNumbers::tensor() const {
    Tensor tensor(columns_ == 0 ? Shape{size()} : Shape{size() / columns_, columns_});
    copy_to(tensor.values());
    return tensor;
}

double NumberPacker::operator[](Index i) const { return number_at(bytes_, i); }

bool NumberPacker::add(double number) {
    if (has_rows_ && !is_in_row_)
        return false;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&number);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof number);
    return true;
}

bool NumberPacker::begin_row() {
    if (is_in_row_ || (!has_rows_ && size() > 0))
        return false;
    has_rows_ = is_in_row_ = true;
    return true;
}

bool NumberPacker::end_row() {
    const Index length = size() - row_begin_;
    if (length == 0 || (columns_ != 0 && length != columns_))
        return false;
    columns_ = length;
    row_begin_ = size();
    is_in_row_ = false;
    return true;
}

bool NumberPacker::begins_row(Index i) const {
    return has_rows_ && (i == row_begin_ || (i < row_begin_ && i % columns_ == 0));
}

bool NumberPacker::ends_row(Index i) const { return i < row_begin_ && i % columns_ == columns_ - 1; }

json NumberPacker::packed() {
    bytes_.shrink_to_fit();
    json value = json::binary(std::move(bytes_), static_cast<json::binary_t::subtype_type>(columns_));
    *this = {};
    return value;
}

}  // namespace headlight
