#include "ui/panels/figure_option_text.h"

#include "core/tensor/error.h"
#include "core/text/token_pattern.h"

#include <QStringList>

#include <utility>
#include <vector>

namespace headlight {
namespace {

constexpr QChar arrow(u'→');

/// Where a line has its arrow, and how many characters that is.
struct ArrowPlace {
    qsizetype at, length;
};
/// A line without an arrow may have "->" in its place, or "=", the last one that there is.
std::optional<ArrowPlace> arrow_in(const QString& line) {
    if (const qsizetype at = line.indexOf(arrow); at > 0)
        return ArrowPlace{at, 1};
    const QString typed = QStringLiteral("->"), apart = QStringLiteral(" -> ");
    if (const qsizetype at = line.indexOf(apart); at > 0)
        return ArrowPlace{at, apart.size()};
    if (const qsizetype at = line.lastIndexOf(QChar('=')); at > 0)
        return ArrowPlace{at, 1};
    const qsizetype at = line.indexOf(typed);
    return at > 0 ? std::optional(ArrowPlace{at, typed.size()}) : std::nullopt;
}

std::vector<std::string> words_between_spaces(const std::string& text) {
    std::vector<std::string> words;
    for (const QString& word : QString::fromStdString(text).split(QChar(' '), Qt::SkipEmptyParts))
        words.push_back(word.toStdString());
    return words;
}

}  // namespace

QString renamed_text(const std::map<std::string, std::string>& renamed) {
    QStringList lines;
    for (const auto& [label, other] : renamed)
        lines += QString::fromStdString(label) + ' ' + arrow + ' ' + QString::fromStdString(other);
    return lines.join(QChar('\n'));
}

std::map<std::string, std::string> renamed_labels(const QString& text) {
    std::map<std::string, std::string> renamed;
    for (const QString& line : text.split(QChar('\n'))) {
        const auto place = arrow_in(line);
        if (place && renamed.size() < most_listed && line.size() < static_cast<qsizetype>(longest_title) / 4)
            renamed[line.first(place->at).trimmed().toStdString()] =
                line.sliced(place->at + place->length).trimmed().toStdString();
    }
    return renamed;
}

bool read_slice(std::optional<AxisSlice>& slice, const std::string& text) {
    const auto read = slice_from_word(text);
    if (text.empty() || read)
        slice = read;
    return text.empty() || read;
}

bool read_marks(FigureOptions& options, const std::string& text) {
    std::vector<MarkedCells> marks;
    for (const std::string& word : words_between_spaces(text)) {
        const auto mark = mark_from_word(word);
        if (!mark || marks.size() == most_listed)
            return false;
        marks.push_back(*mark);
    }
    options.marks = std::move(marks);
    return true;
}

bool read_notes(FigureOptions& options, const std::string& text) {
    std::vector<CellNote> notes;
    for (const QString& part : QString::fromStdString(text).split(QChar(';'), Qt::SkipEmptyParts)) {
        if (part.trimmed().isEmpty())  // more is being written
            continue;
        const auto note = note_from_word(part.trimmed().toStdString());
        if (!note || notes.size() == most_listed)
            return false;
        notes.push_back(*note);
    }
    options.notes = std::move(notes);
    return true;
}

bool read_hidden(FigureOptions& options, const std::string& text) try {
    if (!text.empty())
        const TokenPattern pattern(text);
    options.hidden_labels = text;
    return true;
} catch (const Error&) {
    return false;
}

}  // namespace headlight
