// Copies an OpenType font without the features that rewrite what is written: plain_font FROM TO FAMILY.
//
// Inter draws "->" as an arrow and "3x4" with a multiplication sign (its contextual alternates). Headlight
// shows the tokens of a model and what a person types, each character as it is, and QFont of Qt 6.4 cannot
// switch a feature off. So the font's own table of substitutions, GSUB, is told that these features consist
// of nothing. Kerning, accents and all glyphs stay. The copy has a family name of its own: under the name of
// a font that the system has too, Qt may choose the system's.

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

/// The features that are on unless somebody switches them off, and that put glyphs in place of other
/// characters'.
constexpr std::array<std::string_view, 3> rewriting{"calt", "clig", "liga"};

/// The bytes of a font; every number in it begins with its highest byte.
class Font {
public:
    explicit Font(std::string bytes) : bytes_(std::move(bytes)) {}

    const std::string& bytes() const { return bytes_; }
    std::string_view tag(std::size_t at) const { return std::string_view(bytes_).substr(checked(at, 4), 4); }
    std::size_t number(std::size_t at, std::size_t bytes) const {
        std::size_t value = 0;
        for (std::size_t i = checked(at, bytes); i < at + bytes; ++i)
            value = value << 8 | static_cast<unsigned char>(bytes_[i]);
        return value;
    }
    std::string text(std::size_t at, std::size_t bytes) const {
        return bytes_.substr(checked(at, bytes), bytes);
    }
    std::size_t size() const { return bytes_.size(); }
    void append(std::string_view bytes) { bytes_ += bytes; }
    void set_number(std::size_t at, std::size_t bytes, std::size_t value) {
        for (std::size_t i = checked(at, bytes) + bytes; i-- > at; value >>= 8)
            bytes_[i] = static_cast<char>(value & 0xFF);
    }

private:
    std::size_t checked(std::size_t at, std::size_t bytes) const {
        if (at > bytes_.size() || bytes_.size() - at < bytes)
            throw std::runtime_error("the font ends early");
        return at;
    }

    std::string bytes_;
};

struct Table {
    std::size_t entry;  ///< its place in the font's directory
    std::size_t begin, length;
};

std::optional<Table> find_table(const Font& font, std::string_view name) {
    constexpr std::size_t count_at = 4, header = 12, entry_size = 16;
    for (std::size_t i = 0; i < font.number(count_at, 2); ++i)
        if (const std::size_t entry = header + entry_size * i; font.tag(entry) == name)
            return Table{entry, font.number(entry + 8, 4), font.number(entry + 12, 4)};
    return std::nullopt;
}

/// Returns the sum of the numbers of four bytes, the last of them filled up with zeros.
std::uint32_t sum_of(const Font& font, std::size_t begin, std::size_t length) {
    std::uint32_t sum = 0;
    for (std::size_t at = begin; at < begin + length; at += 4) {
        const std::size_t bytes = std::min<std::size_t>(4, begin + length - at);
        sum += static_cast<std::uint32_t>(font.number(at, bytes) << 8 * (4 - bytes));
    }
    return sum;
}

/// The directory then says where the table is and what its sum is.
void write_entry(Font& font, const Table& table) {
    font.set_number(table.entry + 4, 4, sum_of(font, table.begin, table.length));
    font.set_number(table.entry + 8, 4, table.begin);
    font.set_number(table.entry + 12, 4, table.length);
}

/// Leaves the features in the list, so that nothing that counts them changes, and takes their lookups.
void empty_features(Font& font) {
    const auto substitutions = find_table(font, "GSUB");
    if (!substitutions)
        return;
    const std::size_t list = substitutions->begin + font.number(substitutions->begin + 6, 2);
    for (std::size_t i = 0; i < font.number(list, 2); ++i) {
        const std::size_t record = list + 2 + 6 * i;
        if (std::ranges::find(rewriting, font.tag(record)) != rewriting.end())
            font.set_number(list + font.number(record + 4, 2) + 2, 2, 0);
    }
    write_entry(font, *substitutions);
}

/// Writes the table of names anew behind all others, with the family's behind the names that are there.
/// `family` is ASCII.
void rename_family(Font& font, std::string_view family) {
    const auto names = find_table(font, "name");
    if (!names)
        throw std::runtime_error("the font has no names");
    std::string wide;
    for (const char letter : family)
        wide += {'\0', letter};
    font.append(std::string((4 - font.size() % 4) % 4, '\0'));
    const Table renamed{names->entry, font.size(), names->length + wide.size()};
    font.append(font.text(names->begin, names->length));
    font.append(wide);
    const std::size_t strings = font.number(renamed.begin + 4, 2);
    for (std::size_t i = 0; i < font.number(renamed.begin + 2, 2); ++i) {
        constexpr std::size_t windows = 3, family_name = 1, typographic_family_name = 16;
        const std::size_t record = renamed.begin + 6 + 12 * i, meaning = font.number(record + 6, 2);
        if (font.number(record, 2) != windows ||
            (meaning != family_name && meaning != typographic_family_name))
            continue;
        font.set_number(record + 8, 2, wide.size());
        font.set_number(record + 10, 2, names->length - strings);
    }
    write_entry(font, renamed);
}

/// The sum of the whole font with this number in it is a constant (OpenType, "head").
void write_adjustment(Font& font) {
    constexpr std::uint32_t sum_of_a_font = 0xB1B0AFBA;
    const auto head = find_table(font, "head");
    if (!head)
        throw std::runtime_error("the font has no head");
    font.set_number(head->begin + 8, 4, 0);
    font.set_number(head->begin + 8, 4, sum_of_a_font - sum_of(font, 0, font.size()));
}

}  // namespace

int main(int count, char** arguments) try {
    if (count != 4)
        throw std::runtime_error("usage: plain_font FROM TO FAMILY");
    std::ifstream in(arguments[1], std::ios::binary);
    Font font(std::string(std::istreambuf_iterator<char>(in), {}));
    empty_features(font);
    rename_family(font, arguments[3]);
    write_adjustment(font);
    std::ofstream out(arguments[2], std::ios::binary);
    if (!(out << font.bytes()) || !out.flush())
        throw std::runtime_error(std::string("cannot write ") + arguments[2]);
} catch (const std::exception& error) {
    std::cerr << "plain_font: " << error.what() << '\n';
    return 1;
}
