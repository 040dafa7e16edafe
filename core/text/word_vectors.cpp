#include "core/text/word_vectors.h"

#include "core/tensor/error.h"
#include "core/text/plain_letters.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <string>

// Placed in the program by headlight_embed() in CMakeLists.txt.
extern "C" const std::byte headlight_english_vectors[], headlight_english_vectors_end[];

namespace headlight {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::size_t length_size = 8;
constexpr std::size_t header_limit = 64 << 10;
constexpr std::uint64_t word_limit = 1 << 24;
constexpr std::uint64_t dimension_limit = 4096;

[[noreturn]] void refuse(const std::string& where, const std::string& expected, const std::string& got) {
    throw Error({.what = "read word vectors", .where = where, .expected = expected, .got = got});
}

template <class Unsigned>
Unsigned little_endian(Bytes bytes, std::size_t at) {
    Unsigned value = 0;
    for (std::size_t i = sizeof(Unsigned); i-- > 0;)
        value = static_cast<Unsigned>(value << 8 | std::to_integer<Unsigned>(bytes[at + i]));
    return value;
}

std::uint32_t word_end(Bytes offsets, std::size_t index) {
    return little_endian<std::uint32_t>(offsets, 4 * index);
}

float scale_of(Bytes scales, std::size_t row) {
    return std::bit_cast<float>(little_endian<std::uint32_t>(scales, 4 * row));
}

/// Hands out the tensors of a safetensors file in the one order and with the types that the format fixes.
class Sections {
public:
    explicit Sections(Bytes bytes) {
        if (bytes.size() < length_size)
            refuse("byte 0", "a header length of 8 bytes", std::to_string(bytes.size()) + " bytes");
        const auto length = little_endian<std::uint64_t>(bytes, 0);
        if (length > std::min(header_limit, bytes.size() - length_size))
            refuse("byte 0", "a header of at most 64 KiB inside the file", std::to_string(length) + " bytes");
        const Bytes text = bytes.subspan(length_size, static_cast<std::size_t>(length));
        data_ = bytes.subspan(length_size + text.size());
        const char* first = reinterpret_cast<const char*>(text.data());
        header_ = nlohmann::json::parse(first, first + text.size(), nullptr, false);
        if (!header_.is_object())
            refuse("byte 8", "a JSON object", excerpt(std::string(first, text.size())));
    }

    std::string metadata(const std::string& key) const {
        const auto pointer = nlohmann::json::json_pointer("/__metadata__/" + key);
        if (!header_.contains(pointer) || !header_[pointer].is_string())
            refuse("/__metadata__/" + key, "a string", "none");
        return header_[pointer].get<std::string>();
    }

    /// The extents of a tensor of `rank` axes, each from 1 to 2^32.
    std::vector<std::uint64_t> shape(const std::string& name, std::size_t rank) const {
        const auto pointer = nlohmann::json::json_pointer("/" + name + "/shape");
        const nlohmann::json shape = header_.contains(pointer) ? header_[pointer] : nlohmann::json();
        const auto is_extent = [](const nlohmann::json& extent) {
            return extent.is_number_unsigned() && extent.get<std::uint64_t>() - 1 < (std::uint64_t(1) << 32);
        };
        if (!shape.is_array() || shape.size() != rank || !std::all_of(shape.begin(), shape.end(), is_extent))
            refuse("/" + name + "/shape", std::to_string(rank) + " positive extents", excerpt(shape.dump()));
        return shape.get<std::vector<std::uint64_t>>();
    }

    Bytes next(const std::string& name, const std::string& type, std::uint64_t byte_count) {
        const nlohmann::json tensor = header_.value(name, nlohmann::json::object());
        const nlohmann::json place = {end_, end_ + byte_count};
        if (!tensor.is_object() || tensor.value("dtype", nlohmann::json()) != type)
            refuse("/" + name, "type " + type, excerpt(tensor.dump()));
        if (tensor.value("data_offsets", nlohmann::json()) != place || end_ + byte_count > data_.size())
            refuse("/" + name + "/data_offsets", place.dump() + " inside the file", excerpt(tensor.dump()));
        const Bytes bytes = data_.subspan(end_, static_cast<std::size_t>(byte_count));
        end_ += bytes.size();
        return bytes;
    }

    void require_end() const {
        if (end_ != data_.size())
            refuse("byte " + std::to_string(end_), "the end of the data",
                   std::to_string(data_.size() - end_) + " more bytes");
    }

private:
    nlohmann::json header_;
    Bytes data_;
    std::size_t end_ = 0;
};

double parse_norm(const std::string& text) {
    double norm = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), norm);
    if (error != std::errc() || end != text.data() + text.size() || !(norm > 0) || !std::isfinite(norm))
        refuse("/__metadata__/typical_norm", "a positive number", excerpt(text));
    return norm;
}

