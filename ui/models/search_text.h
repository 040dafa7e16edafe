#pragma once

#include <QString>

#include <vector>

namespace headlight {

/// A text as a search compares it: letters and digits alone, without case, accents, hyphens and spaces, so
/// that "multihead", "multi head" and "Multi-Head" are one.
class SearchText {
public:
    explicit SearchText(const QString& text);

    const QString& letters() const { return letters_; }
    bool contains(const SearchText& other) const { return letters_.contains(other.letters_); }
    /// Where the other stands in it. 0: it is all of it; 1: at its beginning; 2: at the beginning of a word;
    /// 3: in a word; 4: nowhere.
    int place_of(const SearchText& other) const;

private:
    QString letters_;
    std::vector<bool> begins_word_;  ///< of each letter
};

}  // namespace headlight
