#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// A text as a search compares it: letters and digits alone, without case, accents, hyphens and spaces, so
/// that "multihead", "multi head" and "Multi-Head" are one.
class SearchText {
public:
    SearchText() = default;
    explicit SearchText(std::string_view text);

    /// Where another text stands in it, best first.
    enum Place { all, beginning, beginning_of_word, in_word, nowhere };
    Place place_of(const SearchText& other) const;
    bool contains(const SearchText& other) const { return place_of(other) != nowhere; }
    /// Whether the other one stands in it, and not only from one word into the midst of another, as "theme"
    /// in "the mechanism".
    bool has_word_of(const SearchText& other) const;
    /// Whether the other one, or all but one letter of it, stands at the beginning of a word: a letter that
    /// is missing, one too many, another one, or two neighbours that changed places. No digit is taken for
    /// another.
    bool nearly_begins_word(const SearchText& other) const;

    /// Returns those of its letters that a plain ASCII name can have: "gulcehre" of "Gülçehre".
    std::string ascii() const;

    std::size_t size() const { return letters_.size(); }
    bool is_empty() const { return letters_.empty(); }
    bool operator==(const SearchText& other) const { return letters_ == other.letters_; }

private:
    std::u32string letters_;
    std::vector<bool> begins_word_;  ///< [letter]
};

}  // namespace headlight
