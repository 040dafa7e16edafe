#include "ui/lesson/strip_words.h"

#include "ui/render/subscripts.h"

#include <QTextBlock>
#include <QTextBoundaryFinder>
#include <QTextCharFormat>
#include <QTextDocument>
#include <QTextFragment>

#include <algorithm>

namespace headlight {
namespace {

constexpr QChar end_of_paragraph = u'\n';

std::vector<qsizetype> ends_of_words(const QString& text) {
    std::vector<qsizetype> ends;
    for (qsizetype at = 0; at < text.size(); ++at)
        if (text[at].isSpace())
            ends.push_back(at);
    ends.push_back(text.size());
    return ends;
}

}  // namespace

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
    const auto end_paragraph = [&words] {
        if (words.text.isEmpty())
            return;
        if (words.text.back().isSpace())
            words.text.back() = end_of_paragraph;
        else
            words.text += end_of_paragraph;
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
        end_paragraph();
    }
    if (words.text.endsWith(end_of_paragraph))
        words.text.chop(1);
    return words;
}

StripWords part_of(const StripWords& words, qsizetype begin, qsizetype end) {
    while (begin < end && words.text[begin].isSpace())
        ++begin;
    while (begin < end && words.text[end - 1].isSpace())
        --end;
    StripWords part{words.text.sliced(begin, end - begin), {}};
    for (QTextLayout::FormatRange look : words.looks) {
        const qsizetype first = std::max<qsizetype>(look.start, begin),
                        last = std::min<qsizetype>(look.start + look.length, end);
        if (first >= last)
            continue;
        look.start = static_cast<int>(first - begin);
        look.length = static_cast<int>(last - first);
        part.looks += look;
    }
    return part;
}

QString html_of(const StripWords& words) {
    QString html;
    qsizetype at = 0;
    for (const QTextLayout::FormatRange& look : words.looks) {
        html += words.text.sliced(at, look.start - at).toHtmlEscaped();
        QString part = words.text.sliced(look.start, look.length).toHtmlEscaped();
        if (look.format.verticalAlignment() == QTextCharFormat::AlignSubScript)
            part = QStringLiteral("<sub>%1</sub>").arg(part);
        if (look.format.fontWeight() >= QFont::Bold)
            part = QStringLiteral("<b>%1</b>").arg(part);
        html += part;
        at = look.start + look.length;
    }
    html += words.text.sliced(at).toHtmlEscaped();
    return html.replace(end_of_paragraph, QStringLiteral("<br>"));
}

std::vector<qsizetype> ends_of_sentences(const QString& text) {
    std::vector<qsizetype> ends;
    QTextBoundaryFinder finder(QTextBoundaryFinder::Sentence, text);
    for (qsizetype end = finder.toNextBoundary(); end > 0; end = finder.toNextBoundary())
        ends.push_back(end);
    return ends;
}

int line_count(const StripWords& words, const QFont& font, double width) {
    // A layout is one paragraph, with lines that end where they are told to.
    QTextLayout lines(QString(words.text).replace(end_of_paragraph, QChar(QChar::LineSeparator)), font);
    lines.setFormats(words.looks);
    int count = 0;
    lines.beginLayout();
    for (QTextLine line = lines.createLine(); line.isValid(); line = lines.createLine()) {
        line.setLineWidth(width);
        ++count;
    }
    lines.endLayout();
    return count;
}

std::vector<StripWords> pages_of(const StripWords& words, const QFont& font, double width, int most_lines) {
    const qsizetype all = words.text.size();
    const std::vector<qsizetype> sentences = ends_of_sentences(words.text),
                                 single = ends_of_words(words.text);
    const auto page = [&](qsizetype begin, qsizetype end) {
        StripWords part = part_of(words, begin, end);
        if (end < all)
            part.text += QStringLiteral(" …");
        return part;
    };
    const auto end_of_page = [&](qsizetype begin) {
        const auto fits = [&](qsizetype end) {
            return line_count(page(begin, end), font, width) <= most_lines;
        };
        if (fits(all))
            return all;
        for (const std::vector<qsizetype>* ends : {&sentences, &single}) {
            qsizetype last = begin;
            for (auto end = std::ranges::upper_bound(*ends, begin); end != ends->end() && fits(*end); ++end)
                last = *end;
            if (last > begin)
                return last;
        }
        return *std::ranges::upper_bound(single, begin);  // a word that is longer than the page
    };
    std::vector<StripWords> pages;
    qsizetype begin = 0;
    do {
        const qsizetype end = end_of_page(begin);
        pages.push_back(page(begin, end));
        begin = end;
    } while (begin < all);
    return pages;
}

}  // namespace headlight
