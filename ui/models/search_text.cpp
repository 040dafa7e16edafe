#include "ui/models/search_text.h"

namespace headlight {

SearchText::SearchText(const QString& text) {
    bool is_in_word = false;
    for (const QChar each : text.normalized(QString::NormalizationForm_KD).toCaseFolded()) {
        if (each.isMark())  // what is left of an accent
            continue;
        if (each.isLetterOrNumber() || each.isSurrogate()) {
            letters_ += each;
            begins_word_.push_back(!is_in_word);
        }
        is_in_word = each.isLetterOrNumber() || each.isSurrogate();
    }
}

int SearchText::place_of(const SearchText& other) const {
    const qsizetype at = letters_.indexOf(other.letters_);
    if (at < 0)
        return 4;
    if (at == 0)
        return letters_.size() == other.letters_.size() ? 0 : 1;
    return begins_word_[static_cast<std::size_t>(at)] ? 2 : 3;
}

}  // namespace headlight
