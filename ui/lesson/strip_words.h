#pragma once

#include <QList>
#include <QString>
#include <QTextLayout>

#include <vector>

namespace headlight {

/// What a step says in one paragraph, and which of its words look otherwise: words of the example are bold.
struct StripWords {
    QString text;
    QList<QTextLayout::FormatRange> looks;
};

StripWords words_of_markdown(const QString& markdown);

/// The beginning of a text with those of its looks that it reaches.
QString html_of_beginning(const QString& text, const QList<QTextLayout::FormatRange>& looks);

/// Where a text can end.
std::vector<qsizetype> ends_of_sentences(const QString& text);
std::vector<qsizetype> ends_of_words(const QString& text);

}  // namespace headlight
