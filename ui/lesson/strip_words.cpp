#include "ui/lesson/strip_words.h"

#include "ui/render/subscripts.h"

#include <QTextBlock>
#include <QTextBoundaryFinder>
#include <QTextCharFormat>
#include <QTextDocument>
#include <QTextFragment>

#include <algorithm>

namespace headlight {

StripWords words_of_markdown(const QString& markdown) {
    QTextDocument document;
    document.setMarkdown(markdown);
    lower_subscripts(document);
    StripWords words;
    const auto add = [&words](QChar sign) {
        if (!sign.isSpace())
            words.text += sign;
        else if (!words.text.isEmpty() && !words.text.back().isSpace())
            words.text += QChar(u' ');
    };
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        for (QTextBlock::iterator part = block.begin(); !part.atEnd(); ++part) {
            const QTextFragment fragment = part.fragment();
            const qsizetype start = words.text.size();
            const QString signs = fragment.text();
            for (const QChar sign : signs)
                add(sign);
            QTextLayout::FormatRange look;
            look.start = static_cast<int>(start);
            look.length = static_cast<int>(words.text.size() - start);
            if (fragment.charFormat().fontWeight() >= QFont::Bold)
                look.format.setFontWeight(QFont::Bold);
            if (fragment.charFormat().verticalAlignment() == QTextCharFormat::AlignSubScript)
                look.format.setVerticalAlignment(QTextCharFormat::AlignSubScript);
            if (look.length > 0 && look.format.propertyCount() > 0)
                words.looks += look;
        }
        add(QChar(u' '));
    }
    if (words.text.endsWith(QChar(u' ')))
        words.text.chop(1);
    return words;
}

QString html_of_beginning(const QString& text, const QList<QTextLayout::FormatRange>& looks) {
    QString html;
    qsizetype at = 0;
    for (const QTextLayout::FormatRange& look : looks) {
        const qsizetype begin = look.start, end = std::min<qsizetype>(begin + look.length, text.size());
        if (begin >= end)
            break;
        html += text.sliced(at, begin - at).toHtmlEscaped();
        QString part = text.sliced(begin, end - begin).toHtmlEscaped();
        if (look.format.verticalAlignment() == QTextCharFormat::AlignSubScript)
            part = QStringLiteral("<sub>%1</sub>").arg(part);
        if (look.format.fontWeight() >= QFont::Bold)
            part = QStringLiteral("<b>%1</b>").arg(part);
        html += part;
        at = end;
    }
    return html + text.sliced(at).toHtmlEscaped();
}

std::vector<qsizetype> ends_of_sentences(const QString& text) {
    std::vector<qsizetype> ends;
    QTextBoundaryFinder finder(QTextBoundaryFinder::Sentence, text);
    for (qsizetype end = finder.toNextBoundary(); end > 0; end = finder.toNextBoundary())
        ends.push_back(end);
    return ends;
}

std::vector<qsizetype> ends_of_words(const QString& text) {
    std::vector<qsizetype> ends;
    for (qsizetype space = text.indexOf(QChar(u' ')); space >= 0;
         space = text.indexOf(QChar(u' '), space + 1))
        ends.push_back(space);
    return ends;
}

}  // namespace headlight
