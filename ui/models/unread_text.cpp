#include "ui/models/unread_text.h"

#include "core/figure/words.h"
#include "core/tensor/visible_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace headlight {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Words)
};

/// "867 words" of "one of the 867 words that it knows"; "a b c" of "one of a b c".
QString known_words(const QString& expected) {
    static const QRegularExpression counted(QStringLiteral("^one of the (\\d+ words) that it knows$"));
    const QRegularExpressionMatch match = counted.match(expected);
    return match.hasMatch() ? match.captured(1) : QString(expected).remove(QStringLiteral("one of "));
}

/// "a", "b" and "c" of `"a" (did you mean "x"?), "b", "c" and 4 more`.
QStringList refused_words(const QString& got) {
    QStringList words;
    for (qsizetype at = 0; got.mid(at).startsWith(QLatin1Char('"'));) {
        const qsizetype end = got.indexOf(QLatin1Char('"'), at + 2);
        if (end < 0)
            break;
        words += got.mid(at + 1, end - at - 1);
        const QString rest = got.mid(end + 1);
        static const QRegularExpression next(
            QStringLiteral(R"(^( \(did you mean ".+?"\?\)| \(a [a-z ]+\))?, )"));
        const QRegularExpressionMatch match = next.match(rest);
        if (!match.hasMatch())
            break;
        at = end + 1 + match.capturedLength();
    }
    return words;
}

/// Every place of an unknown word, or sign.
void find_parts(UnreadText& unread, const QString& text, const QString& word) {
    constexpr std::size_t most = 1000;
    const QString pattern = QRegularExpression::escape(word);
    const bool is_word = word.size() > 1;
    const QRegularExpression whole(is_word ? QStringLiteral("(?<![\\w])%1(?![\\w])").arg(pattern) : pattern,
                                   QRegularExpression::CaseInsensitiveOption |
                                       QRegularExpression::UseUnicodePropertiesOption);
    for (auto matches = whole.globalMatch(text); matches.hasNext() && unread.parts.size() < most;) {
        const QRegularExpressionMatch match = matches.next();
        unread.parts.push_back({match.capturedStart(), match.capturedLength()});
    }
}

}  // namespace

std::optional<UnreadText> unread_text(const Error& error, const GenerationRequest& request,
                                      bool has_pictures) {
    const ErrorDetail& detail = error.detail();
    const QString where = QString::fromStdString(detail.where), got = QString::fromStdString(detail.got);
    const QString expected = QString::fromStdString(detail.expected);
    UnreadText unread;
    unread.is_in_source = where.startsWith(QLatin1String("source text"));
    if (!unread.is_in_source && !where.startsWith(QLatin1String("target text")))
        return std::nullopt;
    const auto with_problem = [&](const QString& problem) {
        unread.problem = problem;
        unread.message = problem + QLatin1Char(' ') +
                         (has_pictures ? Words::tr("The pictures show the last text.")
                                       : Words::tr("There is no picture yet."));
        return unread;
    };
    if (detail.got == "empty text")
        return with_problem(Words::tr("Nothing to read yet."));
    const qsizetype quote = got.startsWith(QLatin1Char('"')) ? got.indexOf(QLatin1Char('"'), 2) : -1;
    if (quote < 0)
        return with_problem(Words::tr("Too much to read: %1, not %2.").arg(expected, got));
    const QString word = got.mid(1, quote - 1);
    static const QRegularExpression next_word(QStringLiteral(", \"([^\"]+)\""));
    const QString hint_and_others = got.mid(quote + 1).replace(next_word, QStringLiteral(", “\\1”"));
    with_problem(Words::tr("It does not know %1%2: it knows %3.")
                     .arg(QString::fromStdString(in_quotes(visible_token(word.toStdString()))),
                          hint_and_others, known_words(expected)));
    const QString text =
        QString::fromStdString(unread.is_in_source ? request.source : request.target.value_or(""));
    for (const QString& each : refused_words(got))
        find_parts(unread, text, each);
    std::ranges::sort(unread.parts, {}, &TextPart::first);
    return unread;
}

}  // namespace headlight
