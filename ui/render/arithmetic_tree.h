#pragma once

#include <QString>

#include <vector>

namespace headlight {

struct ArithmeticFactor;

/// Factors with the signs between them: "0.5 × 2 + 1".
using ArithmeticRow = std::vector<ArithmeticFactor>;

/// A part of a factor of printed arithmetic.
struct ArithmeticAtom {
    enum class Kind { run, brackets, root, power, fraction };
    Kind kind = Kind::run;
    QString text;          ///< of a run: a number, a word, a token in quotes; of brackets both: "()"
    ArithmeticRow inside;  ///< of brackets and roots; the exponent of a power; what stands above a fraction
    ArithmeticRow below;   ///< of a fraction
};

/// What stands between two signs: "exp(0.3)" is two atoms, a word and brackets.
struct ArithmeticFactor {
    QString joint;  ///< the sign before it with its spaces, " + "; empty at the start of a row
    std::vector<ArithmeticAtom> atoms;
};

/// The structure of a line as explain_cell() writes it: "q · k / √d = (1.2 × 0.3 + 0.5 × (−1)) / √4". A
/// quotient is a fraction where its sides are no words of several. Of a line that it cannot read, as one
/// whose brackets do not match, its words.
ArithmeticRow arithmetic_row(const QString& line);

/// The words of a text that is no arithmetic.
ArithmeticRow words_row(const QString& text);

}  // namespace headlight
