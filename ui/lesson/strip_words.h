#pragma once

#include <QFont>
#include <QList>
#include <QString>
#include <QTextLayout>

#include <vector>

namespace headlight {

/// What a step says, each of its paragraphs a line of its own, and which of its words look otherwise: words
/// of the example are bold.
struct StripWords {
    QString text;
    QList<QTextLayout::FormatRange> looks;
};

StripWords words_of_markdown(const QString& markdown);

/// The part of it from one of its signs to another, without the blanks around it.
StripWords part_of(const StripWords& words, qsizetype begin, qsizetype end);

/// The words with their looks.
QString html_of(const StripWords& words);

/// Where each of its sentences ends, and each of its paragraphs, whatever it ends with.
std::vector<qsizetype> ends_of_sentences(const QString& text);

/// How many lines of that width, in pixels, it takes.
int line_count(const StripWords& words, const QFont& font, double width);

/// All of it, in pages of at most so many lines: whole sentences where one has room, else whole words. A page
/// that another one follows ends with "…". One empty page where there are no words.
std::vector<StripWords> pages_of(const StripWords& words, const QFont& font, double width, int most_lines);

}  // namespace headlight
