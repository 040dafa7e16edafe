#include "core/catalog/documentation_text.h"

#include <algorithm>
#include <cctype>

namespace headlight {
namespace {

/// Index of the brace that closes the one at `open`.
std::size_t closing_brace(std::string_view tex, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tex.size(); ++i) {
        depth += tex[i] == '{' ? 1 : tex[i] == '}' ? -1 : 0;
        if (depth == 0)
            return i;
    }
    return tex.size();
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string markdown_link(const std::string& words, const std::string& address) {
    return '[' + words + "](" + address + ')';
}

std::string heading_anchor(const std::string& name) {
    std::string anchor;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto byte = static_cast<unsigned char>(name[i]);
        if (name.compare(i, 2, "\xE2\x80") == 0)
            i += 2;
        else if (std::isalnum(byte) || name[i] == '-' || byte >= 0x80)
            anchor += static_cast<char>(std::tolower(byte));
        else if (name[i] == ' ')
            anchor += '-';
    }
    return anchor;
}

std::string table_cell(const std::string& text) {
    std::string cell;
    for (const char c : text)
        (cell += c == '|' ? "\\" : "") += c;
    return cell;
}

std::string listed(const std::vector<std::string>& names, std::string_view separator) {
    std::string text;
    for (const std::string& name : names)
        (text += text.empty() ? "" : separator) += name;
    return text;
}

std::string sentence(std::string text) {
    if (text.size() > 1 && is_letter(text[1]))
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text.ends_with('.') ? text : text + '.';
}

std::string clause(std::string text) {
    if (text.size() > 1 && (text[1] == ' ' || std::islower(static_cast<unsigned char>(text[1]))))
        text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
    return text.ends_with('.') ? text : text + '.';
}

std::string first_sentence(const std::string& text) {
    const std::size_t end = text.find(". ");
    return end == std::string::npos ? text : text.substr(0, end + 1);
}

std::string without_classes(std::string_view formula) {
    constexpr std::string_view wrapper = "\\class{";
    std::string plain;
    while (!formula.empty()) {
        const std::size_t begin = formula.find(wrapper);
        plain += formula.substr(0, begin);
        if (begin == std::string_view::npos)
            break;
        const std::size_t open = closing_brace(formula, begin + wrapper.size() - 1) + 1;
        const std::size_t close = closing_brace(formula, open);
        const std::string contents = without_classes(formula.substr(open + 1, close - open - 1));
        if (!plain.empty() && is_letter(plain.back()) && !contents.empty() && is_letter(contents.front()))
            plain += ' ';  // or the contents would become part of the command before them
        plain += contents;
        formula.remove_prefix(std::min(close + 1, formula.size()));  // a brace may be missing
    }
    return plain;
}

}  // namespace headlight
