#include "ui/render/session_comment.h"

namespace headlight {
namespace {

constexpr char comment_key[] = " headlight-session ";

}  // namespace

QByteArray session_comment(const std::string& session, const QByteArray& sign) {
    constexpr qsizetype characters = 200;  // a line of PostScript has 255 at most
    const QByteArray packed = QByteArray::fromStdString(session).toBase64();
    QByteArray comment;
    for (qsizetype at = 0; at < packed.size(); at += characters)
        comment += sign + comment_key + packed.mid(at, characters) + '\n';
    return comment;
}

std::optional<std::string> session_in_comment(const QByteArray& bytes, const QByteArray& first_line,
                                              const QByteArray& sign) {
    if (!bytes.startsWith(first_line))
        return std::nullopt;
    const QByteArray start = sign + comment_key;
    QByteArray packed;
    for (qsizetype at = bytes.indexOf('\n' + start); at >= 0 && bytes.mid(at + 1, start.size()) == start;) {
        const qsizetype end = bytes.indexOf('\n', at + 1);
        const qsizetype from = at + 1 + start.size();
        packed += bytes.mid(from, (end < 0 ? bytes.size() : end) - from).trimmed();
        at = end;
    }
    const auto session = QByteArray::fromBase64Encoding(packed, QByteArray::AbortOnBase64DecodingErrors);
    if (packed.isEmpty() || !session)
        return std::nullopt;
    return session.decoded.toStdString();
}

}  // namespace headlight
