#include "ui/models/found_tokens.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace headlight {
namespace {

struct FindWords {
    Q_DECLARE_TR_FUNCTIONS(FindWords)
};

bool begins_word(const QString& token) {
    return !token.isEmpty() && (token.front() == QChar(0x2581) || token.front() == QChar(0x0120) ||
                                token.front() == QChar(0x2423) || token.front().isSpace());
}

/// Tokens as one writes them, and where each is.
struct WrittenTokens {
    QString text;
    std::vector<qsizetype> begins, ends;  ///< [token], without the space before it

    explicit WrittenTokens(const std::vector<std::string>& tokens) {
        std::vector<QString> pieces;
        pieces.reserve(tokens.size());
        for (const std::string& token : tokens)
            pieces.push_back(QString::fromStdString(token));
        const bool has_marks = std::ranges::any_of(pieces, begins_word);
        for (const QString& piece : pieces) {
            const bool goes_on = piece.size() > 2 && piece.startsWith(QLatin1String("##"));
            const bool is_first = begins_word(piece);
            if (is_first || (!has_marks && !goes_on && !text.isEmpty()))
                text += QChar(' ');
            write(piece.mid(goes_on ? 2 : is_first ? 1 : 0));
        }
    }

private:
    void write(const QString& written) {
        begins.push_back(text.size());
        text += written;
        ends.push_back(text.size());
    }
};

QRegularExpression expression_of(const QString& text, bool is_expression) {
    QRegularExpression::PatternOptions options = QRegularExpression::UseUnicodePropertiesOption;
    if (std::ranges::none_of(text, [](QChar letter) { return letter.isUpper(); }))
        options |= QRegularExpression::CaseInsensitiveOption;
    return QRegularExpression(is_expression ? text : QRegularExpression::escape(text.simplified()), options);
}

}  // namespace

bool is_among(const std::vector<TokenRange>& ranges, Index token) {
    const auto next = std::ranges::lower_bound(ranges, token, {}, &TokenRange::last);
    return next != ranges.end() && next->first <= token;
}

FoundTokens find_tokens(const std::vector<std::string>& tokens, const QString& text, bool is_expression) {
    FoundTokens found;
    if (text.trimmed().isEmpty())
        return found;
    const QRegularExpression expression = expression_of(text, is_expression);
    if (!expression.isValid()) {
        found.problem = FindWords::tr("No expression: %1").arg(expression.errorString());
        return found;
    }
    const WrittenTokens written(tokens);
    for (auto matches = expression.globalMatch(written.text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        if (match.capturedLength() == 0)
            continue;
        // The tokens that have a letter of it.
        const auto first = std::ranges::upper_bound(written.ends, match.capturedStart());
        const auto behind = std::ranges::lower_bound(written.begins, match.capturedEnd());
        const TokenRange range{first - written.ends.begin(), behind - written.begins.begin() - 1};
        if (range.first <= range.last)
            found.ranges.push_back(range);
    }
    return found;
}

}  // namespace headlight
