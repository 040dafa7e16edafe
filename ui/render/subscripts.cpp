#include "ui/render/subscripts.h"

#include <QFont>
#include <QMimeData>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCharFormat>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextDocumentFragment>
#include <QTextFragment>

namespace headlight {
namespace {

/// Where a text has the sign before a subscript, and where the subscript ends.
struct SubscriptPlace {
    qsizetype sign, end;
};

// ᵀ is no letter of a subscript: it stands behind one. Greek letters are written out in names of parameters.
constexpr QLatin1String
    subscript(R"((?<![\p{L}\p{N}_])\p{L}(_)([\p{Lu}\p{Ll}\p{Nd}]{1,3}|alpha|beta|gamma|)"
              R"(delta|epsilon|theta|kappa|lambda|sigma|omega)(?![\p{Lu}\p{Ll}\p{Nd}_]))");

std::vector<SubscriptPlace> subscript_places(const QString& text, const QRegularExpression& pattern) {
    std::vector<SubscriptPlace> places;
    for (QRegularExpressionMatchIterator found = pattern.globalMatch(text); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        if (match.capturedStart(1) >= 0)
            places.push_back({match.capturedStart(1), match.capturedEnd(2)});
    }
    return places;
}

std::vector<SubscriptPlace> subscript_places(const QString& text) {
    static const QRegularExpression pattern(QStringLiteral("“[^”]*”|") + subscript);
    return subscript_places(text, pattern);
}

bool is_code(const QTextCharFormat& format) {
    return format.fontFixedPitch() || format.fontStyleHint() == QFont::TypeWriter ||
           format.fontStyleHint() == QFont::Monospace;
}

}  // namespace

void lower_subscripts(QTextDocument& document) {
    QTextCharFormat lowered;
    lowered.setVerticalAlignment(QTextCharFormat::AlignSubScript);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        const std::vector<SubscriptPlace> places = subscript_places(block.text());
        // From the end: what is taken out moves what comes after it.
        for (auto place = places.rbegin(); place != places.rend(); ++place) {
            const int sign = block.position() + static_cast<int>(place->sign);
            QTextCursor cursor(&document);
            cursor.setPosition(sign + 1);
            cursor.setPosition(block.position() + static_cast<int>(place->end), QTextCursor::KeepAnchor);
            if (is_code(cursor.charFormat()))
                continue;
            cursor.mergeCharFormat(lowered);
            cursor.setPosition(sign);
            cursor.deleteChar();
        }
    }
}

QMimeData* copied(const QTextDocumentFragment& selection) {
    QTextDocument document;
    QTextCursor cursor(&document);
    cursor.insertFragment(selection);
    std::vector<int> lowered;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        bool was_lowered = false;  // half a subscript in a link is a part of its own
        for (QTextBlock::iterator part = block.begin(); !part.atEnd(); ++part) {
            const QTextFragment letters = part.fragment();
            const bool is_lowered =
                letters.charFormat().verticalAlignment() == QTextCharFormat::AlignSubScript;
            if (is_lowered && !was_lowered && letters.position() > 0)  // else the selection begins within it
                lowered.push_back(letters.position());
            was_lowered = is_lowered;
        }
    }
    for (auto at = lowered.crbegin(); at != lowered.crend(); ++at) {  // an insertion moves what follows it
        cursor.setPosition(*at);
        cursor.insertText(QStringLiteral("_"));
    }
    auto* data = new QMimeData;
    data->setHtml(selection.toHtml());
    data->setText(document.toPlainText());
    return data;
}

std::vector<TextLevel> text_levels(const QString& text) {
    std::vector<TextLevel> levels;
    qsizetype at = 0;
    for (const SubscriptPlace& place : subscript_places(text)) {
        levels.push_back({text.sliced(at, place.sign - at)});
        levels.push_back({text.sliced(place.sign + 1, place.end - place.sign - 1), true});
        at = place.end;
    }
    if (at < text.size())
        levels.push_back({text.sliced(at)});
    return levels;
}

QString html_with_subscripts(const QString& text) {
    // A backtick in a quotation is a token's; a text that was cut may end within code. Slanted letters are no
    // wider than others, for which the room was measured.
    static const QRegularExpression pattern(QStringLiteral("“[^”]*”|`([^`\n]+)(?:`|(?<=…)$)"));
    const QString html = text.toHtmlEscaped();
    QString with_code;
    qsizetype at = 0;
    for (QRegularExpressionMatchIterator found = pattern.globalMatch(html); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        if (match.capturedStart(1) < 0)
            continue;
        with_code += html.sliced(at, match.capturedStart() - at);
        with_code += QStringLiteral("<i>%1</i>").arg(match.captured(1));
        at = match.capturedEnd();
    }
    return lowered_in_html(with_code + html.sliced(at));
}

QString lowered_in_html(const QString& html) {
    // As in a document, whose blocks are looked at one by one, a quotation is one of one block.
    static const QRegularExpression pattern(
        QStringLiteral("<code\\b.*?</code>|<pre\\b.*?</pre>|<[^>]*>|“(?:(?!</(?:p|li|h\\d|td|th)>)[^”])*”|") +
            subscript,
        QRegularExpression::DotMatchesEverythingOption);
    QString lowered;
    qsizetype at = 0;
    for (const SubscriptPlace& place : subscript_places(html, pattern)) {
        lowered += html.sliced(at, place.sign - at);
        lowered +=
            QStringLiteral("<sub>%1</sub>").arg(html.sliced(place.sign + 1, place.end - place.sign - 1));
        at = place.end;
    }
    return lowered + html.sliced(at);
}

}  // namespace headlight
