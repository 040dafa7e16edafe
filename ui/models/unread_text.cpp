#include "ui/models/unread_text.h"

#include "core/figure/words.h"
#include "core/tensor/visible_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

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
    find_part(unread,
              QString::fromStdString(unread.is_in_source ? request.source : request.target.value_or("")),
              word);
    return unread;
}

}  // namespace headlight
