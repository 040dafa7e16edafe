#pragma once

#include "ui/views/cell_report.h"

#include <QString>

#include <functional>

namespace headlight {

/// “river”; a token of a right-to-left script does not reorder the sentence around it.
QString quoted_token(const std::string& label);

/// "“river” looks at “bank”: weight 0.31": one sentence about a place, for tooltips and screen readers.
QString cell_sentence(const Trace& trace, const CellPlace& place, const Selection& selection);

/// "“river” → “bank”", or what a row, column or cell of features is called.
QString place_title(const CellReport& report);

/// `text` for a label that lays out lines of a document: these take their direction from the first letter,
/// isolated or not, and a line that begins with a token of a right-to-left script would be that token's.
QString in_own_direction(const QString& text);

/// `text` for a label that wraps, which breaks its lines at blanks alone: “</s>” is no two words. A long
/// word, for which a narrow panel may have no room, is still broken where Unicode allows it.
QString with_whole_words(const QString& text);

/// "Head 2 · Scaled scores"
QString place_subtitle(const Trace& trace, const CellPlace& place);
/// The same where the trace is that of one site, which the run calls `site`: its stages may have names there.
QString place_subtitle(const Trace& trace, const CellPlace& place, const std::string& site);

/// The arithmetic as a sentence: "“it” → “animal”:  score = q · k = 0.12 × 0.33 + 0.5 × 0.1 = 0.0896;  scaled
/// score = 0.0896 / √64 = 0.0112". Where that does not fit, it is the last step alone, which gives the cell's
/// number; then terms in its middle give way to "…", then its symbols. The line ends with the result in any
/// case.
QString arithmetic_line(const CellReport& report, const std::function<bool(const QString&)>& fits);

/// Everything about the place as plain text with aligned columns; `site` is where the run has it, which says
/// what its stage is called, while the trace may be that of this site alone.
QString report_text(const Trace& trace, const CellReport& report, const std::string& site);

/// "The row sums to 1. Entropy 1.23 bits: as if 2.3 of 6 keys shared the weight evenly." Of weights that are
/// no shares only the sum.
QString row_summary(const RowReport& row);

/// "Weights of “river”"
QString row_title(const TokenLabels& tokens, const RowReport& row);

/// "Weights that “river” gets", and "The column sums to 2.31."
QString column_title(const TokenLabels& tokens, const ColumnReport& column);
QString column_summary(const ColumnReport& column);

/// "Context, 64 numbers: 0.12  −0.40 …", at most `limit` of them.
QString context_text(const RowReport& row, std::size_t limit);

/// format_number as a QString.
QString readable_number(double value, int significant = 4);

}  // namespace headlight
