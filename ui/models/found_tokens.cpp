#include "ui/models/found_tokens.h"

#include "core/text/token_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace headlight {
namespace {

struct FindWords {
    Q_DECLARE_TR_FUNCTIONS(FindWords)
};

bool begins_word(std::string_view token) {
    return token.starts_with(' ') || token.starts_with('\n') || token.starts_with("␣");
}

/// How many tokens from `at` on make whole characters; 1 where those after it do not help.
std::size_t whole_characters(const std::vector<std::string>& bytes, std::size_t at) {
    constexpr std::size_t longest_character = 4;
    std::string joined;
    for (std::size_t count = 1; count <= longest_character && at + count <= bytes.size(); ++count)
        if (joined += bytes[at + count - 1]; readable_bytes(joined) == joined)
            return count;
    return 1;
}

/// Tokens as one writes them, and where each is. Those that share a character are in the same place.
struct WrittenTokens {
    QString text;
    std::vector<qsizetype> begins, ends;  ///< [token], without the space before it

    explicit WrittenTokens(const std::vector<std::string>& tokens) {
        const std::vector<std::string> bytes = token_bytes(tokens);
        const auto ends_word = [](std::string_view token) {
            return token.size() > 1 && token.ends_with(' ');
        };
        const bool has_marks =
            std::ranges::any_of(bytes, begins_word) || std::ranges::any_of(bytes, ends_word);
        bool is_behind_word = false;
        for (std::size_t at = 0, count = 0; at < bytes.size(); at += count) {
            count = whole_characters(bytes, at);
            std::string joined;
            for (std::size_t i = 0; i < count; ++i)
                joined += bytes[at + i];
            const QString piece = QString::fromStdString(readable_bytes(joined));
            const bool goes_on = piece.size() > 2 && piece.startsWith(QLatin1String("##"));
            const bool is_first = begins_word(joined);
            if (is_first || ((is_behind_word || (!has_marks && !goes_on)) && !text.isEmpty()))
                text += QChar(' ');
            is_behind_word = ends_word(joined);
            write(piece.mid(goes_on ? 2 : is_first ? 1 : 0).chopped(is_behind_word ? 1 : 0), count);
        }
    }

private:
    void write(const QString& written, std::size_t tokens) {
        begins.insert(begins.end(), tokens, text.size());
        text += written;
        ends.insert(ends.end(), tokens, text.size());
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
