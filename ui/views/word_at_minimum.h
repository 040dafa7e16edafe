#pragma once

class QAbstractSpinBox;
class QString;

namespace headlight {

/// The field shows a word in place of its least number. A click selects all of the word, so that a number can
/// be typed over it: the field takes none in the middle of a word.
void show_word_at_minimum(QAbstractSpinBox& field, const QString& word);

}  // namespace headlight
