#pragma once

#include <memory>
#include <string>

namespace headlight {

/// A regular expression, as ICU has it, that is looked for in tokens. Expressions come out of files as well:
/// one that would go on for too long is refused instead.
class TokenPattern {
public:
    static constexpr std::size_t longest = 1000;  ///< bytes

    /// Throws Error that says where it stops being one.
    explicit TokenPattern(const std::string& expression);
    ~TokenPattern();
    TokenPattern(const TokenPattern&) = delete;
    TokenPattern& operator=(const TokenPattern&) = delete;

    /// Whether it is found anywhere in the token, in capitals and small letters as they are written. Throws
    /// Error where finding out takes too long, over all tokens that were asked for.
    bool is_in(const std::string& token) const;

private:
    struct Compiled;
    std::unique_ptr<Compiled> compiled_;
};

}  // namespace headlight
