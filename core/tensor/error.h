#pragma once

#include <stdexcept>
#include <string>

namespace headlight {

/// A refusal that teaches. Everything that can go wrong with what a person gave us (a file, a spec, a name, a
/// shape) is said in these four parts, and shown as one line: `where: what: expected ..., got ...`.
struct ErrorDetail {
    std::string what;  ///< the operation that was refused: "dot score", "read safetensors header"
    /// File, JSON pointer, byte offset, parameter name; empty when there is only one place.
    std::string where;
    std::string expected;  ///< what would have been accepted
    std::string got;       ///< what was found, shortened if it is long
};

class Error : public std::runtime_error {
public:
    explicit Error(const ErrorDetail& detail);
    const ErrorDetail& detail() const noexcept { return detail_; }

    /// The same refusal, with `place` put in front of where it happened (a file name before a JSON pointer).
    Error within(const std::string& place) const;

private:
    ErrorDetail detail_;
};

/// `text` cut to at most `limit` bytes at a UTF-8 boundary, with an ellipsis when something was cut, control
/// characters made visible: what a file holds must never garble the message about it.
std::string excerpt(const std::string& text, std::size_t limit = 60);

}  // namespace headlight
