#pragma once

#include <QByteArray>

#include <optional>
#include <string>

namespace headlight {

/// The session as lines of a comment in a language where one begins with `sign`; nothing if it is empty.
QByteArray session_comment(const std::string& session, const QByteArray& sign);

/// The session in a text whose first line is `first_line` and whose comments begin with `sign`; nothing where
/// there is none, or a damaged one.
std::optional<std::string> session_in_comment(const QByteArray& bytes, const QByteArray& first_line,
                                              const QByteArray& sign);

}  // namespace headlight
