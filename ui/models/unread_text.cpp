#include "ui/models/unread_text.h"

#include "core/figure/words.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace headlight {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Words)
};

/// Where an unknown word, or sign, stands first: before it there was nothing to refuse.
void find_part(UnreadText& unread, const QString& text, const QString& word) {
    const QString pattern = QRegularExpression::escape(word);
    const bool is_word = word.size() > 1;
    const QRegularExpression whole(is_word ? QStringLiteral("(?<![\\w])%1(?![\\w])").arg(pattern) : pattern,
                                   QRegularExpression::CaseInsensitiveOption |
                                       QRegularExpression::UseUnicodePropertiesOption);
    const QRegularExpressionMatch match = whole.match(text);
    if (match.hasMatch()) {
        unread.first = match.capturedStart();
        unread.count = match.capturedLength();
    }
}

QString with_pictures(const QString& problem) {
    return Words::tr("%1 The pictures show the last text.").arg(problem);
}

}  // namespace

std::optional<UnreadText> unread_text(const Error& error, const SpeechRequest& request) {
    const ErrorDetail& detail = error.detail();
    const QString where = QString::fromStdString(detail.where), got = QString::fromStdString(detail.got);
    const QString expected = QString::fromStdString(detail.expected);
    UnreadText unread;
    unread.is_in_source = where.startsWith(QLatin1String("source text"));
    if (!unread.is_in_source && !where.startsWith(QLatin1String("target text")))
        return std::nullopt;
    if (detail.got == "empty text") {
        unread.problem = Words::tr("Nothing to read yet.");
        unread.message = Words::tr("Nothing to read yet: the pictures show the last text.");
        return unread;
    }
    const qsizetype quote = got.startsWith(QLatin1Char('"')) ? got.indexOf(QLatin1Char('"'), 2) : -1;
    if (quote < 0) {
        unread.problem = Words::tr("Too much to read: %1, not %2.").arg(expected, got);
        unread.message = with_pictures(unread.problem);
        return unread;
    }
    const QString word = got.mid(1, quote - 1), hint = got.mid(quote + 1).trimmed();
    unread.problem = Words::tr("It does not know “%1”%2. It knows %3.")
                         .arg(QString::fromStdString(visible_token(word.toStdString())),
                              hint.isEmpty() ? QString() : QLatin1Char(' ') + hint,
                              QString(expected).remove(QStringLiteral("one of ")));
    unread.message = with_pictures(unread.problem);
    find_part(unread,
              QString::fromStdString(unread.is_in_source ? request.source : request.target.value_or("")),
              word);
    return unread;
}

}  // namespace headlight