std::string_view without_possessive(std::string_view word) {
    for (const std::string_view ending : {"'s", "'"})
        if (word.size() > ending.size() && word.ends_with(ending))
            return word.substr(0, word.size() - ending.size());
    return word;
}

}  // namespace

struct WordVectors::Table {
    Bytes offsets;  ///< u32 [size + 1]: where each word begins in `words`, and the end of the last
    Bytes scales;   ///< f32 [size]: what one level of a row is worth
    Bytes levels;   ///< i8 [size, dimension]
    Bytes words;    ///< UTF-8, ascending, one after another
    std::size_t size = 0;
    std::size_t dimension = 0;
    double typical_norm = 0;

    std::string_view word(std::size_t row) const {
        const std::uint32_t begin = word_end(offsets, row);
        return {reinterpret_cast<const char*>(words.data()) + begin, word_end(offsets, row + 1) - begin};
    }

    void check() const {
        if (word_end(offsets, 0) != 0 || word_end(offsets, size) != words.size())
            refuse("/offsets", "offsets from 0 to " + std::to_string(words.size()), "others");
        for (std::size_t row = 0; row < size; ++row) {
            const std::string where = "row " + std::to_string(row);
            if (word_end(offsets, row) >= word_end(offsets, row + 1) ||
                word_end(offsets, row + 1) > words.size())
                refuse(where, "ascending offsets", std::to_string(word_end(offsets, row + 1)));
            if (row > 0 && word(row - 1) >= word(row))
                refuse(where, "words in ascending order", excerpt(std::string(word(row))));
            if (const float scale = scale_of(scales, row); !std::isfinite(scale) || scale < 0)
                refuse(where, "a finite scale", std::to_string(scale));
        }
    }

    std::optional<std::vector<double>> find(std::string_view wanted) const {
        std::size_t low = 0;
        for (std::size_t high = size; low < high;) {
            const std::size_t middle = (low + high) / 2;
            word(middle) < wanted ? low = middle + 1 : high = middle;
        }
        if (low == size || word(low) != wanted)
            return std::nullopt;
        std::vector<double> vector(dimension);
        for (std::size_t c = 0; c < dimension; ++c)
            vector[c] =
                double(scale_of(scales, low)) * std::to_integer<std::int8_t>(levels[low * dimension + c]);
        return vector;
    }
};

WordVectors::WordVectors(Bytes bytes) {
    Sections sections(bytes);
    if (const std::string format = sections.metadata("format"); format != "headlight-word-vectors/1")
        refuse("/__metadata__/format", "\"headlight-word-vectors/1\"", excerpt(format));
    const auto shape = sections.shape("vectors", 2);
    if (shape[0] > word_limit || shape[1] > dimension_limit)
        refuse("/vectors/shape", "at most 2^24 words of at most 4096 numbers", nlohmann::json(shape).dump());

    Table table;
    table.size = static_cast<std::size_t>(shape[0]);
    table.dimension = static_cast<std::size_t>(shape[1]);
    table.typical_norm = parse_norm(sections.metadata("typical_norm"));
    table.offsets = sections.next("offsets", "U32", 4 * (shape[0] + 1));
    table.scales = sections.next("scales", "F32", 4 * shape[0]);
    table.levels = sections.next("vectors", "I8", shape[0] * shape[1]);
    table.words = sections.next("words", "U8", sections.shape("words", 1)[0]);
    sections.require_end();
    table.check();
    table_ = std::make_shared<const Table>(table);
}

Index WordVectors::size() const { return static_cast<Index>(table_->size); }
Index WordVectors::dimension() const { return static_cast<Index>(table_->dimension); }
double WordVectors::typical_norm() const { return table_->typical_norm; }

std::optional<std::vector<double>> WordVectors::find(std::string_view word) const {
    if (auto vector = table_->find(word))
        return vector;
    const std::string plain = plain_case(word);
    for (const std::string& form : {plain, without_marks(plain)})
        for (const std::string_view spelling : {std::string_view(form), without_possessive(form)})
            if (auto vector = table_->find(spelling))
                return vector;
    return std::nullopt;
}

const WordVectors& english_word_vectors() {
    static const WordVectors vectors(Bytes(headlight_english_vectors, headlight_english_vectors_end));
    return vectors;
}

}  // namespace headlight
