#include "app/cli/shell_words.h"

#include "core/tensor/error.h"
#include "core/text/utf8_text.h"

#include <algorithm>

namespace headlight {
namespace {

/// As in a shell: behind a backslash, outside of single quotes, and in double ones where it has a meaning.
bool is_escaped(char c, char quote) { return quote == 0 || (quote == '"' && (c == '"' || c == '\\')); }

}  // namespace

std::vector<std::string> shell_words(std::string_view line) {
    std::vector<std::string> words;
    std::string word;
    bool is_word = false;
    char quote = 0;
    for (std::size_t at = 0; at < line.size(); ++at) {
        const char c = line[at];
        if (quote != 0 && c == quote) {
            quote = 0;
        } else if (c == '\\' && at + 1 < line.size() && is_escaped(line[at + 1], quote)) {
            word += line[++at];
            is_word = true;
        } else if (quote != 0) {
            word += c;
        } else if (c == '"' || c == '\'') {
            quote = c;
            is_word = true;
        } else if (c == ' ' || c == '\t') {
            if (is_word)
                words.push_back(std::move(word));
            word.clear();
            is_word = false;
        } else if (c == '#' && !is_word) {
            break;
        } else {
            word += c;
            is_word = true;
        }
    }
    if (quote != 0)
        throw Error(
            {"read a list of figures", "", std::string("a ") + quote + " that closes the quotation", "none"});
    if (is_word)
        words.push_back(std::move(word));
    return words;
}

std::vector<std::string> lines_in(std::string_view text) {
    std::vector<std::string> lines;
    text = without_byte_order_mark(text);
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        lines.emplace_back(line);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

}  // namespace headlight
